#include "flit/allocator.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "base/options.hpp"

namespace banyan::flit {
namespace {

struct IslipOptions {
  u32 iterations = 1;
  static void fields(auto& self, auto&& f) {
    f("iterations", self.iterations, "times that outputs grant and inputs accept in a cycle");
  }
};

// Round robin: how far a number is behind the pointer.
u64 behind(u64 pointer, u64 number, u64 count) {
  return number >= pointer ? number - pointer : number + count - pointer;
}

}  // namespace

Allocator allocator_of(std::string_view text) {
  static constexpr std::array<std::string_view, 5> names = {"joint", "input-first", "output-first", "islip",
                                                            "wavefront"};
  const PluginText plugin = parse_plugin(text);
  const auto name = std::find(names.begin(), names.end(), plugin.name);
  if (name == names.end()) refuse_choice("allocator", text, names);
  Allocator out{static_cast<AllocatorKind>(name - names.begin())};
  if (out.kind == AllocatorKind::islip)
    out.iterations = read_options<IslipOptions>(plugin).iterations;
  else
    read_options<NoOptions>(plugin);
  if (out.iterations < 1 || out.iterations > 256)
    throw InputError("islip has 1 to 256 iterations, not " + std::to_string(out.iterations));
  return out;
}

u64 Crossbar::order_at_group(const CrossingRequest& r) {
  return u64{r.rank} << 32 | behind(group_[r.group].pointer, r.output, outputs_) << 16 |
         behind(next_lane(r), r.lane, lanes_);
}
u64 Crossbar::order_at_place(const CrossingRequest& r) {
  return u64{r.rank} << 32 | behind(place_[r.place].pointer, r.group, group_.size()) << 16 |
         behind(next_lane(r), r.lane, lanes_);
}

void Crossbar::match(const CrossingRequest& r, u32 number, bool moves_pointers, std::vector<u32>& granted) {
  block(r.group, r.place);
  if (moves_pointers) group_[r.group].pointer = r.output + 1, place_[r.place].pointer = r.group + 1;
  next_lane(r) = static_cast<u8>(r.lane + 1);
  granted.push_back(number);
}

void Crossbar::allocate(const Allocator& how, u64 turn, std::span<const CrossingRequest> requests,
                        std::vector<u32>& granted) {
  if (requests.empty()) return;
  switch (how.kind) {
    case AllocatorKind::joint:
      return;
    case AllocatorKind::input_first:
      return input_first(requests, granted);
    case AllocatorKind::output_first:
    case AllocatorKind::islip:
      for (u32 i = 0; i < how.iterations; ++i)
        if (!output_first(requests, i == 0, granted)) return;
      return;
    case AllocatorKind::wavefront:
      return wavefront(turn, requests, granted);
  }
}

void Crossbar::input_first(std::span<const CrossingRequest> requests, std::vector<u32>& granted) {
  for (End& place : place_) place.order = no_one;
  for (End& group : group_) group.order = no_one;
  for (u32 i = 0; i < requests.size(); ++i)
    if (is_open(requests[i]))
      if (End& group = group_[requests[i].group]; order_at_group(requests[i]) < group.order)
        group.order = order_at_group(requests[i]), group.best = i;
  for (const End& group : group_)
    if (group.order != no_one)
      if (End& place = place_[requests[group.best].place]; order_at_place(requests[group.best]) < place.order)
        place.order = order_at_place(requests[group.best]), place.best = group.best;
  for (const End& place : place_)
    if (place.order != no_one) match(requests[place.best], place.best, true, granted);
}

bool Crossbar::output_first(std::span<const CrossingRequest> requests, bool moves_pointers,
                            std::vector<u32>& granted) {
  for (End& place : place_) place.order = no_one;
  for (End& group : group_) group.order = no_one;
  for (u32 i = 0; i < requests.size(); ++i)
    if (is_open(requests[i]))
      if (End& place = place_[requests[i].place]; order_at_place(requests[i]) < place.order)
        place.order = order_at_place(requests[i]), place.best = i;
  for (const End& place : place_)
    if (place.order != no_one)
      if (End& group = group_[requests[place.best].group]; order_at_group(requests[place.best]) < group.order)
        group.order = order_at_group(requests[place.best]), group.best = place.best;
  const std::size_t before = granted.size();
  for (const End& group : group_)
    if (group.order != no_one) match(requests[group.best], group.best, moves_pointers, granted);
  return granted.size() > before;
}

// Two requests of a diagonal share neither a group nor a place, or both: then a lane is chosen.
void Crossbar::wavefront(u64 turn, std::span<const CrossingRequest> requests, std::vector<u32>& granted) {
  const u64 first = turn % diagonals_;
  const auto order = [&](u32 i) {
    const CrossingRequest& r = requests[i];
    const u64 diagonal = behind(first, r.diagonal % diagonals_, diagonals_);
    return std::tuple(r.rank, diagonal, order_at_group(r));
  };
  by_order_.resize(requests.size());
  std::iota(by_order_.begin(), by_order_.end(), 0u);
  std::sort(by_order_.begin(), by_order_.end(), [&](u32 a, u32 b) { return order(a) < order(b); });
  for (const u32 i : by_order_)
    if (is_open(requests[i])) match(requests[i], i, true, granted);
}

}  // namespace banyan::flit
