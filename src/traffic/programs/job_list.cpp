#include "traffic/programs/job_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"

namespace banyan::traffic {
namespace {

// The fields that count, by their numbers in the format, and how many there are.
enum SwfField : u8 {
  number = 0,
  submit = 1,
  wait = 2,
  run_time = 3,
  processors = 4,
  asked_for = 7,
  swf_fields = 18
};
using SwfNumbers = std::array<double, swf_fields>;

SwfNumbers numbers_of(std::string_view text, const Place& at) {
  SwfNumbers out{};
  std::size_t count = 0;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    const auto value = parse_real(word);
    if (!value) throw InputError(at, fmt::format("found '{}', expected a number", word.substr(0, 40)));
    if (count < out.size()) out[count] = *value;
    ++count;
  }
  if (count != out.size())
    throw InputError(at, fmt::format("found {} numbers, expected the 18 of a job in SWF", count));
  return out;
}

// 0 where it is not known, which -1 says; nothing else may be negative.
double or_zero(double value, std::string_view what, u64 job, const Place& at) {
  if (value == -1) return 0;
  if (!(value >= 0))
    throw InputError(at, fmt::format("job {}: {} is {}, expected at least 0, or -1 where it is not known",
                                     job, what, value));
  return value;
}

u32 processors_of(const SwfNumbers& fields, u64 job, const Place& at) {
  const double had = or_zero(fields[processors], "the number of processors", job, at);
  const double asked = or_zero(fields[asked_for], "the number of processors asked for", job, at);
  const double ranks = had > 0 ? had : asked;
  if (!(ranks < 1 << 24) || ranks != std::floor(ranks))
    throw InputError(
        at, fmt::format("job {}: found {} processors, expected a whole number below 16777216", job, ranks));
  return static_cast<u32>(ranks);
}

ListedJob job_of(const SwfNumbers& fields, const Place& at) {
  ListedJob out;
  if (!(fields[number] >= 0 && fields[number] < 9e15) || fields[number] != std::floor(fields[number]))
    throw InputError(at, fmt::format("found {}, expected the number of a job", fields[number]));
  out.number = static_cast<u64>(fields[number]);
  if (!(fields[submit] >= 0))
    throw InputError(at, fmt::format("job {}: it was submitted at {}, expected a time of at least 0",
                                     out.number, fields[submit]));
  out.submitted = fields[submit];
  out.waited = or_zero(fields[wait], "the wait", out.number, at);
  out.seconds = or_zero(fields[run_time], "the run time", out.number, at);
  out.ranks = processors_of(fields, out.number, at);
  return out;
}

// The same operation once more, waiting for nothing.
void append(ProgramBuilder& builder, const Program& program, Op op) {
  const u32 rank = program.rank[op], peer = program.rank[program.partner[op]], tag = program.tag[op];
  const double amount = program.amount[op];
  const Program::Where where = program.where[op];
  if (program.kind[op] == Program::Kind::compute)
    builder.compute(rank, amount, where, program.line[op]);
  else if (program.kind[op] == Program::Kind::send)
    builder.weigh(builder.send(rank, peer, amount, tag, where, program.line[op]), program.weight_of(op));
  else
    builder.receive(rank, peer, amount, tag, where, program.line[op]);
}

}  // namespace

JobList read_swf(std::istream& in, const std::string& file) {
  JobList out;
  std::string line;
  for (u64 count = 1; std::getline(in, line); ++count) {
    std::replace(line.begin(), line.end(), '\t', ' ');
    const std::string_view text = trim(std::string_view(line).substr(0, line.find(';')));
    if (text.empty()) continue;
    const Place at{file, count};
    const SwfNumbers fields = numbers_of(text, at);
    const ListedJob job = job_of(fields, at);
    if (job.ranks == 0) {
      ++out.without_processors;
      continue;
    }
    out.without_time += fields[run_time] < 0;
    out.jobs.push_back(job);
  }
  if (out.jobs.empty())
    throw InputError(Place{file, 0}, "found no job with processors, expected at least one");
  const auto begins = [](const ListedJob& job) { return job.submitted + job.waited; };
  std::stable_sort(out.jobs.begin(), out.jobs.end(),
                   [&](const ListedJob& a, const ListedJob& b) { return begins(a) < begins(b); });
  return out;
}

Program repeated(const Program& program, u32 times, double seconds) {
  ProgramBuilder builder(program.ranks, program.file);
  std::vector<u32> waits(program.size());
  for (const u32 next : program.next) ++waits[next / 2];
  std::vector<Op> last;  // by rank: what the next repeat waits for
  for (u32 repeat = 0; repeat < times; ++repeat) {
    std::vector<Op> first(program.ranks), end(program.ranks);
    for (u32 rank = 0; rank < program.ranks; ++rank) {
      first[rank] = builder.compute(rank, seconds);
      if (!last.empty()) builder.wait(first[rank], last[rank]);
    }
    const Op shift = builder.size();
    for (Op op = 0; op < program.size(); ++op) append(builder, program, op);
    for (u32 rank = 0; rank < program.ranks; ++rank) {
      end[rank] = builder.compute(rank, 0);
      builder.wait(end[rank], first[rank]);
    }
    for (Op op = 0; op < program.size(); ++op) {
      if (waits[op] == 0) builder.wait(shift + op, first[program.rank[op]]);
      const u32 begin = program.first_next[op], after = program.first_next[op + 1];
      for (u32 i = begin; i < after; ++i)
        builder.wait(shift + program.next[i] / 2, shift + op, program.next[i] % 2 == 1);
      builder.wait(end[program.rank[op]], shift + op);
    }
    last = std::move(end);
  }
  return builder.take();
}

}  // namespace banyan::traffic
