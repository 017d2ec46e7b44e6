// Where ranks sit, and how much they can send: the same for workloads with and without an end.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "flit/workload.hpp"
#include "traffic/placement.hpp"
#include "traffic/traffic.hpp"

namespace banyan::flit {

struct Seats {
  IdVector<Rank, Seat> of;
  u32 count;
};

// Throws InputError where ranks do not fit on the hosts, std::logic_error where `mine` is not by seat.
Seats seats_of(const Fabric& fabric, const Traffic& traffic, const Placement& placement, u32 processes,
               const std::vector<bool>& mine);

// Throws InputError if a host that sends has a NIC without ports; `processes` as above.
void check_sender(const Fabric& fabric, Host host, u32 processes);

// Flits a cycle: a rank's share of its host; `sharing`: ranks there.
double seat_capacity(const Fabric& fabric, Host host, u32 processes, u32 sharing);

}  // namespace banyan::flit
