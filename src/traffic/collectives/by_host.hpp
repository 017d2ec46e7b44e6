// Collectives that know which ranks share a host: as NCCL arranges them on hosts with several accelerators, a
// NIC next to each. `local` ranks of a host follow each other; those with the same number in their hosts
// stand on one rail.
#pragma once
#include "traffic/collectives/collectives.hpp"

namespace banyan::traffic {

class HostGrid {
 public:
  HostGrid(std::string_view collective, u32 ranks, u32 local);  // throws InputError unless it divides them

  u32 ranks() const { return hosts_ * local_; }
  u32 hosts() const { return hosts_; }
  u32 local() const { return local_; }
  u32 rank(u32 host, u32 number) const { return host * local_ + number; }

 private:
  u32 hosts_, local_;
};

// The bytes of each of so many chunks of one size, the last one padded.
inline u64 chunk_of(u64 bytes, u32 chunks) { return (bytes + chunks - 1) / chunks; }

// One ring through all ranks for each rail. A ring passes the ranks of a host in order, and those of the next
// in the opposite order, so that what leaves a host stays on its rail (with an odd number of hosts, but for
// one step of each ring). In each round every rank sends `bytes` along each ring.
Schedule rail_rings(const HostGrid& grid, u64 rounds, u64 bytes);

// In every host at once, each rank sends bytes(number of the receiver) to each other.
Schedule inside_hosts(const HostGrid& grid, std::function<u64(u32 from, u32 to)> bytes);

// On each rail at once, what make(number of the rail) lists for as many ranks as there are hosts.
Schedule along_rails(const HostGrid& grid, const std::function<Schedule(u32 rail)>& make);

}  // namespace banyan::traffic
