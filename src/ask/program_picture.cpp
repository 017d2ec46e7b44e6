#include "ask/program_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ask/timing.hpp"
#include "fabric/names.hpp"
#include "traffic/programs/program_course.hpp"

namespace banyan::ask {
namespace {

constexpr std::size_t max_steps = 200, max_links = 20;
constexpr u32 max_rows = 128, picture_columns = 240;

ProgramPicture::Cells cells_of(const Course& course, const std::vector<double>& shares) {
  ProgramPicture::Cells out(course.rows);
  for (u32 row = 0; row < course.rows; ++row)
    for (u32 c = 0; c < course.columns; ++c)
      out[row].push_back(static_cast<u32>(
          std::lround(100 * std::clamp(shares[std::size_t{row} * course.columns + c], 0.0, 1.0))));
  return out;
}

std::string_view kind_of(const Program& program, const ChainStep& step) {
  if (program.kind[step.op] == Program::Kind::compute) return "computing";
  if (step.is_message) return "message";
  return program.kind[step.op] == Program::Kind::send ? "sending" : "receiving";
}

void add_chain(const Program& program, const std::vector<ChainStep>& chain, ProgramPicture& out) {
  out.chain_steps = chain.size();
  std::vector<ChainStep> shown = chain;
  const auto lasts = [](const ChainStep& step) { return step.end - step.begin; };
  if (shown.size() > max_steps) {
    // Of equal steps, those that come first in the chain, in its order.
    std::vector<u32> place(chain.size());
    std::iota(place.begin(), place.end(), 0u);
    std::stable_sort(place.begin(), place.end(),
                     [&](u32 a, u32 b) { return lasts(chain[a]) > lasts(chain[b]); });
    place.resize(max_steps);
    std::sort(place.begin(), place.end());
    shown.clear();
    for (const u32 at : place) shown.push_back(chain[at]);
  }
  for (const ChainStep& step : chain) {
    double& sum = program.kind[step.op] == Program::Kind::compute ? out.computing_seconds
                  : step.is_message                               ? out.message_seconds
                                                                  : out.other_seconds;
    sum += lasts(step);
  }
  for (const ChainStep& step : shown) {
    const u32 rank = program.rank[step.op];
    out.chain.push_back({rank, step.is_message ? program.rank[program.partner[step.op]] : rank,
                         program.line[step.op], std::string(kind_of(program, step)), program.text(step.op),
                         step.begin, lasts(step)});
  }
}

}  // namespace

ProgramPicture program_picture(const Situation& at, const Timing& timing, bool is_fluid,
                               const Program& program, const Placement& placement, const ProgramLog& log) {
  const Fabric& fabric = at.topology.fabric;
  ProgramPicture out;
  const std::vector<ChainStep> chain = deciding_chain(program, log, timing.program.eager_bytes);
  add_chain(program, chain, out);
  std::vector<Op> sends;
  for (const ChainStep& step : chain)
    if (step.is_message) sends.push_back(step.op);
  if (is_fluid)
    for (const HeldUp& held : held_up(fabric, *at.routing, program, placement, timing.program, sends)) {
      out.held_seconds += held.seconds;
      if (out.links.size() == max_links) continue;
      if (index(held.channel) >= fabric.channels().size()) {
        out.links.push_back({"inside of a host", "", "", held.seconds});
        continue;
      }
      out.links.push_back({fabric.name(fabric.from(held.channel)), port_name(fabric, held.channel),
                           fabric.name(fabric.to(held.channel)), held.seconds});
    }
  const Course course = course_of(program, log, max_rows, picture_columns);
  out.ranks_of_row = course.ranks_of_row;
  out.computing = cells_of(course, course.computing);
  out.sending = cells_of(course, course.sending);
  out.waiting = cells_of(course, course.waiting);
  return out;
}

}  // namespace banyan::ask
