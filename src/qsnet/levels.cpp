#include "qsnet/levels.hpp"

namespace banyan::qsnet {
namespace {

constexpr u32 warm_rounds = 2, counted_rounds = 6;

// Two processes that talk to each other in rounds.
class Dialogue {
 public:
  Dialogue(const Routes& routes, const Parameters& parameters, Level level, const Ping& ping)
      : machine_(routes, parameters), tports_(machine_), is_mpi_(level == Level::mpi), ping_(ping) {
    const u64 eager = u64{parameters.eager} * 1024;
    is_eager_ = ping.bytes <= eager;
    call_ = is_mpi_ ? from_us(parameters.mpi) : 0;
  }

  // Mean time of a round, the first ones not counted.
  Time round_time() {
    begin();
    while (const auto notice = machine_.next()) {
      if (notice->tag >= Tports::first_free_tag) {
        after_call(notice->host == ping_.from ? 0 : 1, static_cast<Call>(notice->tag));
      } else if (const auto done = tports_.handle(*notice)) {
        finished(done->host == ping_.from ? 0 : 1, done->is_send);
      }
    }
    return (end_ - start_) / counted_rounds;
  }

 private:
  enum Call : u32 { send_call = Tports::first_free_tag, receive_return };
  u32 host(u32 side) const { return side == 0 ? ping_.from : ping_.to; }
  bool sends_first() const { return is_mpi_ && is_eager_; }

  void send(u32 side) { machine_.wake(call_, host(side), send_call); }
  void receive(u32 side) { tports_.receive(host(side), host(1 - side), 0); }

  void begin() {
    for (u32 side = 0; side < 2; ++side) {
      if (!ping_.both_ways) {
        receive(side);
        if (side == 0) send(side);
      } else {
        begin_round(side);
      }
    }
  }

  void begin_round(u32 side) {
    over_[side] = 0;
    if (!sends_first()) receive(side);
    send(side);
  }

  void after_call(u32 side, Call call) {
    if (call == send_call)
      tports_.send({.from = host(side),
                    .to = host(1 - side),
                    .bytes = ping_.bytes,
                    .source = ping_.source,
                    .target = ping_.target,
                    .synchronous = is_mpi_ && !is_eager_});
    else
      received(side);
  }

  void finished(u32 side, bool is_send) {
    if (!is_send) return machine_.wake(call_, host(side), receive_return);
    if (!ping_.both_ways) return;
    if (sends_first()) receive(side);
    end_part(side);
  }

  void received(u32 side) {
    if (ping_.both_ways) return end_part(side);
    if (side == 0 && !count_round()) return;
    receive(side);
    send(side);
  }

  void end_part(u32 side) {
    if (++over_[side] == 2 && (side == 1 ? ++turns_ < warm_rounds + counted_rounds : count_round()))
      begin_round(side);
  }

  // Whether there is another one.
  bool count_round() {
    ++done_;
    if (done_ == warm_rounds) start_ = machine_.now();
    if (done_ == warm_rounds + counted_rounds) end_ = machine_.now();
    return done_ < warm_rounds + counted_rounds;
  }

  Machine machine_;
  Tports tports_;
  bool is_mpi_, is_eager_ = true;
  Ping ping_;
  Time call_ = 0, start_ = 0, end_ = 0;
  u32 done_ = 0, turns_ = 0, over_[2] = {0, 0};
};

}  // namespace

Time level_latency(const Routes& routes, const Parameters& parameters, Level level, const Ping& ping) {
  if (level == Level::elan3lib) return ping_latency(routes, parameters, ping);
  return Dialogue(routes, parameters, level, ping).round_time() / (ping.both_ways ? 1 : 2);
}

double level_bandwidth(const Routes& routes, const Parameters& parameters, Level level, const Ping& ping) {
  if (level == Level::elan3lib) return ping_bandwidth(routes, parameters, ping);
  return static_cast<double>(ping.bytes) / in_us(level_latency(routes, parameters, level, ping));
}

}  // namespace banyan::qsnet
