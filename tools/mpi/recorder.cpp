// libbanyan_recorder.so: records what the ranks of an MPI program compute, send and receive, as a program in
// GOAL (docs/programs.md). It stands between the program and MPI by the profiling interface (PMPI):
//
//   mpirun -n 16 -x LD_PRELOAD=libbanyan_recorder.so -x BANYAN_PROGRAM=run.goal ./a.out
//
// Messages between two ranks are recorded as they are. Collectives become messages by one algorithm each: a
// dissemination barrier, binomial trees (bcast, reduce), recursive doubling or, where ranks are no power of
// two, reduce and bcast (allreduce), rings (allgather, reduce_scatter_block), pairs (alltoall), a message
// each (gather, scatter). The time between two calls is what a rank computes. Calls that are not listed here
// are not recorded. Threads of a rank have streams of their own; one begins after what the first thread had
// done when the other made its first call.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace {

using Op = std::int64_t;

// What a request stands for. Entries that are taken out while MPI completes a request are put back if it did
// not: so MPI may give the handle to another request in the meantime.
struct Request {
  Op op;
  bool is_receive;
  MPI_Comm comm;
};

// One for a process. Its members are called with the mutex held, but for write_blocks(), which waits for the
// other ranks.
class Recorder {
 public:
  std::mutex mutex;

  void begin() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    is_on_ = true;
    here().since = PMPI_Wtime();
  }
  bool is_on() const { return is_on_; }

  // The time since the thread's last call was spent computing.
  void enter() {
    if (!is_on_) return;
    Thread& thread = here();
    if (thread.since < 0) return;  // its first call
    const double nanoseconds = 1e9 * (PMPI_Wtime() - thread.since);
    if (nanoseconds >= 1) then(add("calc " + std::to_string(static_cast<std::int64_t>(nanoseconds)), 0));
  }
  void leave() { here().since = PMPI_Wtime(); }

  // Operations: of a rank of the world. They wait for what the thread did so far.
  Op send(int to, std::int64_t bytes, int tag) { return add(message("send", bytes, "to", to, tag), 1); }
  Op receive(int from, std::int64_t bytes, int tag) {
    return add(message("recv", bytes, "from", from, tag), 2);
  }
  // What comes next waits for this.
  void then(Op op) { here().last.assign(1, op); }
  void then(const std::vector<Op>& ops) {
    if (!ops.empty()) here().last = ops;
  }
  // What comes next waits for these too.
  void also(Op op) { here().last.push_back(op); }

  // Of operations that go on in the background. MPI may give several sends that ended at once one handle.
  // Otherwise what has the handle already was completed by a call that is not known here.
  void post(MPI_Request handle, const Request& request) {
    std::deque<Request>& all = requests_[handle];
    const auto is_stale = [&](const Request& old) { return old.is_receive || request.is_receive; };
    for (const Request& old : all)
      if (is_stale(old)) drop(old);
    all.erase(std::remove_if(all.begin(), all.end(), is_stale), all.end());
    all.push_back(request);
  }
  std::optional<Request> take(MPI_Request handle) {
    const auto found = requests_.find(handle);
    if (found == requests_.end()) return std::nullopt;
    const Request out = found->second.front();
    found->second.pop_front();
    if (found->second.empty()) requests_.erase(found);
    return out;
  }
  void put_back(MPI_Request handle, const Request& request) { requests_[handle].push_front(request); }

  // A receive whose sender and tag are known when it is complete: its line is written where it was posted.
  Op post_receive() { return add("?", 2); }
  void complete_receive(Op op, int from, std::int64_t bytes, int tag) {
    write(op, message("recv", bytes, "from", from, tag));
  }
  // Nobody learns what became of it.
  void drop(const Request& request) {
    if (request.is_receive) write(request.op, "calc 0");
  }

  int world_rank(MPI_Comm comm, int rank) const {
    if (comm == MPI_COMM_WORLD) return rank;
    MPI_Group mine, all;
    PMPI_Comm_group(comm, &mine);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    int out = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(mine, 1, &rank, all, &out);
    PMPI_Group_free(&mine);
    PMPI_Group_free(&all);
    return out;
  }

  // Nothing is recorded from now on; what was, as a block of GOAL.
  std::string finish() {
    is_on_ = false;
    for (const auto& [handle, some] : requests_)
      for (const Request& request : some) drop(request);
    std::string block = "rank " + std::to_string(rank_) + " {\n";
    for (const std::string& line : lines_) block += line + "\n";
    return block + "}\n";
  }
  // Rank 0 writes the blocks of all ranks, one after another.
  void write_blocks(const std::string& block) const {
    if (rank_ != 0) return hand_over(block);
    const char* path = std::getenv("BANYAN_PROGRAM");
    std::FILE* out = std::fopen(path ? path : "program.goal", "w");
    if (!out) return give_up();
    std::fprintf(out, "num_ranks %d\n%s", ranks_, block.c_str());
    for (int other = 1; other < ranks_; ++other) std::fputs(taken_over(other).c_str(), out);
    const bool is_broken = std::ferror(out) != 0;
    if (std::fclose(out) != 0 || is_broken) give_up();
  }

 private:
  static constexpr std::int64_t piece = 1 << 26;
  static constexpr int block_tag = 32767;

  struct Thread {
    int number;
    std::vector<Op> last{};  // what its next operation waits for
    double since = -1;       // the end of its last call
  };
  Thread& here() {
    thread_local Thread* own = nullptr;
    if (!own) {
      const int number = static_cast<int>(threads_.size());
      threads_.push_back(std::make_unique<Thread>(Thread{number}));
      own = threads_.back().get();
      if (number > 0) own->last = threads_[0]->last;
    }
    return *own;
  }

  static void give_up() {
    std::perror("banyan recorder");
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  static void hand_over(const std::string& block) {
    const std::int64_t size = static_cast<std::int64_t>(block.size());
    PMPI_Send(&size, 1, MPI_INT64_T, 0, block_tag, MPI_COMM_WORLD);
    for (std::int64_t at = 0; at < size; at += piece)
      PMPI_Send(block.data() + at, static_cast<int>(std::min(piece, size - at)), MPI_CHAR, 0, block_tag,
                MPI_COMM_WORLD);
  }
  static std::string taken_over(int other) {
    std::int64_t size = 0;
    PMPI_Recv(&size, 1, MPI_INT64_T, other, block_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string text(static_cast<std::size_t>(size), ' ');
    for (std::int64_t at = 0; at < size; at += piece)
      PMPI_Recv(text.data() + at, static_cast<int>(std::min(piece, size - at)), MPI_CHAR, other, block_tag,
                MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return text;
  }

  static std::string label(Op op) { return "l" + std::to_string(op + 1); }
  static std::string message(const char* what, std::int64_t bytes, const char* way, int other, int tag) {
    return std::string(what) + " " + std::to_string(bytes) + "b " + way + " " + std::to_string(other) +
           " tag " + std::to_string(tag);
  }
  // Each thread has three streams: computing, sending, receiving.
  Op add(const std::string& what, int stream) {
    const Thread& thread = here();
    const Op op = static_cast<Op>(place_.size());
    place_.push_back({lines_.size(), 3 * thread.number + stream});
    lines_.emplace_back();
    write(op, what);
    for (const Op earlier : thread.last) lines_.push_back(label(op) + " requires " + label(earlier));
    return op;
  }
  void write(Op op, const std::string& what) {
    const Place& place = place_[static_cast<std::size_t>(op)];
    lines_[place.line] = label(op) + ": " + what + " cpu " + std::to_string(place.stream);
  }

  struct Place {
    std::size_t line;
    int stream;
  };
  int rank_ = 0, ranks_ = 1;
  bool is_on_ = false;
  std::vector<std::string> lines_;
  std::vector<Place> place_;  // by operation
  std::vector<std::unique_ptr<Thread>> threads_;
  std::map<MPI_Request, std::deque<Request>> requests_;
};

Recorder recorder;

std::int64_t bytes_of(int count, MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return std::int64_t{count} * size;
}

std::int64_t bytes_of(const MPI_Status& status) {
  MPI_Count bytes = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
  return bytes;
}

// A collective of the ranks of a communicator, in messages of its own tags.
class Collective {
 public:
  explicit Collective(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
  }
  void send(int to, std::int64_t bytes) { ops_.push_back(recorder.send(world(to), bytes, tag)); }
  void receive(int from, std::int64_t bytes) { ops_.push_back(recorder.receive(world(from), bytes, tag)); }
  void round() {
    recorder.then(ops_);
    ops_.clear();
  }

  void disseminate() {
    for (int step = 1; step < ranks; step *= 2) {
      send((rank + step) % ranks, 1);
      receive((rank - step + ranks) % ranks, 1);
      round();
    }
  }
  // From the root to all, or back.
  void tree(int root, std::int64_t bytes, bool to_root) {
    const int own = (rank - root + ranks) % ranks;
    const auto other = [&](int number) { return (number + root) % ranks; };
    int top = 1;
    while (top < ranks) top *= 2;
    const int lowest = own == 0 ? top : own & -own;  // the bit by which it hangs on its parent
    if (!to_root && own != 0) receive(other(own - lowest), bytes), round();
    for (int bit = to_root ? 1 : lowest / 2; to_root ? bit < lowest : bit > 0;
         bit = to_root ? bit * 2 : bit / 2) {
      if (own + bit >= ranks) continue;
      to_root ? receive(other(own + bit), bytes) : send(other(own + bit), bytes);
      round();
    }
    if (to_root && own != 0) send(other(own - lowest), bytes), round();
  }
  void all_reduce(std::int64_t bytes) {
    if ((ranks & (ranks - 1)) != 0) {
      tree(0, bytes, true);
      return tree(0, bytes, false);
    }
    for (int bit = 1; bit < ranks; bit *= 2) {
      send(rank ^ bit, bytes);
      receive(rank ^ bit, bytes);
      round();
    }
  }
  void ring(std::int64_t bytes) {
    for (int step = 1; step < ranks; ++step) {
      send((rank + 1) % ranks, bytes);
      receive((rank - 1 + ranks) % ranks, bytes);
      round();
    }
  }
  void pairs(std::int64_t bytes) {
    for (int step = 1; step < ranks; ++step) {
      send((rank + step) % ranks, bytes);
      receive((rank - step + ranks) % ranks, bytes);
      round();
    }
  }
  void star(int root, std::int64_t bytes, bool to_root) {
    for (int other = 0; other < ranks; ++other) {
      if (other == root || (rank != root && rank != other)) continue;
      const bool sends = to_root ? rank != root : rank == root;
      sends ? send(rank == root ? other : root, bytes) : receive(rank == root ? other : root, bytes);
    }
    round();
  }

  int rank = 0, ranks = 1;

 private:
  static constexpr int tag = 1 << 30;  // no message of the program has it
  int world(int number) const { return recorder.world_rank(comm_, number); }

  MPI_Comm comm_;
  std::vector<Op> ops_;
};

template <class F>
void locked(F what) {
  const std::lock_guard<std::mutex> lock(recorder.mutex);
  what();
}

template <class F>
void record(MPI_Comm comm, F what) {
  locked([&] {
    if (!recorder.is_on()) return;
    Collective collective(comm);
    what(collective);
  });
}

// Around a call of MPI.
struct Call {
  Call() {
    locked([] { recorder.enter(); });
  }
  ~Call() {
    locked([] { recorder.leave(); });
  }
};

// A call that sends and waits until the buffer is free, or that begins to send.
template <class F>
int send_now(F call, const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call around;
  if (to != MPI_PROC_NULL)
    locked([&] { recorder.then(recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag)); });
  return call(data, count, type, to, tag, comm);
}
template <class F>
int send_later(F call, const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request* request) {
  const Call around;
  const int out = call(data, count, type, to, tag, comm, request);
  if (to != MPI_PROC_NULL)
    locked([&] {
      const Op op = recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag);
      recorder.post(*request, {op, false, comm});
    });
  return out;
}

// Requests that a call of MPI completes, or some of them.
class Completing {
 public:
  Completing(int count, const MPI_Request* requests) : handles_(requests, requests + count) {
    locked([&] {
      for (const MPI_Request handle : handles_) taken_.push_back(recorder.take(handle));
    });
  }
  Completing(const Completing&) = delete;
  Completing& operator=(const Completing&) = delete;
  ~Completing() {
    locked([&] {
      for (std::size_t i = handles_.size(); i-- > 0;)
        if (taken_[i]) recorder.put_back(handles_[i], *taken_[i]);
    });
  }

  // What comes next waits for this one.
  void complete(int number, const MPI_Status& status) {
    std::optional<Request>& request = taken_[static_cast<std::size_t>(number)];
    if (!request) return;
    locked([&] { settle(*request, status); });
    request.reset();
  }

 private:
  static void settle(const Request& request, const MPI_Status& status) {
    int is_cancelled = 0;
    if (request.is_receive) PMPI_Test_cancelled(&status, &is_cancelled);
    if (is_cancelled) return recorder.drop(request);
    if (request.is_receive)
      recorder.complete_receive(request.op, recorder.world_rank(request.comm, status.MPI_SOURCE),
                                bytes_of(status), status.MPI_TAG);
    recorder.also(request.op);
  }

  std::vector<MPI_Request> handles_;
  std::vector<std::optional<Request>> taken_;
};

// Waits for one, or looks.
template <class F>
int settle_one(F call, MPI_Request* request, MPI_Status* status) {
  const Call around;
  Completing completing(1, request);
  MPI_Status own;
  int is_done = 1;
  const int out = call(request, &is_done, &own);
  if (is_done) completing.complete(0, own);
  if (is_done && status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
// All of them, or none.
template <class F>
int settle_all(F call, int count, MPI_Request* requests, MPI_Status* statuses) {
  const Call around;
  Completing completing(count, requests);
  std::vector<MPI_Status> own(static_cast<std::size_t>(count));
  int are_done = 1;
  const int out = call(count, requests, &are_done, own.data());
  for (int i = 0; are_done && i < count; ++i) {
    completing.complete(i, own[static_cast<std::size_t>(i)]);
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own[static_cast<std::size_t>(i)];
  }
  return out;
}
// Any of them.
template <class F>
int settle_any(F call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  const Call around;
  Completing completing(count, requests);
  MPI_Status own;
  int is_done = 1;
  const int out = call(count, requests, index, &is_done, &own);
  if (is_done && *index != MPI_UNDEFINED) completing.complete(*index, own);
  if (is_done && status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
// Some of them.
template <class F>
int settle_some(F call, int count, MPI_Request* requests, int* done, int* indices, MPI_Status* statuses) {
  const Call around;
  Completing completing(count, requests);
  std::vector<MPI_Status> own(static_cast<std::size_t>(count));
  const int out = call(count, requests, done, indices, own.data());
  for (int i = 0; *done != MPI_UNDEFINED && i < *done; ++i) {
    completing.complete(indices[i], own[static_cast<std::size_t>(i)]);
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int out = PMPI_Init(argc, argv);
  locked([] { recorder.begin(); });
  return out;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int out = PMPI_Init_thread(argc, argv, required, provided);
  locked([] { recorder.begin(); });
  return out;
}
int MPI_Finalize() {
  std::string block;
  locked([&] {
    recorder.enter();
    block = recorder.finish();
  });
  recorder.write_blocks(block);
  return PMPI_Finalize();
}

// Calls with one meaning here: how a send is buffered is decided by --eager.
#define BANYAN_SEND(name, how)                                                                     \
  int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    return send_now(PMPI_##name, data, count, type, to, tag, comm);                                \
  }                                                                                                \
  int MPI_##how(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,    \
                MPI_Request* request) {                                                            \
    return send_later(PMPI_##how, data, count, type, to, tag, comm, request);                      \
  }
BANYAN_SEND(Send, Isend)
BANYAN_SEND(Ssend, Issend)
BANYAN_SEND(Rsend, Irsend)
BANYAN_SEND(Bsend, Ibsend)
#undef BANYAN_SEND

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const int out = PMPI_Recv(data, count, type, from, tag, comm, &own);
  if (from != MPI_PROC_NULL)
    locked([&] {
      recorder.then(recorder.receive(recorder.world_rank(comm, own.MPI_SOURCE), bytes_of(own), own.MPI_TAG));
    });
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Call call;
  const int out = PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (from != MPI_PROC_NULL) locked([&] { recorder.post(*request, {recorder.post_receive(), true, comm}); });
  return out;
}
int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into, int most,
                 MPI_Datatype kind, int from, int wanted, MPI_Comm comm, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const int out = PMPI_Sendrecv(data, count, type, to, tag, into, most, kind, from, wanted, comm, &own);
  locked([&] {
    std::vector<Op> ops;
    if (to != MPI_PROC_NULL)
      ops.push_back(recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag));
    if (from != MPI_PROC_NULL)
      ops.push_back(recorder.receive(recorder.world_rank(comm, own.MPI_SOURCE), bytes_of(own), own.MPI_TAG));
    recorder.then(ops);
  });
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const auto call = [](MPI_Request* r, int*, MPI_Status* s) { return PMPI_Wait(r, s); };
  return settle_one(call, request, status);
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const auto call = [&](MPI_Request* r, int* is_done, MPI_Status* s) {
    const int out = PMPI_Test(r, is_done, s);
    *flag = *is_done;
    return out;
  };
  return settle_one(call, request, status);
}
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  const auto call = [](int n, MPI_Request* r, int*, MPI_Status* s) { return PMPI_Waitall(n, r, s); };
  return settle_all(call, count, requests, statuses);
}
int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  const auto call = [&](int n, MPI_Request* r, int* are_done, MPI_Status* s) {
    const int out = PMPI_Testall(n, r, are_done, s);
    *flag = *are_done;
    return out;
  };
  return settle_all(call, count, requests, statuses);
}
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const auto call = [](int n, MPI_Request* r, int* i, int*, MPI_Status* s) {
    return PMPI_Waitany(n, r, i, s);
  };
  return settle_any(call, count, requests, index, status);
}
int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  const auto call = [&](int n, MPI_Request* r, int* i, int* is_done, MPI_Status* s) {
    const int out = PMPI_Testany(n, r, i, is_done, s);
    *flag = *is_done;
    return out;
  };
  return settle_any(call, count, requests, index, status);
}
int MPI_Waitsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  return settle_some(PMPI_Waitsome, count, requests, done, indices, statuses);
}
int MPI_Testsome(int count, MPI_Request requests[], int* done, int indices[], MPI_Status statuses[]) {
  return settle_some(PMPI_Testsome, count, requests, done, indices, statuses);
}
int MPI_Request_free(MPI_Request* request) {
  const Call call;
  locked([&] {
    if (const std::optional<Request> freed = recorder.take(*request)) recorder.drop(*freed);
  });
  return PMPI_Request_free(request);
}

int MPI_Barrier(MPI_Comm comm) {
  const Call call;
  record(comm, [](Collective& c) { c.disseminate(); });
  return PMPI_Barrier(comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.tree(root, bytes_of(count, type), false); });
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Reduce(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op, int root,
               MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.tree(root, bytes_of(count, type), true); });
  return PMPI_Reduce(data, into, count, type, op, root, comm);
}
int MPI_Allreduce(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.all_reduce(bytes_of(count, type)); });
  return PMPI_Allreduce(data, into, count, type, op, comm);
}
int MPI_Allgather(const void* data, int count, MPI_Datatype type, void* into, int most, MPI_Datatype kind,
                  MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.ring(bytes_of(most, kind)); });
  return PMPI_Allgather(data, count, type, into, most, kind, comm);
}
int MPI_Reduce_scatter_block(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op,
                             MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.ring(bytes_of(count, type)); });
  return PMPI_Reduce_scatter_block(data, into, count, type, op, comm);
}
int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* into, int most, MPI_Datatype kind,
                 MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) { c.pairs(bytes_of(most, kind)); });
  return PMPI_Alltoall(data, count, type, into, most, kind, comm);
}
int MPI_Gather(const void* data, int count, MPI_Datatype type, void* into, int most, MPI_Datatype kind,
               int root, MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) {
    c.star(root, c.rank == root ? bytes_of(most, kind) : bytes_of(count, type), true);
  });
  return PMPI_Gather(data, count, type, into, most, kind, root, comm);
}
int MPI_Scatter(const void* data, int count, MPI_Datatype type, void* into, int most, MPI_Datatype kind,
                int root, MPI_Comm comm) {
  const Call call;
  record(comm, [&](Collective& c) {
    c.star(root, c.rank == root ? bytes_of(count, type) : bytes_of(most, kind), false);
  });
  return PMPI_Scatter(data, count, type, into, most, kind, root, comm);
}

}  // extern "C"
