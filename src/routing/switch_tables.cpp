#include "routing/switch_tables.hpp"

#include <span>

#include "fabric/levels.hpp"

namespace banyan::routing {
namespace {

// Searches backwards from one switch. A way that turns from down to up is taken only where no other is left.
class Search {
 public:
  Search(const Fabric& fabric, const IdVector<Node, u32>& level) : fabric_(fabric), level_(level) {}

  void run(Node goal, std::span<u8> ports) {
    rises_.assign(ports.size(), false);
    now_ = {goal};
    while (!now_.empty()) {
      later_.clear();
      for (std::size_t i = 0; i < now_.size(); ++i) extend(now_[i], goal, ports);
      now_.clear();
      for (Channel c : later_) take(c, goal, ports);
    }
  }

 private:
  u32 number(Node node) const { return index(node) - fabric_.nics(); }

  void extend(Node node, Node goal, std::span<u8> ports) {
    for (Channel out : fabric_.channels(node)) {
      if (!fabric_.cabled(out) || !fabric_.is_switch(fabric_.to(out))) continue;
      const bool falls = level_[fabric_.to(out)] > level_[node];  // the channel back to here
      if (falls && node != goal && rises_[number(node)])
        later_.push_back(fabric_.reverse(out));
      else
        take(fabric_.reverse(out), goal, ports);
    }
  }
  void take(Channel c, Node goal, std::span<u8> ports) {
    const Node node = fabric_.from(c);
    if (node == goal || ports[number(node)] != Tables::no_port) return;
    ports[number(node)] = static_cast<u8>(index(fabric_.port(c)));
    rises_[number(node)] = level_[fabric_.to(c)] > level_[node];
    now_.push_back(node);
  }

  const Fabric& fabric_;
  const IdVector<Node, u32>& level_;
  std::vector<bool> rises_;     // by switch: its chosen channel leads up
  std::vector<Node> now_;       // reached, in order
  std::vector<Channel> later_;  // ways with one more turn
};

}  // namespace

SwitchTables::SwitchTables(const Fabric& fabric, unsigned threads)
    : nics_(fabric.nics()),
      switches_(fabric.switches()),
      ports_(std::size_t{switches_} * switches_, Tables::no_port) {
  const auto level = levels_from_hosts(fabric);
  parallel_ranges(switches_, threads, [&](u64 first, u64 last) {
    Search search(fabric, level);
    for (u64 s = first; s < last; ++s)
      search.run(Node{nics_ + static_cast<u32>(s)}, {ports_.data() + s * switches_, switches_});
  });
}

}  // namespace banyan::routing
