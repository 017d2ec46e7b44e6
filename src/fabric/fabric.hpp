// Fabric: hosts, NICs, switches, ports, links and channels as an immutable graph in flat arrays.
// FabricBuilder makes it; everything else only reads it. All queries take constant time unless noted.
//
// Numbers are part of the interface. Nodes: NICs first, by slot and then by host (endpoints.hpp), then
// switches. The channel that leaves a node through a port is first_out[node] + port. It exists even when the
// port is empty, so removing a cable renumbers nothing.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/assert.hpp"
#include "fabric/endpoints.hpp"
#include "fabric/ids.hpp"

namespace banyan::fabric {

// The properties of a kind of link. Capacities are relative to each other, in any unit; latency is in cycles.
struct LinkClass {
  double capacity = 1;
  double latency = 1;
  bool operator==(const LinkClass&) const = default;
};

// A cable, given by the channels that leave its two ends; `a` is the smaller one.
struct Link {
  Channel a, b;
  auto operator<=>(const Link&) const = default;
};

class Fabric {
 public:
  // In fabric.cpp: a fabric has many arrays, and whoever holds one would have the code for all of them.
  Fabric(const Fabric&);
  Fabric(Fabric&&) noexcept;
  Fabric& operator=(const Fabric&);
  Fabric& operator=(Fabric&&) noexcept;
  ~Fabric();

  const Endpoints& endpoints() const { return endpoints_; }
  u32 hosts() const { return endpoints_.hosts(); }  // machines, whatever their role
  u32 nics() const { return endpoints_.nics(); }
  u32 nics(Host host) const { return endpoints_.nics(host); }
  u32 slots() const { return endpoints_.slots(); }
  u32 columns() const { return endpoints_.columns(); }
  u32 switches() const { return static_cast<u32>(first_out_.size()) - 1 - nics(); }
  u32 links() const { return links_; }  // cables in place, host cables included

  IdRange<Node> nodes() const { return IdRange<Node>(static_cast<u32>(first_out_.size()) - 1); }
  IdRange<Node> nic_nodes() const { return IdRange<Node>(nics()); }
  IdRange<Node> switch_nodes() const { return {nics(), static_cast<u32>(first_out_.size()) - 1}; }
  IdRange<Channel> channels() const {
    return IdRange<Channel>(static_cast<u32>(to_.size()));
  }  // empty ports too
  IdRange<Channel> channels(Node node) const {
    return {first_out_[index(node)], first_out_[index(node) + 1]};
  }

  bool is_switch(Node node) const { return index(node) >= nics(); }
  Node node(Nic nic) const { return Node{index(nic)}; }
  Nic nic(Host host, u32 slot = 0) const { return endpoints_.nic(host, slot); }
  Nic nic(Node node) const { return Nic{index(node)}; }
  Nic in_column(Host host, u32 column) const { return endpoints_.in_column(host, column); }
  Host host(Nic nic) const { return endpoints_.host(nic); }
  u32 slot(Nic nic) const { return endpoints_.slot(nic); }
  u32 column(Nic nic) const { return endpoints_.column(nic); }
  std::optional<u32> rail(Nic nic) const { return endpoints_.rail(nic); }

  // The part of the fabric that a NIC was meant to reach: a connected part of the cables with which the
  // fabric was built. Parts that no host shares, as a broken cable leaves them, count as one plane.
  u32 plane(Nic nic) const { return planes_.empty() ? 0 : planes_[nic]; }
  u32 planes() const { return plane_count_; }  // at least 1

  // A vacant NIC is a place of a shape where the machine has none: it has no cable, and nobody sends to it.
  bool vacant(Nic nic) const { return !vacant_.empty() && vacant_[nic]; }
  bool vacant(Host host) const;  // all its NICs are
  bool sends(Host host) const;   // traffic runs between these: of role host, and not vacant
  bool has_vacant() const { return !vacant_.empty(); }

  u32 ports(Node node) const { return first_out_[index(node) + 1] - first_out_[index(node)]; }
  Channel channel(Node node, Port port) const {
    BANYAN_HOT_ASSERT(index(port) < ports(node), "the node has the port");
    return Channel{first_out_[index(node)] + index(port)};
  }

  Node from(Channel c) const { return from_[c]; }
  Node to(Channel c) const { return to_[c]; }               // none<Node> when the port is empty
  Channel reverse(Channel c) const { return reverse_[c]; }  // none<Channel> when the port is empty
  Port port(Channel c) const { return Port{index(c) - first_out_[index(from_[c])]}; }
  bool cabled(Channel c) const { return reverse_[c] != none<Channel>; }
  u32 cabled_ports(Node node) const;

  u8 link_class_index(Channel c) const { return class_of_[c]; }
  const LinkClass& link_class(Channel c) const { return classes_[class_of_[c]]; }
  const std::vector<LinkClass>& link_classes() const { return classes_; }

  // Calls f(Link) once for every cable, in order of its smaller channel.
  template <class F>
  void each_link(F&& f) const {
    for (Channel c : channels())
      if (cabled(c) && c < reverse(c)) f(Link{c, reverse(c)});
  }

  // The name of a host: the given one, or else its number, h12. A NIC has the name of its host; where hosts
  // have several, h12.r1 by its rail, or h12.n1 by its slot if it has no rail. A switch has the given name,
  // or else the prefix of its range and its number, s1-17.
  std::string name(Node node) const;
  std::string host_name(Host host) const;
  bool named() const { return !names_.empty(); }

  // The label printed beside a port: the text that was given, swp49, or else the port's number, which is
  // Port plus one unless another was given. Tools that count ports, such as InfiniBand's, use the number.
  std::string port_label(Channel c) const;
  u32 port_number(Channel c) const { return numbers_.empty() ? index(port(c)) + 1 : numbers_[c]; }
  std::string_view port_text(Channel c) const {  // empty: the label is the number
    return texts_.empty() ? std::string_view() : std::string_view(known_texts_[texts_[c]]);
  }
  bool has_port_texts() const { return !texts_.empty(); }
  bool has_port_labels() const { return has_port_texts() || !numbers_.empty(); }  // any but Port plus one

  // The cables that were removed from the fabric from which this one was made.
  const std::vector<Link>& taken() const { return taken_; }

  bool operator==(const Fabric&) const;

 private:
  friend class FabricBuilder;
  friend Fabric without(const Fabric& fabric, const std::vector<Link>& cables);
  friend Fabric with_latency(Fabric fabric, double cycles);
  friend Fabric with_roles(Fabric fabric, IdVector<Host, Role> roles);
  Fabric() = default;

  Endpoints endpoints_;
  u32 links_ = 0, plane_count_ = 1;
  IdVector<Nic, u32> planes_;         // empty where all are 0
  IdVector<Nic, bool> vacant_;        // empty where none is
  std::vector<u32> first_out_ = {0};  // by node, with one entry more at the end
  IdVector<Channel, Node> from_, to_;
  IdVector<Channel, Channel> reverse_;
  IdVector<Channel, u8> class_of_;
  std::vector<LinkClass> classes_;
  struct NameRange {
    u32 first;  // first node of the range, which ends at the next one
    std::string prefix;
    bool operator==(const NameRange&) const = default;
  };
  std::vector<NameRange> ranges_;  // used while there are no names
  std::vector<std::string>
      names_;  // of hosts (their first NICs) and switches, by node; empty, or as long as nodes
  IdVector<Channel, u32> numbers_;        // empty, or one for each channel
  IdVector<Channel, u32> texts_;          // empty, or an index of known_texts_ for each channel
  std::vector<std::string> known_texts_;  // each once, in order; the first is empty
  std::vector<Link> taken_;
};

// Builds a fabric: first add the ports of every node in order of node numbers, then the cables.
class FabricBuilder {
 public:
  explicit FabricBuilder(u32 hosts, u32 rails = 1) : FabricBuilder(Endpoints(hosts, rails)) {}
  explicit FabricBuilder(Endpoints endpoints);

  void nic_ports(u32 ports);           // ports of every NIC (default 1); call it before adding a switch
  void nic_ports(Nic nic, u32 ports);  // ports of one NIC
  Node add_switch(u32 ports);
  u8 add_class(LinkClass link_class);  // equal classes are kept once; at most 256
  void leave_vacant(Nic nic);
  void name_host(Host host, std::string name);  // either all hosts and switches are named, or none
  void name_switch(Node node, std::string name);
  void name_next_switches(std::string prefix);  // later switches are named prefix0, prefix1, ...

  void connect(Node a, Port pa, Node b, Port pb, u8 link_class);
  // The number, below 2^31, and, where it has one, the text beside a port. Only after the last port was
  // added.
  void label_port(Node node, Port port, u32 number, std::string_view text = {});
  bool is_free(Node node, Port port) const;
  u32 ports(Node node) const { return ports_[index(node)]; }

  Fabric build() &&;

 private:
  void order_texts();
  void find_planes();
  void freeze();  // lays out the channels; no ports may be added after the first cable
  Channel exit(Node node, Port port) const { return Channel{fabric_.first_out_[index(node)] + index(port)}; }

  Fabric fabric_;
  std::vector<u32> ports_;
  bool frozen_ = false;
  std::unordered_map<std::string, u32> text_numbers_;
};

// The same fabric without some of its cables: their ports are empty, and all numbers stay the same.
Fabric without(const Fabric& fabric, const std::vector<Link>& cables);
// The same fabric with cables that all take so many cycles.
Fabric with_latency(Fabric fabric, double cycles);
// The same fabric with hosts in other roles.
Fabric with_roles(Fabric fabric, IdVector<Host, Role> roles);

}  // namespace banyan::fabric
