// The entries of a part, in one vector: a new one may move the others, so references to them do not outlast
// take(). Free ones are linked by `next`.
#pragma once
#include <algorithm>
#include <vector>

#include "flit/state.hpp"

namespace banyan::flit {

class Entries {
 public:
  Entry& operator[](EntryId id) { return all_[index(id)]; }
  const Entry& operator[](EntryId id) const { return all_[index(id)]; }

  EntryId take() {
    reserve();
    const EntryId id = free_;
    free_ = all_[index(id)].next;
    return id;
  }
  void reserve() {  // the next take() moves none
    if (free_ == none<EntryId>) add();
  }
  void free(EntryId id) { free(id, all_[index(id)]); }
  void free(EntryId id, Entry& entry) {
    entry.next = free_;
    free_ = id;
  }

 private:
  [[gnu::noinline]] void add() {
    const std::size_t old = all_.size(), count = std::max<std::size_t>(1024, old / 2);
    all_.resize(old + count);
    for (std::size_t i = old + count; i-- > old;) free(EntryId{static_cast<u32>(i)});
  }

  std::vector<Entry> all_;
  EntryId free_ = none<EntryId>;
};

}  // namespace banyan::flit
