// Edge switches below director switches, as the fat-tree of domke19 was (section 2.3): a director is a
// chassis of line and spine switches, each line cabled to each of its spines. The paper does not say which
// edge goes to which line. Here line l of every director serves the l-th part of the edges, and cable u of
// the e-th edge of a part goes to director (e + u) mod D: equal subtrees, as many as a director has lines,
// and full bisection also where, as there, 18 cables of an edge meet 12 directors.
//
// No closed form: distances and bisection are searched.
#include <fmt/format.h>

#include "topology/family.hpp"
#include "topology/shape_links.hpp"

namespace banyan::topology {
namespace {

struct Directors {
  u32 edges, hosts, up, directors, lines, spines, parallel;

  u32 cables() const { return edges * up; }
  u32 in_part() const { return edges / lines; }
  u32 line_down() const { return cables() / (directors * lines); }  // ports of a line towards edges
  // Switches: edges, then all lines, then all spines, director by director.
  u32 line(u32 director, u32 i) const { return edges + director * lines + i; }
  u32 spine(u32 director, u32 i) const { return edges + directors * lines + director * spines + i; }
};

Directors read(const Notation& n) {
  n.allow_options({"hosts", "up", "directors", "lines", "spines", "parallel", "capacity", "latency"});
  const auto v = n.groups.size() == 1 ? n.numbers(0, "edges") : std::vector<u32>();
  if (v.size() != 1)
    n.fail("expected the number of edge switches: Directors(48; hosts=14, up=18, directors=12)");
  Directors out{v[0],
                n.number("hosts", 1),
                n.number("up", 1),
                n.number("directors", 1),
                n.number("lines", 1),
                n.number("spines", 1),
                n.number("parallel", 1)};
  if (u64{out.edges} * (u64{out.hosts} + out.up) > 1'000'000 ||
      u64{out.directors} * out.lines * out.spines * out.parallel > 1'000'000)
    n.fail("too large");
  if (out.edges % out.lines != 0 || (out.in_part() % out.directors != 0 && out.up % out.directors != 0))
    n.fail(
        fmt::format("{} cables of {} edges cannot be divided evenly among {} lines of each of {} directors",
                    out.up, out.edges, out.lines, out.directors));
  return out;
}

void connect_edges(FabricBuilder& builder, const Directors& d, const Plane& plane, u8 link_class) {
  std::vector<u32> next(d.edges + d.directors * d.lines, 0);  // free port of a line
  for (u32 edge = 0; edge < d.edges; ++edge)
    for (u32 u = 0; u < d.up; ++u) {
      const u32 line = d.line((edge % d.in_part() + u) % d.directors, edge / d.in_part());
      builder.connect(plane.switch_(edge), Port{d.hosts + u}, plane.switch_(line), Port{next[line]++},
                      link_class);
    }
}

void connect_directors(FabricBuilder& builder, const Directors& d, const Plane& plane, u8 link_class) {
  for (u32 director = 0; director < d.directors; ++director)
    for (u32 l = 0; l < d.lines; ++l)
      for (u32 s = 0; s < d.spines; ++s)
        for (u32 k = 0; k < d.parallel; ++k)
          builder.connect(plane.switch_(d.line(director, l)), Port{d.line_down() + s * d.parallel + k},
                          plane.switch_(d.spine(director, s)), Port{l * d.parallel + k}, link_class);
}

FamilyResult directors(const Notation& n) {
  const Directors d = read(n);
  const auto links = read_link_classes(n, 3);
  const u32 hosts = d.edges * d.hosts;
  FabricBuilder builder(hosts);
  builder.name_next_switches("edge-");
  for (u32 i = 0; i < d.edges; ++i) builder.add_switch(d.hosts + d.up);
  builder.name_next_switches("line-");
  for (u32 i = 0; i < d.directors * d.lines; ++i) builder.add_switch(d.line_down() + d.spines * d.parallel);
  builder.name_next_switches("spine-");
  for (u32 i = 0; i < d.directors * d.spines; ++i) builder.add_switch(d.lines * d.parallel);
  const Plane plane{0, hosts};
  plane.connect_hosts(builder, hosts, d.hosts, links[0]);
  connect_edges(builder, d, plane, builder.add_class(links[1]));
  connect_directors(builder, d, plane, builder.add_class(links[2]));
  return std::move(builder).build();
}

}  // namespace

Family directors_family() {
  return {"Directors",
          "Directors(E; hosts=T, up=U, directors=D, lines=L, spines=S, parallel=P)",
          "Directors(8; hosts=2, up=3, directors=4, lines=2, spines=3)",
          "E edge switches with U cables up to D directors, each of L line and S spine switches",
          "Domke et al., SC 2019",
          directors};
}

}  // namespace banyan::topology
