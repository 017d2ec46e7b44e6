// Forward on several planes that are routed by different forwards: asks that of the node's plane, in the
// numbers of the plane. Ports, lanes, tags and states are those of the planes.
#pragma once
#include <memory>
#include <vector>

#include "fabric/ids.hpp"
#include "routing/header.hpp"

namespace banyan::routing {

// The numbers of some planes: their nodes in the fabric that has all of them, and the addresses of their
// NICs, 2^lmc each.
struct PlaneNumbers {
  u32 first_nic, nics, first_switch, switches, lmc;
};

class PlaneHops {
 public:
  // Addresses of a NIC in the fabric that has all planes: 2^lmc, at least as many as on each plane.
  PlaneHops(u32 nics, u32 lmc) : nics_(nics), lmc_(lmc) {}

  // `F` is a forward as forwards.hpp describes it. Planes are added in order of their numbers. Where one has
  // an escape, another may have the same kind, or keep the header's state: then all its hops count as escape.
  template <class F>
  void add(const PlaneNumbers& numbers, F forward) {
    Part part{numbers, {}, nullptr, nullptr, false, false};
    if constexpr (requires { forward.enters_alike(); }) part.enters_alike = forward.enters_alike();
    if constexpr (requires { forward.has_escape(); }) part.has_escape = forward.has_escape();
    if constexpr (requires(const Hop& hop) { forward.is_escape(hop); })
      part.is_escape = [](const void* f, const Hop& hop) { return static_cast<const F*>(f)->is_escape(hop); };
    part.offer = [](const void* f, Node node, const Header& header, Hops& out) {
      if constexpr (requires(const F& of) { of.next(node, header); })
        out.push_back(static_cast<const F*>(f)->next(node, header));
      else
        static_cast<const F*>(f)->hops(node, header, out);
    };
    part.forward = std::make_shared<const F>(std::move(forward));
    if (part.has_escape && escape_ == nobody) escape_ = static_cast<u32>(parts_.size());
    parts_.push_back(std::move(part));
  }

  void hops(Node node, const Header& header, Hops& out) const;
  bool enters_alike() const;
  bool has_escape() const { return escape_ != nobody; }
  bool is_escape(const Hop& hop) const {
    return parts_[escape_].is_escape(parts_[escape_].forward.get(), hop);
  }

 private:
  static constexpr u32 nobody = ~u32{0};
  static constexpr u8 on_escape = 255;  // the state of packets on planes without an escape, beside one

  struct Part {
    PlaneNumbers numbers;
    std::shared_ptr<const void> forward;
    void (*offer)(const void*, Node, const Header&, Hops&);
    bool (*is_escape)(const void*, const Hop&);
    bool has_escape, enters_alike;
  };
  const Part& part_of(Node node) const;

  u32 nics_, lmc_;
  u32 escape_ = nobody;  // the first part that has one
  std::vector<Part> parts_;
};

}  // namespace banyan::routing
