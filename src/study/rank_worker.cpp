// The other end of study/rank_study.hpp: measures the points it is given.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <thread>

#include "base/error.hpp"
#include "base/seconds.hpp"
#include "study/materials.hpp"
#include "study/rank_study.hpp"
#include "study/rank_words.hpp"

namespace banyan::study {
namespace {

// It holds nothing that could be lost; and mpirun with --enable-recovery lets the others go on when a rank
// leaves so.
[[noreturn]] void leave(int status) { std::_Exit(status); }

// A second after SIGINT or SIGTERM: when mpirun ends a job it loses patience with the rest as soon as one
// rank is gone, and the first rank has something to say.
void leave_at_signals() {
  struct sigaction soon = {}, now = {};
  soon.sa_handler = [](int) { alarm(1); };
  now.sa_handler = [](int) { _exit(1); };
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &soon, nullptr);
  sigaction(SIGALRM, &now, nullptr);
}

class Worker {
 public:
  Worker(std::string text, const std::string& file)
      : study_(read_study(std::move(text), file)), points_(points_of(study_)) {
    std::vector<const Point*> all;
    for (const Point& point : points_) all.push_back(&point), by_name_[point.name] = &point;
    materials_ = std::make_unique<Materials>(study_, all);
  }

  std::string measure(const std::string& name, const std::string& inputs) {
    try {
      const auto point = by_name_.find(name);
      if (point == by_name_.end()) throw InputError(name + ": this rank knows no such point");
      if (inputs_hash(study_, *point->second) != inputs)
        throw InputError(name + ": this rank sees other files, or is another version of the program");
      const auto [found, seconds] = timed([&] { return materials_->measure(*point->second, 1); });
      Packer out;
      out << word::found << seconds;
      pack_rows(out, found);
      return out.take();
    } catch (const InputError& error) {
      return (Packer() << word::failed << error.what()).take();
    } catch (...) {
      leave(1);  // as without memory: another rank may have more
    }
  }

 private:
  const Study study_;
  const std::vector<Point> points_;
  std::map<std::string, const Point*> by_name_;
  std::unique_ptr<Materials> materials_;
};

Connection called(const std::string& address, u32 rank, bool wants_study) {
  Connection line = call(address);
  if (!line || !line.send((Packer() << u64{rank} << u64{wants_study}).take())) leave(1);
  return line;
}

// Until it is over; whether all ranks are there. Nothing: the line broke.
std::optional<bool> serve(const Connection& line, Worker* worker, std::optional<std::string> message) {
  for (; message; message = line.receive()) {
    Unpacker in(*message);
    const u64 kind = in.number();
    if (kind == word::over || kind == word::leave) return kind == word::over;
    if (kind == word::are_you_there) {
      line.send(*message);
    } else {
      const std::string name = in.text();
      if (!line.send(worker->measure(name, in.text()))) break;
    }
  }
  return std::nullopt;
}

}  // namespace

void work_for_first_rank(const Ranks& ranks, unsigned threads) {
  leave_at_signals();
  const std::string address = ranks.from_first("");
  const Connection line = called(address, ranks.rank(), true);
  std::optional<std::string> first = line.receive();
  if (!first) leave(1);
  Unpacker in(*first);
  std::unique_ptr<Worker> worker;
  std::vector<std::jthread> others;
  if (in.number() == word::study) {
    const std::string file = in.text();
    worker = std::make_unique<Worker>(in.text(), file);
    for (unsigned i = 1; i < threads; ++i)
      others.emplace_back([&] {
        const Connection own = called(address, ranks.rank(), false);
        serve(own, worker.get(), own.receive());
      });
    first = line.receive();
  }
  const std::optional<bool> all_are_there = serve(line, worker.get(), std::move(first));
  if (!all_are_there) leave(1);  // the first rank is gone
  others.clear();
  if (!*all_are_there) leave(0);
  ranks.finish();
}

}  // namespace banyan::study
