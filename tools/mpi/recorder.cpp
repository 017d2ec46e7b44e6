// libbanyan_recorder.so: records what the ranks of an MPI program compute, send and receive, as a program in
// GOAL (docs/programs.md). It stands between the program and MPI by the profiling interface (PMPI):
//
//   mpirun -n 16 -x LD_PRELOAD=libbanyan_recorder.so -x BANYAN_PROGRAM=run.goal ./a.out
//
// Messages between two ranks are recorded as they are. Collectives become messages by one algorithm each: a
// dissemination barrier, binomial trees (bcast, reduce), recursive doubling or, where ranks are no power of
// two, reduce and bcast (allreduce), rings (allgather, reduce_scatter_block), pairs (alltoall), a message
// each (gather, scatter). The time between two calls is what a rank computes. Calls that are not listed here
// are not recorded.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

class Recorder {
 public:
  void begin() {
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks_);
    since_ = PMPI_Wtime();
    is_on_ = true;
  }
  bool is_on() const { return is_on_; }

  // The time since the last call was spent computing.
  void enter() {
    if (!is_on_) return;
    const double nanoseconds = 1e9 * (PMPI_Wtime() - since_);
    if (nanoseconds >= 1) then(add("calc " + std::to_string(static_cast<std::int64_t>(nanoseconds))));
  }
  void leave() { since_ = PMPI_Wtime(); }

  // Operations: of a rank of the world. They wait for what the rank did so far.
  std::int64_t send(int to, std::int64_t bytes, int tag) {
    return add(message("send", bytes, "to", to, tag), 1);
  }
  std::int64_t receive(int from, std::int64_t bytes, int tag) {
    return add(message("recv", bytes, "from", from, tag), 2);
  }
  // What comes next waits for this.
  void then(std::int64_t op) { last_.assign(1, op); }
  void then(const std::vector<std::int64_t>& ops) {
    if (!ops.empty()) last_ = ops;
  }
  // What comes next waits for these too.
  void also(std::int64_t op) { last_.push_back(op); }

  // Of operations that go on in the background, by request.
  std::map<MPI_Request, std::int64_t> sends;
  struct Posted {
    MPI_Comm comm;
    std::int64_t op;
  };
  std::map<MPI_Request, Posted> receives;

  // A receive whose sender and tag are known when it is complete: its line is written where it was posted.
  std::int64_t post_receive() { return add("?", 2); }
  void complete_receive(std::int64_t op, int from, std::int64_t bytes, int tag) {
    lines_[place_[static_cast<std::size_t>(op)]] =
        label(op) + ": " + message("recv", bytes, "from", from, tag) + " cpu 2";
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

  // Rank 0 writes the blocks of all ranks, one after another.
  void finish() {
    is_on_ = false;
    for (const auto& [request, posted] : receives)  // nobody waited for them
      lines_[place_[static_cast<std::size_t>(posted.op)]] = label(posted.op) + ": calc 0 cpu 2";
    std::string block = "rank " + std::to_string(rank_) + " {\n";
    for (const std::string& line : lines_) block += line + "\n";
    block += "}\n";
    constexpr int tag = 32767;
    if (rank_ != 0) {
      const std::int64_t size = static_cast<std::int64_t>(block.size());
      PMPI_Send(&size, 1, MPI_INT64_T, 0, tag, MPI_COMM_WORLD);
      for (std::int64_t at = 0; at < size; at += piece)
        PMPI_Send(block.data() + at, static_cast<int>(std::min(piece, size - at)), MPI_CHAR, 0, tag,
                  MPI_COMM_WORLD);
      return;
    }
    const char* path = std::getenv("BANYAN_PROGRAM");
    std::FILE* out = std::fopen(path ? path : "program.goal", "w");
    if (!out) {
      std::perror("banyan recorder");
      PMPI_Abort(MPI_COMM_WORLD, 1);
      return;
    }
    std::fprintf(out, "num_ranks %d\n%s", ranks_, block.c_str());
    for (int other = 1; other < ranks_; ++other) {
      std::int64_t size = 0;
      PMPI_Recv(&size, 1, MPI_INT64_T, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      std::string text(static_cast<std::size_t>(size), ' ');
      for (std::int64_t at = 0; at < size; at += piece)
        PMPI_Recv(text.data() + at, static_cast<int>(std::min(piece, size - at)), MPI_CHAR, other, tag,
                  MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      std::fputs(text.c_str(), out);
    }
    std::fclose(out);
  }

 private:
  static constexpr std::int64_t piece = 1 << 26;

  static std::string label(std::int64_t op) { return "l" + std::to_string(op + 1); }
  static std::string message(const char* what, std::int64_t bytes, const char* way, int other, int tag) {
    return std::string(what) + " " + std::to_string(bytes) + "b " + way + " " + std::to_string(other) +
           " tag " + std::to_string(tag);
  }
  std::int64_t add(const std::string& what, int stream = 0) {
    const std::int64_t op = static_cast<std::int64_t>(place_.size());
    place_.push_back(lines_.size());
    lines_.push_back(label(op) + ": " + what + " cpu " + std::to_string(stream));
    for (const std::int64_t earlier : last_) lines_.push_back(label(op) + " requires " + label(earlier));
    return op;
  }

  int rank_ = 0, ranks_ = 1;
  bool is_on_ = false;
  double since_ = 0;
  std::vector<std::string> lines_;
  std::vector<std::size_t> place_;  // by operation: its line
  std::vector<std::int64_t> last_;
};

Recorder recorder;

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return std::int64_t{count} * size;
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
  std::vector<std::int64_t> ops_;
};

template <class F>
void record(MPI_Comm comm, F what) {
  if (!recorder.is_on()) return;
  Collective collective(comm);
  what(collective);
}

// Around a call of MPI.
struct Call {
  Call() { recorder.enter(); }
  ~Call() { recorder.leave(); }
};

// A request is complete: what comes next waits for it.
void complete(MPI_Request request, const MPI_Status& status) {
  if (const auto sent = recorder.sends.find(request); sent != recorder.sends.end()) {
    recorder.also(sent->second);
    recorder.sends.erase(sent);
  } else if (const auto posted = recorder.receives.find(request); posted != recorder.receives.end()) {
    int count = 0;
    PMPI_Get_count(&status, MPI_BYTE, &count);
    recorder.complete_receive(posted->second.op, recorder.world_rank(posted->second.comm, status.MPI_SOURCE),
                              count, status.MPI_TAG);
    recorder.also(posted->second.op);
    recorder.receives.erase(posted);
  }
}

}  // namespace

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  const int out = PMPI_Init(argc, argv);
  recorder.begin();
  return out;
}
int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int out = PMPI_Init_thread(argc, argv, required, provided);
  recorder.begin();
  return out;
}
int MPI_Finalize() {
  recorder.enter();
  recorder.finish();
  return PMPI_Finalize();
}

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  const Call call;
  if (to != MPI_PROC_NULL)
    recorder.then(recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag));
  return PMPI_Send(data, count, type, to, tag, comm);
}
int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Call call;
  const int out = PMPI_Isend(data, count, type, to, tag, comm, request);
  if (to != MPI_PROC_NULL)
    recorder.sends[*request] = recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag);
  return out;
}
int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const int out = PMPI_Recv(data, count, type, from, tag, comm, &own);
  if (from != MPI_PROC_NULL) {
    int bytes = 0;
    PMPI_Get_count(&own, MPI_BYTE, &bytes);
    recorder.then(recorder.receive(recorder.world_rank(comm, own.MPI_SOURCE), bytes, own.MPI_TAG));
  }
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const Call call;
  const int out = PMPI_Irecv(data, count, type, from, tag, comm, request);
  if (from != MPI_PROC_NULL) recorder.receives[*request] = {comm, recorder.post_receive()};
  return out;
}
int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into, int most,
                 MPI_Datatype kind, int from, int wanted, MPI_Comm comm, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const int out = PMPI_Sendrecv(data, count, type, to, tag, into, most, kind, from, wanted, comm, &own);
  std::vector<std::int64_t> ops;
  if (to != MPI_PROC_NULL)
    ops.push_back(recorder.send(recorder.world_rank(comm, to), bytes_of(count, type), tag));
  if (from != MPI_PROC_NULL) {
    int bytes = 0;
    PMPI_Get_count(&own, MPI_BYTE, &bytes);
    ops.push_back(recorder.receive(recorder.world_rank(comm, own.MPI_SOURCE), bytes, own.MPI_TAG));
  }
  recorder.then(ops);
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const MPI_Request which = *request;
  const int out = PMPI_Wait(request, &own);
  complete(which, own);
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
int MPI_Waitall(int count, MPI_Request requests[], MPI_Status* statuses) {
  const Call call;
  const std::vector<MPI_Request> which(requests, requests + count);
  std::vector<MPI_Status> own(static_cast<std::size_t>(count));
  const int out = PMPI_Waitall(count, requests, own.data());
  for (std::size_t i = 0; i < which.size(); ++i) {
    complete(which[i], own[i]);
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = own[i];
  }
  return out;
}
int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  const Call call;
  const std::vector<MPI_Request> which(requests, requests + count);
  MPI_Status own;
  const int out = PMPI_Waitany(count, requests, index, &own);
  if (*index != MPI_UNDEFINED) complete(which[static_cast<std::size_t>(*index)], own);
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
}
int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  const Call call;
  MPI_Status own;
  const MPI_Request which = *request;
  const int out = PMPI_Test(request, flag, &own);
  if (*flag) complete(which, own);
  if (status != MPI_STATUS_IGNORE) *status = own;
  return out;
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
