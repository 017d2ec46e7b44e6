#include "traffic/programs/program_course.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace banyan::traffic {
namespace {

struct Span {
  double begin, end;
};

// In the order of time, those that overlap as one.
void join(std::vector<Span>& spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const Span& span : spans)
    if (kept > 0 && span.begin <= spans[kept - 1].end)
      spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
    else
      spans[kept++] = span;
  spans.resize(kept);
}

double length(const std::vector<Span>& spans) {
  return std::accumulate(spans.begin(), spans.end(), 0.0,
                         [](double sum, const Span& span) { return sum + span.end - span.begin; });
}

// Calls f(rank, its operations) for each rank that has any.
template <class F>
void each_rank(const Program& program, F f) {
  std::vector<Op> order(program.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](Op a, Op b) { return program.rank[a] < program.rank[b]; });
  for (auto first = order.begin(); first != order.end();) {
    const u32 rank = program.rank[*first];
    const auto end = std::find_if(first, order.end(), [&](Op op) { return program.rank[op] != rank; });
    f(rank, std::span<const Op>(first, end));
    first = end;
  }
}

// Computing, or computing and sending.
std::vector<Span> busy(const Program& program, const ProgramLog& log, std::span<const Op> ops, bool sends) {
  std::vector<Span> out;
  for (const Op op : ops)
    if (program.kind[op] == Program::Kind::compute || (sends && program.kind[op] == Program::Kind::send))
      if (log.end[op] > log.begin[op]) out.push_back({log.begin[op], log.end[op]});
  join(out);
  return out;
}

}  // namespace

std::vector<double> computing_seconds(const Program& program, const ProgramLog& log) {
  std::vector<std::vector<Span>> spans(program.ranks);
  for (const ProgramLog::Computed& one : log.computed) spans[one.rank].push_back({one.begin, one.end});
  std::vector<double> out;
  for (std::vector<Span>& of_rank : spans) {
    join(of_rank);
    out.push_back(length(of_rank));
  }
  return out;
}

double exposed_share(const Program& program, const ProgramLog& log, double end) {
  if (!(end > 0) || program.ranks == 0) return 0;
  double computing = 0;
  for (const double of_rank : computing_seconds(program, log)) computing += of_rank;
  return 1 - computing / (end * program.ranks);
}

std::vector<ChainStep> deciding_chain(const Program& program, const ProgramLog& log, double eager_bytes) {
  std::vector<ChainStep> out;
  if (program.size() == 0) return out;
  Op op = static_cast<Op>(std::max_element(log.end.begin(), log.end.end()) - log.end.begin());
  double until = log.end[op];
  bool is_message = false;
  const auto add = [&](double begin) {
    begin = std::min(begin, until);
    out.push_back({op, is_message, begin, until});
    until = begin;
    is_message = false;
  };
  while (op != ProgramLog::nothing) {
    const Op partner = program.partner[op];
    if (program.kind[op] == Program::Kind::send && !is_message && log.waits_for_receive[op]) {
      add(log.ready[partner]);  // when the receive began
      op = log.cause[partner] == op ? ProgramLog::nothing : log.cause[partner];
    } else if (program.kind[op] == Program::Kind::receive && log.cause[op] == partner) {
      add(log.begin[op]);
      op = partner;
      is_message = true;
    } else {
      is_message |= program.kind[op] == Program::Kind::send && program.amount[op] > eager_bytes;
      add(log.begin[op]);
      op = log.cause[op];
    }
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Course course_of(const Program& program, const ProgramLog& log, u32 max_rows, u32 columns) {
  Course out;
  out.columns = columns;
  out.ranks_of_row = std::max(1u, (program.ranks + max_rows - 1) / max_rows);
  out.rows = (program.ranks + out.ranks_of_row - 1) / out.ranks_of_row;
  out.seconds = log.end.empty() ? 0 : *std::max_element(log.end.begin(), log.end.end());
  const std::size_t cells = std::size_t{out.rows} * columns;
  out.computing.assign(cells, 0);
  out.sending.assign(cells, 0);
  out.waiting.assign(cells, 0);
  if (!(out.seconds > 0)) return out;
  const double width = out.seconds / columns;
  const auto add = [&](std::vector<double>& to, u32 rank, const Span& span, double sign) {
    const u32 row = rank / out.ranks_of_row;
    const u32 ranks = std::min(out.ranks_of_row, program.ranks - row * out.ranks_of_row);
    const u32 last = std::min(columns - 1, static_cast<u32>(span.end / width));
    for (u32 c = std::min(columns - 1, static_cast<u32>(span.begin / width)); c <= last; ++c) {
      const double shared = std::min(span.end, (c + 1) * width) - std::max(span.begin, c * width);
      if (shared > 0) to[std::size_t{row} * columns + c] += sign * shared / width / ranks;
    }
  };
  each_rank(program, [&](u32 rank, std::span<const Op> ops) {
    double ends = 0;
    for (const Op op : ops) ends = std::max(ends, log.end[op]);
    add(out.waiting, rank, {0, ends}, 1);
    for (const Span& span : busy(program, log, ops, true)) {
      add(out.sending, rank, span, 1);
      add(out.waiting, rank, span, -1);
    }
    for (const Span& span : busy(program, log, ops, false)) {
      add(out.computing, rank, span, 1);
      add(out.sending, rank, span, -1);
    }
  });
  return out;
}

}  // namespace banyan::traffic
