#include "flit/parts.hpp"

#include <exception>
#include <mutex>
#include <thread>

#include "flit/barrier.hpp"

namespace banyan::flit {

Parts::Parts(Machine& machine, const Exchange* exchange)
    : window_(machine.state.layout.window),
      first_(machine.state.layout.first_part),
      patience_(1 + (1u << 22) / (1 + machine.state.layout.lane_count())) {
  if (exchange) border_ = std::make_unique<Border>(machine, *exchange);
  const bool is_wormhole = machine.state.mode == Mode::wormhole;
  const auto make = machine.rails
                        ? (is_wormhole ? make_part<Mode::wormhole, RailNics> : make_part<Mode::vct, RailNics>)
                    : is_wormhole                     ? make_part<Mode::wormhole, PlainNics<Mode::wormhole>>
                    : machine.state.mode == Mode::vct ? make_part<Mode::vct, PlainNics<Mode::vct>>
                                                      : make_part<Mode::packets, PlainNics<Mode::packets>>;
  for (u32 i = 0; i < machine.state.layout.own_parts; ++i)
    parts_.push_back(make(machine, static_cast<u16>(first_ + i)));
}

// One call of advance by several threads. The first exception ends it for all, when they meet next.
class Parts::Run {
 public:
  Run(Parts& parts, u64 first, u64 last)
      : parts_(parts.parts_),
        window_(parts.window_),
        first_(first),
        last_(last),
        border_(parts.border_.get()),
        came_(parts.parts_.size()),
        barrier_(static_cast<u32>(parts.parts_.size())) {}

  void advance(u32 own) {
    Part& part = *parts_[own];
    for (u64 now = first_; now < last_ && !stops_;) {
      const u64 next = std::min(last_, now + window_);
      try {
        if (own == 0 && interrupted()) throw Interrupted();
        part.run(now, next);
      } catch (...) {
        fail(std::current_exception());
      }
      const u32 read = part.clock.swap_mail();
      barrier_.wait([this, read] { meet(read); });
      for (const auto& other : parts_) part.receive(other->clock.written_to(part.number, read));
      part.receive(came_[own]);
      now = next;
    }
  }
  void finish() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // Threads have met; so do processes.
  void meet(u32 read) {
    stops_ = failed_.load(std::memory_order_relaxed);
    if (!border_) return;
    std::string why;
    try {
      if (error_) std::rethrow_exception(error_);
    } catch (const std::exception& error) {
      why = error.what();
    }
    why = border_->meet(parts_, read, came_, why);
    stops_ = !why.empty();
    if (stops_ && !error_) error_ = std::make_exception_ptr(InputError(why));
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    failed_ = true;
  }

  const std::vector<std::unique_ptr<Part>>& parts_;
  const u64 window_, first_, last_;
  Border* const border_;
  std::vector<Mail> came_;  // by part of this process, from others
  Barrier barrier_;
  std::mutex mutex_;
  std::exception_ptr error_;
  std::atomic<bool> failed_{false};
  bool stops_ = false;  // what all knew when they last met
};

void Parts::advance_alone(u64 first, u64 last) {
  for (u64 now = first; now < last;) {
    if (interrupted()) throw Interrupted();
    const u64 next = std::min(last, now + patience_);
    parts_[0]->run(now, next);
    now = next;
  }
}

void Parts::advance(u64 first, u64 last) {
  if (parts_.size() == 1 && !border_) return advance_alone(first, last);
  Run run(*this, first, last);
  enum Start : u8 { wait, go, give_up };
  std::atomic<Start> start = wait;  // parts meet, so none goes before all of them have a thread
  {
    std::vector<std::jthread> threads;
    const auto follow = [&](u32 part) {
      start.wait(wait);
      if (start == go) run.advance(part);
    };
    try {
      for (u32 i = 1; i < parts_.size(); ++i) threads.emplace_back(follow, i);
      start = go;
    } catch (const std::exception&) {
      start = give_up;
    }
    start.notify_all();
    if (start == go) run.advance(0);
  }
  if (start == give_up)
    throw InputError("the system does not give " + std::to_string(parts_.size()) +
                     " threads; expected fewer");
  run.finish();
}

}  // namespace banyan::flit
