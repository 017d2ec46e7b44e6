#include "flit/tally.hpp"

#include <algorithm>
#include <cmath>

#include "flit/exchange.hpp"

namespace banyan::flit {
namespace {

constexpr u64 Tally::*sums[] = {&Tally::packets,   &Tally::flits,          &Tally::messages,
                                &Tally::flit_hops, &Tally::network_cycles, &Tally::packet_cycles};
constexpr Histogram Tally::*latencies[] = {&Tally::packet_latency, &Tally::message_latency};

template <class T>
void add_each(T& to, const T& from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) *(to.begin() + i) += *(from.begin() + i);
}

}  // namespace

Histogram Histogram::of(std::span<const u32> counts, u64 sum) {
  Histogram out;
  while (!counts.empty() && counts.back() == 0) counts = counts.first(counts.size() - 1);
  out.counts_.assign(counts.begin(), counts.end());
  for (const u32 count : counts) out.count_ += count;
  out.sum_ = sum;
  return out;
}

void Histogram::add(const Histogram& other) {
  add_each(counts_, other.counts_);
  count_ += other.count_;
  sum_ += other.sum_;
}

u64 Histogram::percentile(double share) const {
  const u64 wanted = static_cast<u64>(std::ceil(share * static_cast<double>(count_)));
  u64 seen = 0;
  for (std::size_t slot = 0; slot < counts_.size(); ++slot)
    if ((seen += counts_[slot]) >= wanted && seen > 0)
      return largest_in_histogram_slot(static_cast<u32>(slot));
  return 0;
}

void Histogram::pack(std::string& out) const {
  put_all(out, counts_);
  put(out, count_);
  put(out, sum_);
}
Histogram Histogram::unpack(std::string_view& in) {
  Histogram out;
  out.counts_ = take_all<u64>(in);
  out.count_ = take<u64>(in);
  out.sum_ = take<u64>(in);
  return out;
}

void Tally::pack(std::string& out) const {
  for (const auto sum : sums) put(out, this->*sum);
  put(out, last_message);
  for (const auto latency : latencies) (this->*latency).pack(out);
}
Tally Tally::unpack(std::string_view& in) {
  Tally out;
  for (const auto sum : sums) out.*sum = take<u64>(in);
  out.last_message = take<u64>(in);
  for (const auto latency : latencies) out.*latency = Histogram::unpack(in);
  return out;
}

void Tally::append(const Tally& later) {
  add(later);
  cycles += later.cycles;
}

void Tally::add(const Tally& other) {
  for (const auto sum : sums) this->*sum += other.*sum;
  for (const auto latency : latencies) (this->*latency).add(other.*latency);
  last_message = std::max(last_message, other.last_message);
  add_each(channel_flits, other.channel_flits);
  add_each(rail_flits, other.rail_flits);
}

}  // namespace banyan::flit
