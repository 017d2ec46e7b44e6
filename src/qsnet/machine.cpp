// What programs may do, and the one loop.
#include "qsnet/machine.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"

namespace banyan::qsnet {
namespace {

void check(bool holds, std::string_view key, auto found, std::string_view expected) {
  if (!holds) throw InputError(fmt::format("elan3: {} is {}; expected {}", key, found, expected));
}

void check(const Parameters& p) {
  Parameters::list(p, [](std::string_view key, const auto& value, std::string_view unit, auto...) {
    if (unit == "MB/s") check(value >= 1 && value <= 1e6, key, value, "1 to 1,000,000 MB/s");
    check(value >= 0 && value <= 1e9, key, value, "0 to 1e9");
  });
  check(p.packet_blocks >= 1 && p.packet_blocks <= 100, "packet-blocks", p.packet_blocks, "1 to 100");
  check(p.block_bytes >= 1 && p.block_bytes <= 4096, "block-bytes", p.block_bytes, "1 to 4096");
  check(p.packet_overhead + p.block_overhead <= 4096, "packet-overhead", p.packet_overhead, "less");
  const u32 flits = (p.packet_overhead + p.block_overhead + p.block_bytes + 1) / 2;
  check(p.lane_flits >= flits, "lane-flits", p.lane_flits, fmt::format("{} at least, a block", flits));
  check(p.slice * 1024 >= p.block_bytes * p.packet_blocks, "slice", p.slice, "a packet at least");
}

}  // namespace

Machine::Machine(const Routes& routes, const Parameters& parameters, Faults faults)
    : routes_(routes),
      p_((check(parameters), parameters)),
      faults_(faults),
      luck_(faults.seed),
      network_(routes, network_times(parameters), agenda_),
      cards_(routes.topology().fabric.hosts()),
      max_packet_(u64{p_.block_bytes} * p_.packet_blocks),
      ahead_(p_.lane_flits / ((p_.packet_overhead + p_.block_overhead + p_.block_bytes + 1) / 2)) {
  t_ = {from_us(p_.command),
        from_us(p_.dma),
        from_us(p_.input),
        from_us(p_.event),
        from_us(p_.match),
        transfer(p_.block_bytes, p_.card_rate),
        from_us(p_.read_latency),
        {transfer(p_.block_bytes, p_.read_rate), transfer(p_.block_bytes, p_.write_rate)}};
  for (u32 h = 0; h < cards_.size(); ++h)  // host 0 is as stated; the golden ratio spreads the others evenly
    cards_[h].bus.block =
        transfer(p_.block_bytes, p_.bus_rate / (1 + p_.spread * std::fmod(h * std::numbers::phi, 1.0)));
}

u32 Machine::add_event(const CardEvent& event) {
  events_.push_back(event);
  return static_cast<u32>(events_.size()) - 1;
}

void Machine::put(const Transfer& transfer) { work(transfer.from, {Job::What::command, add_dma(transfer)}); }

void Machine::get(const Transfer& transfer) {
  work(transfer.to, {Job::What::command, add_request(transfer)});
}

u32 Machine::prepare(const Transfer& transfer) { return add_dma(transfer); }

void Machine::start(u32 dma) { enqueue(dma); }

void Machine::fetch(const Transfer& transfer) { enqueue(add_request(transfer)); }

void Machine::set(u32 event) {
  if (event == nothing || events_[event].count == 0 || --events_[event].count > 0) return;
  work(events_[event].card, {Job::What::fire, event});
}

void Machine::think(u32 card, u32 tag) {
  Card& c = cards_[card];
  c.thread_free = std::max(c.thread_free, now()) + t_.match;
  c.thinking.push(tag);
  agenda_.add(c.thread_free, Kind::thread_done, card);
}

void Machine::wake(Time after, u32 host, u32 tag) {
  agenda_.add(now() + after, Kind::host, wakes_.add({Notice::From::clock, host, tag}));
}

std::optional<Notice> Machine::next() {
  while (notices_.empty()) {
    if (agenda_.handled() % 65536 == 0 || agenda_.empty()) look_up();
    if (agenda_.empty()) return std::nullopt;
    handle(agenda_.pop());
  }
  return notices_.pop();
}

void Machine::look_up() {
  if (interrupted()) throw Interrupted{};
  if (progress_ == nullptr) return;
  progress_->advance(packets_delivered_ - shown_);
  shown_ = packets_delivered_;
}

void Machine::handle(const Event& event) {
  const u32 i = event.subject();
  switch (event.kind()) {
    case Kind::answered:
      return answered(i);
    case Kind::engine:
      return run_engine(i);
    case Kind::arrived:
      return arrived(i);
    case Kind::bus:
      return try_bus(i);
    case Kind::bus_done:
      return bus_moved(i);
    case Kind::card_done:
      return data_moved(i);
    case Kind::microcode_done:
      return finish(i);
    case Kind::thread_done:
      return notices_.push({Notice::From::thread, i, cards_[i].thinking.pop()});
    case Kind::host:
      notices_.push(wakes_[i]);
      return wakes_.give_back(i);
    default:
      if (const u32 packet = network_.handle(event); packet != nothing) block_left(packet);
  }
}

// --- microcode

void Machine::work(u32 card, Job job) {
  const Time lengths[] = {t_.command, t_.dma, t_.input, t_.event};
  Card& c = cards_[card];
  c.microcode_free = std::max(c.microcode_free, now()) + lengths[static_cast<std::size_t>(job.what)];
  job.done = c.microcode_free;
  if (c.jobs.empty()) agenda_.add(job.done, Kind::microcode_done, card);
  c.jobs.push(job);
}

void Machine::finish(u32 card) {
  auto& jobs = cards_[card].jobs;
  const Job job = jobs.pop();
  if (!jobs.empty()) agenda_.add(jobs.front().done, Kind::microcode_done, card);
  switch (job.what) {
    case Job::What::command:
      return enqueue(job.subject);
    case Job::What::begin:
      cards_[card].begun = true;
      return schedule_engine(card);
    case Job::What::input:
      return judge(job.subject);
    case Job::What::fire:
      return fire(job.subject);
  }
}

// The microcode is done with an event that has counted down.
void Machine::fire(u32 event) {
  const CardEvent& e = events_[event];
  switch (e.then) {
    case Reaction::rest:
      return;
    case Reaction::host:  // copies a block to main memory, where the host polls
      return ask_bus(e.card, writing, first_copy + event);
    case Reaction::thread:
      return think(e.card, e.subject);
    case Reaction::dma:
      return enqueue(e.subject);
  }
}

}  // namespace banyan::qsnet
