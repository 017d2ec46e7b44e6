// A visit of a forward for the judge, certificates, paths and the flow level: their code is compiled once for
// each deterministic forward, and once for all adaptive ones, which stand behind function pointers. The
// simulator, which asks at every hop of a packet, visits the forwards themselves.
#pragma once
#include <variant>

#include "routing/forwards.hpp"

namespace banyan::routing {

// An adaptive forward of any type, which must outlive it. (PlaneHops owns its forwards behind like pointers.)
class AnyAdaptive {
 public:
  template <Adaptive F>
  explicit AnyAdaptive(const F&& forward) = delete;
  template <Adaptive F>
  explicit AnyAdaptive(const F& forward)
      : forward_(&forward),
        hops_([](const void* f, Node node, const Header& header, Hops& out) {
          static_cast<const F*>(f)->hops(node, header, out);
        }),
        is_escape_([](const void* f, const Hop& hop) {
          if constexpr (MayHaveEscape<F>) return static_cast<const F*>(f)->is_escape(hop);
          return false;
        }),
        enters_alike_(routing::enters_alike(forward)),
        leads_alike_(routing::leads_alike(forward)),
        has_escape_(routing::has_escape(forward)) {}

  void hops(Node node, const Header& header, Hops& out) const { hops_(forward_, node, header, out); }
  bool enters_alike() const { return enters_alike_; }
  bool leads_alike() const { return leads_alike_; }
  bool has_escape() const { return has_escape_; }
  bool is_escape(const Hop& hop) const { return is_escape_(forward_, hop); }  // requires has_escape()

 private:
  const void* forward_;
  void (*hops_)(const void*, Node, const Header&, Hops&);
  bool (*is_escape_)(const void*, const Hop&);
  bool enters_alike_, leads_alike_, has_escape_;
};

// Calls `visit` with the forward, or with an AnyAdaptive of it that lives only during the call. All calls
// return a value of one type.
template <class Visit>
auto visit_forward(const Visit& visit, const Forward& forward) {
  return std::visit(
      [&]<class F>(const F& each) {
        if constexpr (Adaptive<F>)
          return visit(AnyAdaptive(each));
        else
          return visit(each);
      },
      forward);
}

}  // namespace banyan::routing
