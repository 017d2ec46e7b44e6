// All shifts at once against every shift by itself, over random fabrics, engines, faults and planted errors.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "base/random.hpp"
#include "engines/engine.hpp"
#include "routing/table_form.hpp"
#include "support/plain_shifts.hpp"
#include "support/random_topology.hpp"
#include "verify/shifts.hpp"

namespace banyan::tests {
namespace {

bool is_small(const Topology& t) { return t.fabric.hosts() <= 30 && t.fabric.nics() <= 60; }

void check_certificate(const ShiftCertificate& certificate, const Fabric& fabric, const Routing& routing,
                       const PlainShifts& plain) {
  RC_ASSERT(recheck_shifts(certificate, fabric, routing));
  std::stringstream file;
  write_shift_certificate(file, certificate, fabric);
  RC_ASSERT(read_shift_certificate(file, "file", fabric) == certificate);
  std::vector<Channel> used;
  for (const auto& [c, load] : plain.worst_of)
    if (fabric.is_switch(fabric.from(c))) used.push_back(c);
  if (used.empty()) return;
  ShiftCertificate forged = certificate;
  ChannelSpan& span = forged.parts[0].spans[used[draw(0, static_cast<u32>(used.size()) - 1)]];
  const ChannelSpan honest = span;
  for (const ChannelSpan lie : {ChannelSpan{}, ChannelSpan{honest.first, honest.length, fabric.hosts() + 1},
                                ChannelSpan{fabric.hosts(), honest.length, honest.gap}}) {
    span = lie;
    RC_ASSERT(!recheck_shifts(forged, fabric, routing));
  }
}

void expect_alike(const Fabric& fabric, const Routing& routing) {
  const auto result = judge_shifts(fabric, routing, {.certificate = true});
  RC_ASSERT(std::holds_alternative<ShiftVerdict>(result));
  const ShiftVerdict& v = std::get<ShiftVerdict>(result);
  const PlainShifts plain = plain_shifts(fabric, routing);
  RC_ASSERT(v.units * plain_unit == plain.worst * v.per);
  RC_ASSERT(v.left_out == plain.left_out);
  RC_ASSERT(v.pairs == u64{fabric.nics()} * (fabric.hosts() - 1));
  RC_ASSERT(v.contention_free() == (plain.worst <= plain_unit));
  RC_ASSERT(v.contention_free() == v.certificate.has_value());
  if (plain.worst == 0) {
    RC_ASSERT(v.worst_shift == 0u && v.channel == none<Channel> && v.flows.empty());
  } else {
    RC_ASSERT(v.worst_shift > 0u && v.worst_shift < fabric.hosts());
    RC_ASSERT(plain.loads[v.worst_shift].at(v.channel) == plain.worst);
    u64 sum = 0;
    for (const ShiftFlow& flow : v.flows) sum += flow.units;
    RC_ASSERT(sum == v.units);
  }
  if (v.certificate) check_certificate(*v.certificate, fabric, routing, plain);
}

RC_GTEST_PROP(Shifts, AreDecidedAsOneByOneForEveryEngine, ()) {
  const Topology t = random_topology();
  RC_PRE(is_small(t));
  for (const Engine& engine : engines::engines()) {
    PluginText text{std::string(engine.name), {}};
    for (const OptionInfo& option : engine.options)
      if (option.key == "paths") text.set("paths", std::to_string(draw(1, 4)));
    const RouteResult result = route(t, text);
    const auto* routing = std::get_if<Routing>(&result);
    if (!routing || engine.name == "umulti") continue;  // any number of ways: below
    if (is_adaptive(*routing)) {
      RC_ASSERT(std::holds_alternative<NotApplicable>(judge_shifts(t.fabric, *routing)));
      continue;
    }
    RC_LOG() << canonical_notation(t) << " " << engine.name << std::endl;
    expect_alike(t.fabric, *routing);
  }
}

RC_GTEST_PROP(Shifts, AreFreeOfContentionWithAllPaths, ()) {
  Pgft tree = random_pgft();
  tree.w[0] = tree.p[0] = 1;
  for (u32 l = 1; l < tree.h(); ++l) tree.p[l] = 1, tree.w[l] = tree.m[l - 1];
  const Topology t = build(tree);
  RC_PRE(is_small(t) && t.fabric.hosts() > 1);
  const auto v = std::get<ShiftVerdict>(judge_shifts(t.fabric, std::get<Routing>(route(t, "umulti"))));
  RC_ASSERT(v.contention_free() && v.units == v.per);
}

RC_GTEST_PROP(Shifts, OfTreesAreDecidedAlikeByFormulaAndByTables, ()) {
  const Topology t = draw(0, 3) == 0 ? build(random_several_nics()) : build_in_planes(random_pgft(), 2);
  RC_PRE(t.fabric.hosts() > 1 && t.fabric.nics() <= 400);
  const Routing form = std::get<Routing>(route(t, "dmodk"));
  const Routing tables = std::get<Routing>(tables_of(t, form));
  const auto a = std::get<ShiftVerdict>(judge_shifts(t.fabric, form));
  const auto b = std::get<ShiftVerdict>(judge_shifts(t.fabric, tables));
  RC_LOG() << canonical_notation(t) << " " << a.units << " " << b.units << std::endl;
  RC_ASSERT(a.units == b.units && a.per == 1u && b.per == 1u && b.left_out == 0u);
}

// Some entries are wrong, or missing.
void alter(Tables& tables, u32 percent) {
  Random random(draw_seed());
  for (u32 a = 0; a < tables.addresses(); ++a)
    for (u8& entry : tables.towards(Address{a}))
      if (random.below(100) < percent) entry = static_cast<u8>(random.below(8));
}

// Tables of an engine, some entries altered, in a fabric with some cables missing.
RC_GTEST_PROP(Shifts, AreDecidedAsOneByOneInBrokenFabricsAndTables, ()) {
  for (u32 i = 0; i < 4; ++i) {
    Topology t = draw(0, 1) == 0 ? random_topology() : build(random_pgft());
    if (!is_small(t)) continue;
    t.fabric = broken_or_whole(t.fabric, 25);
    const RouteResult result = route(t, draw(0, 1) == 0 ? "minhop" : "sssp");
    if (std::holds_alternative<NotApplicable>(result)) continue;
    Routing routing = std::get<Routing>(result);
    const u32 percent = draw_product(2, 4);
    alter(std::get<Tables>(routing.forward), percent);
    RC_LOG() << canonical_notation(t) << " without " << t.fabric.taken().size() << ", " << percent
             << " % altered" << std::endl;
    expect_alike(t.fabric, routing);
  }
}

// Several addresses, each with tables of its own.
RC_GTEST_PROP(Shifts, AreDecidedAsOneByOneWithSeveralAddresses, ()) {
  const Topology t = build(random_pgft());
  RC_PRE(is_small(t));
  const u32 lmc = draw(1, 2), percent = draw_product(1, 4);
  const RouteResult result = route(t, fmt::format("dmodc:lmc={}", lmc));
  RC_PRE(std::holds_alternative<Routing>(result));
  Routing routing = std::get<Routing>(result);
  alter(std::get<Tables>(routing.forward), percent);
  RC_LOG() << canonical_notation(t) << " lmc " << lmc << ", " << percent << " % altered" << std::endl;
  expect_alike(t.fabric, routing);
}

}  // namespace
}  // namespace banyan::tests
