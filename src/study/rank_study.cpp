#include "study/rank_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <thread>

#include "base/error.hpp"
#include "study/connection.hpp"
#include "study/rank_words.hpp"

namespace banyan::study {
namespace {

struct Hand {
  Connection line;
  u32 rank = 0;
  bool is_let_in = false, is_lost = false;
};

}  // namespace

struct OtherRanks::Impl {
  explicit Impl(const Ranks& of) : ranks(of) {
    ranks.from_first(board.address());
    answering = std::jthread([this] { answer(); });
  }

  void answer() {
    while (Connection line = board.answer()) {
      const std::scoped_lock lock(mutex);
      hands.push_back({std::move(line)});
      talking.emplace_back([this, &hand = hands.back()] { talk(hand); });
    }
  }

  void talk(Hand& hand) {
    if (!board.lets_in(hand.line)) return hand.line.cut();
    const auto hello = hand.line.receive();
    if (!hello) return;
    std::unique_lock lock(mutex);
    Unpacker in(*hello);
    hand.rank = static_cast<u32>(in.number());
    const bool wants_study = in.number() != 0;
    hand.is_let_in = true;
    changed.notify_all();
    changed.wait(lock, [&] { return current != nullptr || is_over; });
    if (!current) return;
    const RankWork& work = *current;
    ++busy;
    lock.unlock();
    work.queue.joined();
    const Study& study = work.study;
    if (wants_study && !hand.line.send((Packer() << word::study << study.file << study.text).take()))
      hand.is_lost = true;
    else
      hand_out(hand, work);
    work.queue.left();
    lock.lock();
    --busy;
    changed.notify_all();
  }

  void hand_out(Hand& hand, const RankWork& work) {
    while (const auto point = work.queue.take(true)) {
      const RankWork::Task task = work.task(*point);
      std::optional<std::string> answer;
      if (hand.line.send((Packer() << word::point << task.point << task.inputs).take()))
        answer = hand.line.receive();
      if (!answer) {
        hand.is_lost = true;
        return work.queue.died_of(*point);
      }
      try {
        note(*point, *answer, work);
      } catch (const InputError& error) {
        const std::scoped_lock lock(mutex);
        if (failure.empty()) failure = fmt::format("rank {}: {}", hand.rank, error.what());
        work.queue.stop();
      }
      work.queue.finished(*point);
    }
  }

  static void note(std::size_t point, const std::string& answer, const RankWork& work) {
    Unpacker in(answer);
    if (in.number() == word::failed) throw InputError(in.text());
    const double seconds = in.real();
    work.finish(point, unpack_rows(in), seconds);
  }

  // Whether every rank is still there. Those that have just started are waited for.
  bool all_are_there() {
    std::unique_lock lock(mutex);
    const auto first_lines = [&] {
      std::vector<bool> seen(ranks.size());
      for (const Hand& hand : hands)
        if (hand.is_let_in && hand.rank < seen.size()) seen[hand.rank] = true;
      return static_cast<u32>(std::count(seen.begin(), seen.end(), true));
    };
    bool out =
        changed.wait_for(lock, std::chrono::seconds(20), [&] { return first_lines() == ranks.size() - 1; });
    for (Hand& hand : hands) {
      if (!hand.is_let_in) continue;
      if (!hand.is_lost) hand.is_lost = !hand.line.send((Packer() << word::are_you_there).take());
      if (!hand.is_lost) hand.is_lost = !hand.line.receive();
      out &= !hand.is_lost;
    }
    return out;
  }

  void say_over() {
    {
      const std::scoped_lock lock(mutex);
      is_over = true;
      changed.notify_all();
    }
    const bool all = all_are_there();
    for (Hand& hand : hands)
      if (hand.is_let_in && !hand.is_lost)
        hand.line.send((Packer() << (all ? word::over : word::leave)).take());
    hang_up();
    if (all) ranks.finish();
  }

  void hang_up() {
    board.close();
    answering.join();
    for (const Hand& hand : hands) hand.line.cut();
    talking.clear();
  }

  const Ranks& ranks;
  Listener board;
  std::mutex mutex;
  std::condition_variable changed;
  std::list<Hand> hands;
  const RankWork* current = nullptr;
  u32 busy = 0;
  bool is_over = false, is_left_behind = false;
  std::string failure;
  std::list<std::jthread> talking;
  std::jthread answering;
};

OtherRanks::OtherRanks(const Ranks& ranks) : impl_(std::make_unique<Impl>(ranks)) {}

OtherRanks::~OtherRanks() {
  if (!impl_->is_left_behind) impl_->say_over();
}

void OtherRanks::leave_behind() {
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->is_over = impl_->is_left_behind = true;
    for (const Hand& hand : impl_->hands) hand.line.cut();
    impl_->changed.notify_all();
  }
  impl_->hang_up();
}

void OtherRanks::work(const RankWork& work, const std::function<void()>& own_part) {
  const auto set = [&](const RankWork* now) {
    const std::scoped_lock lock(impl_->mutex);
    impl_->current = now;
    impl_->changed.notify_all();
  };
  const auto wait = [&] {
    std::unique_lock lock(impl_->mutex);
    impl_->changed.wait(lock, [&] { return impl_->busy == 0; });
    impl_->current = nullptr;
  };
  set(&work);
  try {
    own_part();
  } catch (...) {
    work.queue.stop();
    leave_behind();
    wait();
    throw;
  }
  wait();
  if (!impl_->failure.empty()) throw InputError(impl_->failure);
}

}  // namespace banyan::study
