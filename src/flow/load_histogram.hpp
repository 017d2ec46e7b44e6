// How many channels between switches have which load, over all rounds of all samples of a traffic.
#pragma once
#include <map>
#include <vector>

#include "flow/load_sampler.hpp"
#include "flow/load_summary.hpp"

namespace banyan::flow {

using LoadHistogram = std::map<double, u64>;  // channels by load

// By processors, of numbers first .. first + count - 1: round r of sample s is s * rounds + r. Channels
// without a load are left out. Throws Interrupted.
LoadHistogram load_histogram(const ListedKernel& listed, u64 seed, u64 first, u64 count, unsigned threads);

// With those that have no load, of so many rounds: every load by itself if they are few, else twenty ranges.
std::vector<LoadRange> with_idle(const Fabric& fabric, LoadHistogram histogram, u64 rounds);

}  // namespace banyan::flow
