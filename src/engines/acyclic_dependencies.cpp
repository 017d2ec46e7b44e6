#include "engines/acyclic_dependencies.hpp"

#include <algorithm>
#include <bit>

#include "base/assert.hpp"

namespace banyan::engines {

AcyclicDependencies::AcyclicDependencies(const Backbone& backbone, IdVector<SwitchChannel, u32> place)
    : backbone_(&backbone),
      words_((backbone.max_exits + 63) / 64),
      slot_(backbone.channels),
      place_(std::move(place)),
      used_(std::size_t{backbone.channels} * words_),
      used_by_(used_.size()),
      blocked_(used_.size()),
      seen_(backbone.channels) {
  BANYAN_ASSERT(place_.size() == backbone.channels, "every channel of the backbone has a place");
  for (SwitchChannel c : slot_.ids()) slot_[c] = static_cast<u8>(backbone.slot(c));
}

bool AcyclicDependencies::add(SwitchChannel held, SwitchChannel wanted) {
  BANYAN_HOT_ASSERT(backbone_->to[held] == backbone_->from[wanted],
                    "a wanted channel begins where the held one ends");
  if (is_used(held, wanted)) return true;
  if (is_blocked(held, wanted)) return false;
  if (!in_order(held, wanted)) {
    if (reaches(wanted, held)) {
      blocked_[word(held, wanted)] |= bit(wanted);
      log_.push_back({held, wanted, false});
      return false;
    }
    collect_behind(held, place_[wanted]);
    reorder();
  }
  set(held, wanted, true);
  log_.push_back({held, wanted, true});
  return true;
}

void AcyclicDependencies::undo(std::size_t mark) {
  for (; log_.size() > mark; log_.pop_back()) take_back(log_.back());
}

void AcyclicDependencies::take_back(const Entry& entry) {
  if (entry.used)
    set(entry.held, entry.wanted, false);
  else
    blocked_[word(entry.held, entry.wanted)] &= ~bit(entry.wanted);
}

void AcyclicDependencies::set(SwitchChannel held, SwitchChannel wanted, bool to) {
  const SwitchChannel back = backbone_->reverse[held];  // leaves the switch that `wanted` leaves
  u64& ahead = used_[word(held, wanted)];
  u64& behind = used_by_[word(wanted, back)];
  ahead = to ? ahead | bit(wanted) : ahead & ~bit(wanted);
  behind = to ? behind | bit(back) : behind & ~bit(back);
}

// Calls f with every exit of a switch whose bit is set in the channel's mask.
template <class F>
void AcyclicDependencies::each(const std::vector<u64>& masks, SwitchChannel channel, Switch leaving,
                               F f) const {
  const u32 first = backbone_->first[index(leaving)];
  for (u32 w = 0; w < words_; ++w)
    for (u64 mask = masks[std::size_t{index(channel)} * words_ + w]; mask != 0; mask &= mask - 1)
      f(SwitchChannel{first + 64 * w + static_cast<u32>(std::countr_zero(mask))});
}

bool AcyclicDependencies::reaches(SwitchChannel start, SwitchChannel goal) {
  const u32 limit = place_[goal];
  ++search_;
  ahead_.assign(1, start);
  seen_[start] = search_;
  for (std::size_t i = 0; i < ahead_.size() && seen_[goal] != search_; ++i)
    each(used_, ahead_[i], backbone_->to[ahead_[i]], [&](SwitchChannel next) {
      if (seen_[next] == search_ || place_[next] > limit) return;
      seen_[next] = search_;
      ahead_.push_back(next);
    });
  return seen_[goal] == search_;
}

void AcyclicDependencies::collect_behind(SwitchChannel start, u32 least_place) {
  behind_.assign(1, start);
  seen_[start] = search_;
  for (std::size_t i = 0; i < behind_.size(); ++i)
    each(used_by_, behind_[i], backbone_->from[behind_[i]], [&](SwitchChannel exit) {
      const SwitchChannel previous = backbone_->reverse[exit];
      if (seen_[previous] == search_ || place_[previous] < least_place) return;
      seen_[previous] = search_;
      behind_.push_back(previous);
    });
}

// What is behind takes the lowest of the places that both parts have, what is ahead the others.
void AcyclicDependencies::reorder() {
  const auto by_place = [&](SwitchChannel a, SwitchChannel b) { return place_[a] < place_[b]; };
  std::sort(ahead_.begin(), ahead_.end(), by_place);
  std::sort(behind_.begin(), behind_.end(), by_place);
  behind_.insert(behind_.end(), ahead_.begin(), ahead_.end());
  places_.clear();
  for (SwitchChannel c : behind_) places_.push_back(place_[c]);
  std::sort(places_.begin(), places_.end());
  for (std::size_t i = 0; i < behind_.size(); ++i) place_[behind_[i]] = places_[i];
}

}  // namespace banyan::engines
