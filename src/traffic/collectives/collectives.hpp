// The collective operations, each with several algorithms whose messages are those of Open MPI 4.1; `auto`
// follows its fixed rules. tests/mpi compares them with the real ones; docs/patterns.md describes each.
#pragma once
#include <string>

#include "traffic/collectives/schedule.hpp"

namespace banyan::traffic {

struct Chosen {
  std::string algorithm;
  Schedule schedule;
};

struct BarrierOptions {
  std::string algorithm = "auto";
  static void fields(auto& self, auto&& f) {
    f("algorithm", self.algorithm, "auto, linear, double-ring, recursive-doubling, bruck or tree");
  }
};
Chosen barrier(u32 ranks, const BarrierOptions& options);

struct BroadcastOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u32 root = 0;
  u64 segment = 0;
  u32 chains = 4, radix = 4;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "that everyone is to have");
    f("algorithm", self.algorithm,
      "auto, linear, chain, pipeline, binary, split-binary, binomial, k-nomial, scatter-allgather or "
      "scatter-allgather-ring");
    f("root", self.root, "who has them");
    f("segment", self.segment, "bytes of a segment in a tree; 0: one segment");
    f("chains", self.chains, "of algorithm=chain");
    f("radix", self.radix, "of algorithm=k-nomial");
  }
};
Chosen broadcast(u32 ranks, const BroadcastOptions& options);

struct ReduceOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u32 root = 0;
  u64 segment = 0;
  u32 chains = 4, element = 1;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "of everyone's vector");
    f("algorithm", self.algorithm,
      "auto, linear, chain, pipeline, binary, binomial, in-order-binary or rabenseifner");
    f("root", self.root, "who gets the result");
    f("segment", self.segment, "bytes of a segment in a tree; 0: one segment");
    f("chains", self.chains, "of algorithm=chain");
    f("element", self.element, "bytes of an element; vectors are cut between elements");
  }
};
Chosen reduce(u32 ranks, const ReduceOptions& options);

struct AllreduceOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u64 segment = 0;
  u32 element = 1;
  std::string between = "ring";
  u32 local = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "of everyone's vector");
    f("algorithm", self.algorithm,
      "auto, linear, non-overlapping, recursive-doubling, ring, segmented-ring, rabenseifner, tree, "
      "rail-rings or "
      "hierarchical (the last three as NCCL)");
    f("segment", self.segment, "bytes of a segment, for segmented-ring and tree; 0: one segment");
    f("element", self.element, "bytes of an element; vectors are cut between elements");
    f("between", self.between, "with hierarchical: the algorithm between hosts");
    f("local", self.local, "ranks of a host, for algorithms that know hosts; 0: as many as a host has");
  }
};
Chosen allreduce(u32 ranks, const AllreduceOptions& options);

struct ReduceScatterOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u32 element = 1;
  std::string between = "ring";
  u32 local = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "of everyone's vector, of which each rank gets a part");
    f("algorithm", self.algorithm,
      "auto, non-overlapping, recursive-halving, ring, butterfly, rail-rings or hierarchical");
    f("element", self.element, "bytes of an element; vectors are cut between elements");
    f("between", self.between, "with hierarchical: the algorithm between hosts");
    f("local", self.local, "ranks of a host, for algorithms that know hosts; 0: as many as a host has");
  }
};
Chosen reduce_scatter(u32 ranks, const ReduceScatterOptions& options);

struct GatherOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u32 root = 0;
  u64 segment = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "of each rank");
    f("algorithm", self.algorithm, "auto, linear, binomial or linear-sync");
    f("root", self.root, "who gets all of them");
    f("segment", self.segment, "bytes of the first message, for linear-sync; 0: all");
  }
};
Chosen gather(u32 ranks, const GatherOptions& options);

struct ScatterOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  u32 root = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "for each rank");
    f("algorithm", self.algorithm, "auto, linear or binomial");
    f("root", self.root, "who has them");
  }
};
Chosen scatter(u32 ranks, const ScatterOptions& options);

struct AllgatherOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  std::string between = "ring";
  u32 local = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "of each rank");
    f("algorithm", self.algorithm,
      "auto, linear, bruck, recursive-doubling, ring, neighbour-exchange, rail-rings or "
      "hierarchical");
    f("between", self.between, "with hierarchical: the algorithm between hosts");
    f("local", self.local, "ranks of a host, for algorithms that know hosts; 0: as many as a host has");
  }
};
Chosen allgather(u32 ranks, const AllgatherOptions& options);

struct AlltoallOptions {
  u64 bytes = 65536;
  std::string algorithm = "auto";
  std::string between = "pairwise";
  u32 local = 0;
  static void fields(auto& self, auto&& f) {
    f("bytes", self.bytes, "from each rank to each");
    f("algorithm", self.algorithm, "auto, linear, pairwise, bruck or hierarchical");
    f("between", self.between, "with hierarchical: the algorithm between hosts");
    f("local", self.local, "ranks of a host, for algorithms that know hosts; 0: as many as a host has");
  }
};
Chosen alltoall(u32 ranks, const AlltoallOptions& options);

}  // namespace banyan::traffic
