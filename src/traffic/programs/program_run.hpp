// Runs the operations of a program in time. What happens between ranks is left to a network; the three levels
// differ in nothing else. docs/programs.md has the terms.
#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "traffic/programs/program.hpp"

namespace banyan::traffic {

struct ProgramCosts {
  double unit = 1;           // seconds of the unit of time in which the others are, and all times of a run
  double overhead = 0;       // o, of a message, of sender and receiver each
  double byte_overhead = 0;  // O, of each byte but the first, likewise
  double gap = 0;            // g, between the starts of two messages of one NIC of a rank
  double eager_bytes =
      65535;  // S: the send of a longer message ends when it has left and its receive has begun
};

// Things that a rank uses for one operation after another, streams or NICs: by operation its number, and from
// when it is free.
class Resources {
 public:
  Resources(const Program& program, u32 Program::Where::*which);
  double& free(Op op) { return free_[of_[op]]; }
  u32 number(Op op) const { return of_[op]; }
  std::size_t count() const { return free_.size(); }

 private:
  std::vector<u32> of_;
  std::vector<double> free_;
};

// What runs know about operations and resources. Entries of different ranks are independent, so that threads
// may run ranks of their own on one of these.
class ProgramState {
 public:
  struct Message {
    double time = 0;    // of a send: when it can end at the earliest; of a receive: when both sides are there
    double copied = 0;  // of a receive: time of copying that was over when the message was there
    bool has_left = false;     // of a send: the last byte
    bool has_begun = false;    // of a receive
    bool has_arrived = false;  // likewise
  };

  explicit ProgramState(const Program& program);

  bool may_begin(Op op) const { return waits_[op] == 0; }
  bool is_awaited_at_beginning(Op op) const;
  // An operation begins, or ends: calls ready(op) for those that wait for nothing any more.
  template <class F>
  void release(Op op, bool begins, F ready) {
    for (u32 i = program_.first_next[op]; i < program_.first_next[op + 1]; ++i) {
      const u32 next = program_.next[i];
      if ((next % 2 == 1) == begins && --waits_[next / 2] == 0) ready(next / 2);
    }
  }

  Resources streams, nics;
  std::vector<Message> messages;  // by operation

 private:
  const Program& program_;
  std::vector<u32> waits_;
};

// Throws InputError with the reason why a run did not end.
[[noreturn]] void refuse_run(const Program& program, double eager_bytes);

// What happened in a run: what ranks computed, and, in a log that was made for a program, all operations of
// it.
struct ProgramLog {
  static constexpr Op nothing = ~Op{0};

  struct Computed {
    u32 rank;
    double begin, end;
  };
  std::vector<Computed> computed;  // that took time, in the order in which streams were taken

  // By operation.
  // When it had all it waits for; when it got its stream; when it ended. Of a receive, `begin` is when its
  // message was there as well; of a send, when its message entered the network.
  std::vector<double> ready, begin, end;
  // What it waited for last: an operation of its rank that released it or had its stream, or the send of its
  // message; nothing: it could begin at once.
  std::vector<Op> cause;
  std::vector<char> waits_for_receive;  // of the send of a long message: it ended when its receive began
  std::vector<Op> last_of_stream;       // by stream: the operation that had it last

  ProgramLog() = default;
  explicit ProgramLog(const Program& program)
      : ready(program.size(), 0),
        begin(program.size(), 0),
        end(program.size(), 0),
        cause(program.size(), nothing),
        waits_for_receive(program.size(), 0) {}
};

// A run of all ranks or of some. A Network has
//   send(run, op, time): a message enters it; the network calls left() and arrives() later, or at once
//   occupies(op): how long its sender's NIC is busy with it besides the gap
//   is_uncontended: nobody has to wait for a stream or a NIC
//   knows_receives: a send can learn that its receive began; else the send of a long message ends when it has
//                   left
template <class Network>
class ProgramRun {
 public:
  ProgramRun(const Program& program, const ProgramCosts& costs, ProgramState& state, Network& network)
      : program_(program), costs_(costs), state_(state), network_(network) {}

  // Operations that wait for nothing, and when they begin.
  void start(Op op) { ready_.push_back(op); }
  void begin(double time = 0) {
    now_ = time;
    begin_ready(time);
  }
  // Of what happens; it must outlive the run.
  void keep(ProgramLog& log) {
    computed_ = &log.computed;
    if (!log.end.empty()) log_ = &log;
  }

  // When the next event is, infinity if there is none; and that event.
  double next() const {
    return agenda_.empty() ? std::numeric_limits<double>::infinity() : agenda_.front().time;
  }
  void step();

  // Of a message that entered the network: its last byte leaves its sender, it arrives. `lasted`: how long
  // its bytes took, during which the receiver may have copied. Times may be in the future.
  void left(Op send, double time);
  void arrives(Op send, double time, double lasted);

  double end() const { return end_; }  // of the operations so far
  u64 ended() const { return ended_; }

 private:
  enum class Event : u8 { beginning, end, arrival };
  struct Entry {
    double time;
    u32 order;
    Event event;
    Op op;
    bool operator>(const Entry& o) const { return time > o.time || (time == o.time && order > o.order); }
  };

  void push(double time, Event event, Op op) {
    agenda_.push_back({time, order_++, event, op});
    std::push_heap(agenda_.begin(), agenda_.end(), std::greater<>());
  }
  void release(Op op, bool begins) {
    state_.release(op, begins, [&](Op next) {
      ready_.push_back(next);
      if (log_) log_->ready[next] = now_, log_->cause[next] = op;
    });
  }
  double copying(Op op) const { return std::max(0.0, program_.amount[op] - 1) * costs_.byte_overhead; }
  bool is_eager(Op op) const { return program_.amount[op] <= costs_.eager_bytes; }

  void begin_ready(double time);
  void begins(Op op, double time);
  double take_stream(Op op, double from, double time);
  void note_stream(Op op, bool has_waited, bool takes_time);
  void compute(Op op, double time);
  void send(Op op, double time);
  void receive(Op op, double time);
  void arrived(Op send);
  void end_send(Op send);
  void end_receive(Op op);

  const Program& program_;
  const ProgramCosts& costs_;
  ProgramState& state_;
  Network& network_;
  std::vector<Entry> agenda_;  // a heap, the first on top
  std::vector<Op> ready_;
  ProgramLog* log_ = nullptr;  // by operation
  std::vector<ProgramLog::Computed>* computed_ = nullptr;
  double now_ = 0, end_ = 0;
  u32 order_ = 0;
  u64 ended_ = 0;
};

template <class Network>
void ProgramRun<Network>::step() {
  const Entry entry = agenda_.front();
  std::pop_heap(agenda_.begin(), agenda_.end(), std::greater<>());
  agenda_.pop_back();
  now_ = entry.time;
  if (entry.event == Event::arrival) {
    arrived(entry.op);
  } else {
    const bool is_end = entry.event == Event::end;
    if (is_end) end_ = std::max(end_, entry.time), ++ended_;
    if (is_end && log_) log_->end[entry.op] = entry.time;
    release(entry.op, !is_end);
  }
  begin_ready(entry.time);
}

template <class Network>
void ProgramRun<Network>::begin_ready(double time) {
  for (std::size_t i = 0; i < ready_.size(); ++i) {  // grows on the way
    const Op op = ready_[i];
    switch (program_.kind[op]) {
      case Program::Kind::compute:
        compute(op, time);
        break;
      case Program::Kind::send:
        send(op, time);
        break;
      case Program::Kind::receive:
        receive(op, time);
        break;
    }
  }
  ready_.clear();
}

template <class Network>
void ProgramRun<Network>::begins(Op op, double time) {
  if (!state_.is_awaited_at_beginning(op)) return;
  if (time > now_)
    push(time, Event::beginning, op);
  else
    release(op, true);
}

// Takes the stream of an operation for some time; returns when it has it.
template <class Network>
double ProgramRun<Network>::take_stream(Op op, double from, double time) {
  if (network_.is_uncontended) return from;
  double& free = state_.streams.free(op);
  const double start = std::max(from, free);
  if (log_) note_stream(op, free > from, time > 0);
  free = start + time;
  return start;
}

template <class Network>
void ProgramRun<Network>::note_stream(Op op, bool has_waited, bool takes_time) {
  log_->last_of_stream.resize(state_.streams.count(), ProgramLog::nothing);
  Op& last = log_->last_of_stream[state_.streams.number(op)];
  if (has_waited && last != ProgramLog::nothing) log_->cause[op] = last;
  if (takes_time) last = op;
}

template <class Network>
void ProgramRun<Network>::compute(Op op, double time) {
  const double lasts = program_.amount[op] / costs_.unit, start = take_stream(op, time, lasts);
  begins(op, start);
  if (log_) log_->begin[op] = start;
  if (computed_ && lasts > 0) computed_->push_back({program_.rank[op], start, start + lasts});
  push(start + lasts, Event::end, op);
}

template <class Network>
void ProgramRun<Network>::send(Op op, double time) {
  if (!network_.is_uncontended) {
    double& free = state_.nics.free(op);
    const double stream = state_.streams.free(op);
    if (log_ && stream > std::max(time, free)) note_stream(op, true, false);
    time = std::max({time, free, stream});
    free = time + costs_.gap + network_.occupies(op);
  }
  const double lasts = costs_.overhead + copying(op), start = take_stream(op, time, lasts);
  begins(op, start);
  auto& message = state_.messages[op];
  message.time = std::max(message.time, start + lasts);
  if (log_) log_->begin[op] = start;
  if (is_eager(op)) push(message.time, Event::end, op);
  network_.send(*this, op, start + costs_.overhead);
}

template <class Network>
void ProgramRun<Network>::left(Op send, double time) {
  auto& message = state_.messages[send];
  message.has_left = true;
  message.time = std::max(message.time, time);
  end_send(send);
}

// A long message has been sent when it has left and its receive has begun.
template <class Network>
void ProgramRun<Network>::end_send(Op send) {
  if (is_eager(send)) return;
  auto& message = state_.messages[send];
  if (network_.knows_receives) {
    const auto& receive = state_.messages[program_.partner[send]];
    if (!receive.has_begun || !message.has_left) return;
  }
  push(std::max(now_, message.time), Event::end, send);
}

template <class Network>
void ProgramRun<Network>::receive(Op op, double time) {
  begins(op, time);
  auto& message = state_.messages[op];
  message.has_begun = true;
  message.time = std::max(message.time, time);
  if (message.has_arrived) end_receive(op);
  if (!network_.knows_receives || is_eager(op)) return;
  auto& sent = state_.messages[program_.partner[op]];
  if (sent.has_left) {
    if (log_ && time > sent.time) log_->waits_for_receive[program_.partner[op]] = 1;
    sent.time = std::max(sent.time, time);
    end_send(program_.partner[op]);
  }
}

template <class Network>
void ProgramRun<Network>::arrives(Op send, double time, double lasted) {
  state_.messages[program_.partner[send]].copied = std::min(lasted, copying(send));
  push(time, Event::arrival, send);
}

template <class Network>
void ProgramRun<Network>::arrived(Op send) {
  const Op op = program_.partner[send];
  auto& message = state_.messages[op];
  message.has_arrived = true;
  if (log_ && (!message.has_begun || now_ - message.copied > message.time)) log_->cause[op] = send;
  message.time = std::max(message.time, now_ - message.copied);
  if (message.has_begun) end_receive(op);
}

template <class Network>
void ProgramRun<Network>::end_receive(Op op) {
  const double lasts = costs_.overhead + copying(op);
  const double start = take_stream(op, state_.messages[op].time, lasts);
  if (log_) log_->begin[op] = start;
  push(std::max(now_, start + lasts), Event::end, op);
}

}  // namespace banyan::traffic
