// Every forward, and what one has. A forward answers at every node where a header may go. Adding one takes
// its file and two lines here: its header, and its type in the variant. The judge, the flow level, the
// simulator and the export then work with it.
#pragma once
#include <concepts>
#include <variant>

#include "routing/adaptive_hyperx.hpp"
#include "routing/dimension_order.hpp"
#include "routing/dragonfly_detours.hpp"
#include "routing/graph_detours.hpp"
#include "routing/grid_detours.hpp"
#include "routing/hashed_next_hops.hpp"
#include "routing/header.hpp"
#include "routing/hyperx_detours.hpp"
#include "routing/incremental_hops.hpp"
#include "routing/open_next_hops.hpp"
#include "routing/plane_hops.hpp"
#include "routing/tables.hpp"
#include "routing/tree_form.hpp"

namespace banyan::routing {

using Forward =
    std::variant<TreeForm, Tables, DimensionOrder, HashedNextHops, OpenNextHops, AdaptiveHyperX,
                 HyperXDetours, DragonflyDetours, GraphDetours, GridDetours, IncrementalHops, PlaneHops>;

// A deterministic forward has next(); an adaptive one has hops(), which appends to an empty list those from
// which the caller chooses. The answer depends on node and header alone; several threads may ask at once. A
// forward may also have
//   bool enters_alike() const;      NICs that are cabled alike are offered the same hops; default: false
//   bool leads_alike() const;       of NICs that are cabled alike, the header's address changes the hop only
//                                   at nodes that they are cabled to, among those that a packet for them
//                                   can come to; default: false
//   static constexpr bool keeps_header = true;
//                                   every node offers one hop on the header's lane, and the state never
//                                   changes
//   Way way(Node nic, const Header&) const;
//                                   the ports of a whole way at once; see TreeForm
//   std::string reason(const Fabric&, Channel) const;
//                                   how it chose the channel, in the words of `path`; default: how many hops
//                                   an adaptive forward offered
//   bool has_escape() const;        adaptive: some hops are an escape for packets that wait for others
//   bool is_escape(const Hop&) const;
//                                   whether an offered hop is of the escape (verify/escape_judge.hpp)
//   static constexpr std::string_view no_tables;
//                                   why tables cannot say what it does; default: see table_form.hpp
// Of an adaptive forward the judge and the flow level see what AnyAdaptive has (visit_forward.hpp).
template <class F>
concept Deterministic = requires(const F& f, Node node, const Header& header) {
  { f.next(node, header) } -> std::same_as<Hop>;
};

template <class F>
concept Adaptive = !Deterministic<F> && requires(const F& f, Node node, const Header& header, Hops& out) {
  f.hops(node, header, out);
};

template <class F>
bool enters_alike(const F& forward) {
  if constexpr (requires { forward.enters_alike(); }) return forward.enters_alike();
  return false;
}

template <class F>
bool leads_alike(const F& forward) {
  if constexpr (requires { forward.leads_alike(); }) return forward.leads_alike();
  return false;
}

template <class F>
concept KeepsHeader = Deterministic<F> && requires { requires F::keeps_header; };

template <class F>
concept KnowsWay = KeepsHeader<F> && requires(const F& f, Node nic, const Header& header) {
  { f.way(nic, header) } -> std::same_as<typename F::Way>;
};

template <class F>
concept MayHaveEscape = Adaptive<F> && requires(const F& f, const Hop& hop) {
  { f.has_escape() } -> std::same_as<bool>;
  { f.is_escape(hop) } -> std::same_as<bool>;
};

template <class F>
bool has_escape(const F& forward) {
  if constexpr (MayHaveEscape<F>) return forward.has_escape();
  return false;
}

// The hops that a forward of either kind offers.
template <class F>
void offered(const F& forward, Node node, const Header& header, Hops& out) {
  out.clear();
  if constexpr (Deterministic<F>)
    out.push_back(forward.next(node, header));
  else
    forward.hops(node, header, out);
}

}  // namespace banyan::routing
