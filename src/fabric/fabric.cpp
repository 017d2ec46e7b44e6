#include "fabric/fabric.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace banyan::fabric {

Fabric::Fabric(const Fabric&) = default;
Fabric::Fabric(Fabric&&) noexcept = default;
Fabric& Fabric::operator=(const Fabric&) = default;
Fabric& Fabric::operator=(Fabric&&) noexcept = default;
Fabric::~Fabric() = default;
bool Fabric::operator==(const Fabric&) const = default;

u32 Fabric::cabled_ports(Node node) const {
  u32 count = 0;
  for (Channel c : channels(node)) count += cabled(c);
  return count;
}

std::string Fabric::host_name(Host host) const {
  return named() ? names_[index(host)] : "h" + std::to_string(index(host));
}

std::string Fabric::name(Node node) const {
  if (!is_switch(node)) {
    const std::string host = host_name(this->host(nic(node)));
    if (slots() == 1) return host;
    if (const auto rail = this->rail(nic(node))) return host + ".r" + std::to_string(*rail);
    return host + ".n" + std::to_string(slot(nic(node)));
  }
  if (named()) return names_[index(node)];
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), index(node),
                       [](u32 number, const NameRange& range) { return number < range.first; });
  if (after == ranges_.begin()) return "s" + std::to_string(index(node) - nics());
  const NameRange& range = *std::prev(after);
  return range.prefix + std::to_string(index(node) - range.first);
}

std::string Fabric::port_label(Channel c) const {
  const std::string_view text = port_text(c);
  return text.empty() ? std::to_string(port_number(c)) : std::string(text);
}

bool Fabric::vacant(Host host) const {
  if (!has_vacant()) return false;
  for (u32 slot = 0; slot < nics(host); ++slot)
    if (!vacant(nic(host, slot))) return false;
  return true;
}

bool Fabric::sends(Host host) const { return endpoints_.role(host) == Role::host && !vacant(host); }

FabricBuilder::FabricBuilder(Endpoints endpoints) {
  ports_.assign(endpoints.nics(), 1);
  fabric_.endpoints_ = std::move(endpoints);
}

void FabricBuilder::leave_vacant(Nic nic) {
  if (fabric_.vacant_.empty()) fabric_.vacant_.resize(fabric_.nics(), false);
  fabric_.vacant_[nic] = true;
}

void FabricBuilder::nic_ports(u32 ports) {
  BANYAN_ASSERT(!frozen_ && ports_.size() == fabric_.nics(),
                "ports of NICs are set before there are switches");
  std::fill(ports_.begin(), ports_.end(), ports);
}

void FabricBuilder::nic_ports(Nic nic, u32 ports) {
  BANYAN_ASSERT(!frozen_, "nodes are added before cables");
  ports_[index(nic)] = ports;
}

Node FabricBuilder::add_switch(u32 ports) {
  BANYAN_ASSERT(!frozen_, "nodes are added before cables");
  ports_.push_back(ports);
  return Node{static_cast<u32>(ports_.size()) - 1};
}

u8 FabricBuilder::add_class(LinkClass link_class) {
  auto& classes = fabric_.classes_;
  const auto found = std::find(classes.begin(), classes.end(), link_class);
  if (found != classes.end()) return static_cast<u8>(found - classes.begin());
  if (classes.size() == 256) throw InputError("more than 256 different kinds of links");
  classes.push_back(link_class);
  return static_cast<u8>(classes.size() - 1);
}

void FabricBuilder::name_host(Host host, std::string name) {
  name_switch(Node{index(host)}, std::move(name));
}

void FabricBuilder::name_switch(Node node, std::string name) {
  auto& names = fabric_.names_;
  if (names.size() < ports_.size()) names.resize(ports_.size());
  names[index(node)] = std::move(name);
}

void FabricBuilder::name_next_switches(std::string prefix) {
  fabric_.ranges_.push_back({static_cast<u32>(ports_.size()), std::move(prefix)});
}

void FabricBuilder::freeze() {
  frozen_ = true;
  fabric_.first_out_.resize(ports_.size() + 1);
  u64 total = 0;
  for (std::size_t v = 0; v < ports_.size(); ++v) {
    fabric_.first_out_[v] = static_cast<u32>(total);
    total += ports_[v];
  }
  if (total >= index(none<Channel>)) throw InputError("more than 4,294,967,294 ports in one fabric");
  fabric_.first_out_.back() = static_cast<u32>(total);
  fabric_.from_.resize(total);
  for (std::size_t v = 0; v < ports_.size(); ++v)
    for (u32 c = fabric_.first_out_[v]; c < fabric_.first_out_[v + 1]; ++c)
      fabric_.from_[Channel{c}] = Node{static_cast<u32>(v)};
  fabric_.to_.assign(total, none<Node>);
  fabric_.reverse_.assign(total, none<Channel>);
  fabric_.class_of_.assign(total, 0);
}

void FabricBuilder::label_port(Node node, Port port, u32 number, std::string_view text) {
  if (!frozen_) freeze();
  auto& numbers = fabric_.numbers_;
  if (numbers.empty() && number != index(port) + 1) {
    numbers.resize(fabric_.to_.size());
    for (Channel c : fabric_.channels()) numbers[c] = index(fabric_.port(c)) + 1;
  }
  if (!numbers.empty()) numbers[exit(node, port)] = number;
  auto& texts = fabric_.texts_;
  if (texts.empty() && text.empty()) return;
  if (texts.empty()) texts.assign(fabric_.to_.size(), 0), text_numbers_.emplace("", 0);
  texts[exit(node, port)] = text_numbers_.emplace(text, static_cast<u32>(text_numbers_.size())).first->second;
}

// Equal fabrics are equal whatever the order in which their ports were labelled.
void FabricBuilder::order_texts() {
  auto& texts = fabric_.texts_;
  std::vector<const std::string*> known(text_numbers_.size());
  for (const auto& [text, number] : text_numbers_) known[number] = &text;
  std::vector<u32> order, place(known.size());
  std::vector<bool> used(known.size());
  for (u32 number : texts) used[number] = true;
  for (u32 i = 0; i < known.size(); ++i)
    if (used[i] || i == 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](u32 a, u32 b) { return *known[a] < *known[b]; });
  for (u32 i = 0; i < order.size(); ++i) place[order[i]] = i;
  if (order.size() == 1) return void(texts = {});
  for (u32& number : texts) number = place[number];
  for (u32 number : order) fabric_.known_texts_.push_back(*known[number]);
}

bool FabricBuilder::is_free(Node node, Port port) const {
  return !frozen_ || fabric_.reverse_[exit(node, port)] == none<Channel>;
}

void FabricBuilder::connect(Node a, Port pa, Node b, Port pb, u8 link_class) {
  if (!frozen_) freeze();
  BANYAN_ASSERT(index(pa) < ports_[index(a)] && index(pb) < ports_[index(b)],
                "a cable ends at ports that exist");
  const Channel there = exit(a, pa), back = exit(b, pb);
  BANYAN_ASSERT(there != back && is_free(a, pa) && is_free(b, pb), "a port has one cable, to another port");
  fabric_.to_[there] = b;
  fabric_.to_[back] = a;
  fabric_.reverse_[there] = back;
  fabric_.reverse_[back] = there;
  fabric_.class_of_[there] = fabric_.class_of_[back] = link_class;
  ++fabric_.links_;
}

namespace {

// The connected parts of a fabric, as the node of the lowest number in each.
class Parts {
 public:
  explicit Parts(const Fabric& fabric) : above_(fabric.nodes().size()) {
    for (const Node v : fabric.nodes()) above_[v] = v;
    fabric.each_link([&](const Link& link) {
      const Node a = of(fabric.from(link.a)), b = of(fabric.from(link.b));
      above_[std::max(a, b)] = std::min(a, b);
    });
  }
  Node of(Node v) {
    while (above_[v] != v) v = above_[v] = above_[above_[v]];
    return v;
  }

 private:
  IdVector<Node, Node> above_;
};

}  // namespace

// The largest connected part is plane 0. Each next one joins the first plane that has no NIC of its hosts, or
// is a plane of its own; a NIC without a cable never is.
void FabricBuilder::find_planes() {
  const Fabric& f = fabric_;
  if (f.slots() == 1) return;
  Parts parts(f);
  IdVector<Node, u32> size(f.nodes().size(), 0);
  for (const Node v : f.nic_nodes()) ++size[parts.of(v)];
  std::vector<Nic> order;
  for (const Node v : f.nic_nodes()) order.push_back(f.nic(v));
  std::ranges::stable_sort(order, [&](Nic a, Nic b) {
    const Node x = parts.of(f.node(a)), y = parts.of(f.node(b));
    return size[x] != size[y] ? size[x] > size[y] : x < y;
  });
  IdVector<Nic, u32> plane(f.nics(), 0);
  std::vector<IdVector<Host, bool>> stands;  // by plane
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const Node part = parts.of(f.node(order[first]));
    while (last < order.size() && parts.of(f.node(order[last])) == part) ++last;
    const auto nics = std::span(order).subspan(first, last - first);
    const auto is_free = [&](const IdVector<Host, bool>& there) {
      return std::ranges::none_of(nics, [&](Nic nic) { return there[f.host(nic)]; });
    };
    auto at = static_cast<u32>(std::ranges::find_if(stands, is_free) - stands.begin());
    if (at == stands.size() && at > 0 && f.cabled_ports(f.node(nics.front())) == 0) at = 0;
    if (at == stands.size()) stands.emplace_back(f.hosts(), false);
    for (const Nic nic : nics) plane[nic] = at, stands[at][f.host(nic)] = true;
  }
  fabric_.plane_count_ = std::max<u32>(1, static_cast<u32>(stands.size()));
  if (stands.size() > 1) fabric_.planes_ = std::move(plane);
}

Fabric FabricBuilder::build() && {
  if (!frozen_) freeze();
  find_planes();
  if (fabric_.classes_.empty()) fabric_.classes_.push_back({});
  if (fabric_.named()) {
    fabric_.names_.resize(ports_.size());
    fabric_.ranges_.clear();
  }
  const auto channels = fabric_.channels();
  if (std::all_of(channels.begin(), channels.end(),
                  [&](Channel c) { return fabric_.port_number(c) == index(fabric_.port(c)) + 1; }))
    fabric_.numbers_ = {};
  if (!fabric_.texts_.empty()) order_texts();
  return std::move(fabric_);
}

Fabric without(const Fabric& fabric, const std::vector<Link>& cables) {
  Fabric rest = fabric;
  for (const Link& link : cables) {
    if (!rest.cabled(link.a)) continue;  // named twice
    for (Channel end : {link.a, link.b}) {
      rest.to_[end] = none<Node>;
      rest.reverse_[end] = none<Channel>;
    }
    --rest.links_;
    rest.taken_.push_back(link);
  }
  return rest;
}

Fabric with_latency(Fabric fabric, double cycles) {
  for (LinkClass& link : fabric.classes_) link.latency = cycles;
  return fabric;
}

Fabric with_roles(Fabric fabric, IdVector<Host, Role> roles) {
  fabric.endpoints_ = fabric.endpoints_.with_roles(std::move(roles));
  return fabric;
}

}  // namespace banyan::fabric
