#include "traffic/programs/chakra_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "traffic/pattern.hpp"

namespace banyan::traffic {
namespace {

// By Chakra's numbers of collectives (CollectiveCommType of et_def.proto): what we call them.
struct ChakraCollective {
  std::string_view name;
  bool has_root;
};
constexpr u64 max_chakra_weight = 1'000'000;
constexpr std::array<ChakraCollective, 10> chakra_collectives{{{"allreduce", false},
                                                               {"reduce", true},
                                                               {"allgather", false},
                                                               {"gather", true},
                                                               {"scatter", true},
                                                               {"broadcast", true},
                                                               {"alltoall", false},
                                                               {"reduce-scatter", false},
                                                               {"reduce-scatter", false},
                                                               {"barrier", false}}};
constexpr u32 collective_tag = u32{1} << 31;  // no message of a trace should have one from here on

}  // namespace

bool ChakraNode::set(const std::string& attribute, const std::string& value) {
  const bool is_group = attribute == "pg_name" || attribute == "comm_group";
  if (is_group) group = value;
  return is_group;
}

bool ChakraNode::set(const std::string& attribute, double value) {
  if (set(attribute, fmt::format("{:.15g}", value))) return true;
  bool is_known = attribute == "duration_seconds";
  if (is_known) seconds = value;
  numbers(*this, [&](std::string_view known, std::optional<u64>& out) {
    if (attribute != known) return;
    is_known = true;
    if (!(value >= 0 && value <= 9e15) || value != std::floor(value))
      wrong = fmt::format("found {} for {}, expected a whole number", value, known);
    else
      out = static_cast<u64>(value);
  });
  return is_known;
}

std::string chakra_name(std::span<const ChakraSource> sources) {
  std::string out = sources[0].file;
  if (sources.size() == 1) return out;
  const auto at = out.rfind(".0.");
  return at == out.npos ? "" : out.replace(at, 3, ".RANK.");
}

void ChakraProgram::begin_file(const std::string& file, u32 rank) {
  file_ = file;
  rank_ = rank;
  number_ = 0;
}

void ChakraProgram::fail(const ChakraNode& node, const std::string& what) const {
  throw InputError(Place{file_, node.line},
                   fmt::format("node {} (rank {}): {}", node.id, node.rank.value_or(rank_), what));
}

u32 ChakraProgram::number(const ChakraNode& node, std::string_view what,
                          const std::optional<u64>& value) const {
  if (value.value_or(0) > ~u32{0})
    fail(node, fmt::format("found {} for {}, expected at most {}", *value, what, ~u32{0}));
  return static_cast<u32>(value.value_or(0));
}

Op ChakraProgram::add_operation(u32 rank, const ChakraNode& node) {
  const Program::Where where{number(node, "stream", node.stream), number(node, "nic", node.nic)};
  const double seconds = node.seconds.value_or(1e-6 * static_cast<double>(node.micros));
  const u32 tag = number(node, "comm_tag", node.tag);
  switch (static_cast<NodeType>(node.type)) {
    case NodeType::metadata:
      return builder_.compute(rank, 0, where, line_);
    case NodeType::load:
    case NodeType::store:
    case NodeType::compute:
      if (!(seconds >= 0) || !std::isfinite(seconds))
        fail(node, fmt::format("found a duration of {}", seconds));
      return builder_.compute(rank, seconds, where, line_);
    case NodeType::send:
    case NodeType::receive: {
      const bool sends = static_cast<NodeType>(node.type) == NodeType::send;
      const std::optional<u64>& peer = sends ? node.to : node.from;
      if (!peer) fail(node, sends ? "found a send without comm_dst" : "found a receive without comm_src");
      if (*peer >= builder_.ranks())
        fail(node, fmt::format("found rank {}, expected one below {}", *peer, builder_.ranks()));
      const double bytes = static_cast<double>(node.bytes.value_or(0));
      const u32 other = static_cast<u32>(*peer);
      if (!sends) return builder_.receive(rank, other, bytes, tag, where, line_);
      const Op op = builder_.send(rank, other, bytes, tag, where, line_);
      const u64 weight = node.weight.value_or(1);
      if (weight == 0 || weight > max_chakra_weight)
        fail(node, fmt::format("found a weight of {}, expected 1 to {}", weight, max_chakra_weight));
      builder_.weigh(op, static_cast<u32>(weight));
      return op;
    }
    case NodeType::collective:
      return add_collective(rank, node, where);
    default:
      fail(node, fmt::format("found type {}, expected computing, memory, a send, a receive or a collective",
                             node.type));
  }
}

// Two operations that take no time, the second right behind the first; its messages come between them when
// all ranks are there.
Op ChakraProgram::add_collective(u32 rank, const ChakraNode& node, Program::Where where) {
  if (!node.collective || *node.collective >= chakra_collectives.size())
    fail(node, "found a collective without a comm_type from 0 to 9");
  const auto& [name, has_root] = chakra_collectives[*node.collective];
  std::string what(name);
  if (name != "barrier") what += fmt::format(":bytes={}", node.bytes.value_or(0));
  const Op begin = builder_.compute(rank, 0, where, line_), end = builder_.compute(rank, 0, where, line_);
  builder_.wait(end, begin);
  collective_begins_.insert(begin);
  collectives_[node.group][rank].push_back(
      {what, has_root ? std::optional(node.root.value_or(0)) : std::nullopt, begin, end,
       fmt::format("{}, node {} (rank {})", file_, node.id, rank)});
  return begin;
}

void ChakraProgram::expand(const std::string& group, const OfRanks& collectives) {
  const std::string of = group.empty() ? "" : fmt::format(" of process group '{}'", group);
  const auto& [first, list] = *collectives.begin();
  if (group.empty() && collectives.size() < builder_.ranks())
    for (u32 rank = 0; rank < builder_.ranks(); ++rank)
      if (!collectives.contains(rank))
        throw InputError(fmt::format("rank {} has 0 collectives and rank {} has {}: expected as many of all",
                                     rank, first, list.size()));
  for (const auto& [rank, some] : collectives)
    if (some.size() != list.size())
      throw InputError(fmt::format("rank {} has {} collectives{} and rank {} has {}: expected as many of all",
                                   rank, some.size(), of, first, list.size()));
  const u32 ranks = static_cast<u32>(collectives.size());
  const Topology anything = make_topology(fmt::format("XGFT(1; {}; 1)", ranks));
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<std::pair<u32, const Collective*>> members;
    for (const auto& [rank, some] : collectives) {
      if (some[i].what != list[i].what || some[i].root != list[i].root)
        throw InputError(fmt::format("{} is {}, and rank {} has {} there", some[i].where, some[i].text(),
                                     first, list[i].text()));
      members.emplace_back(rank, &some[i]);
    }
    std::string what = list[i].what;
    if (list[i].root) {
      const auto root = collectives.find(static_cast<u32>(std::min<u64>(*list[i].root, ~u32{0})));
      if (root == collectives.end())
        throw InputError(fmt::format("{}: root {} is none of the ranks{}", list[i].where, *list[i].root, of));
      what += fmt::format(",root={}", std::distance(collectives.begin(), root));
    }
    if (ranks > 1) add_messages(members, make_traffic({anything, ranks}, what));
  }
}

// As in rounds: a rank begins its next one when its messages of the one before have ended.
void ChakraProgram::add_messages(const std::vector<std::pair<u32, const Collective*>>& members,
                                 const Traffic& traffic) {
  const u32 tag = collective_tag + expanded_++;
  std::vector<std::vector<Op>> last(traffic.ranks);
  for (u32 member = 0; member < traffic.ranks; ++member) last[member] = {members[member].second->begin};
  std::vector<Demand> messages;
  for (u64 round = 0; round < traffic.rounds; ++round) {
    messages.clear();
    traffic.list(0, 0, round, messages);
    std::vector<std::vector<Op>> open(traffic.ranks);
    const auto add = [&](u32 member, Op op) {
      for (const Op earlier : last[member]) builder_.wait(op, earlier);
      open[member].push_back(op);
    };
    u32 place = collective_tag;  // a stream and a NIC for each message
    for (const Demand& d : messages) {
      const u32 from = members[index(d.from)].first, to = members[index(d.to)].first;
      add(index(d.from), builder_.send(from, to, d.amount, tag, {place, place}));
      add(index(d.to), builder_.receive(to, from, d.amount, tag, {place, place}));
      ++place;
    }
    for (u32 member = 0; member < traffic.ranks; ++member)
      if (!open[member].empty()) last[member] = std::move(open[member]);
  }
  for (u32 member = 0; member < traffic.ranks; ++member)
    for (const Op op : last[member]) builder_.wait(members[member].second->end, op);
}

void ChakraProgram::add(const ChakraNode& node) {
  ++number_;
  line_ = node.line > 0 ? node.line : number_;
  if (!node.wrong.empty()) fail(node, node.wrong);
  const u64 rank = node.rank.value_or(rank_);
  if (rank >= builder_.ranks())
    fail(node, fmt::format("found rank {}, expected one below {}", rank, builder_.ranks()));
  const Op op = add_operation(static_cast<u32>(rank), node);
  if (!ops_[static_cast<u32>(rank)].emplace(node.id, op).second) fail(node, "found two nodes with this id");
  for (const u64 earlier : node.after)
    waiting_.push_back({static_cast<u32>(rank), op, node.id, earlier, false, node.line});
  for (const u64 earlier : node.after_begin)
    waiting_.push_back({static_cast<u32>(rank), op, node.id, earlier, true, node.line});
}

void ChakraProgram::end_file() {
  for (const Waiting& waiting : waiting_) {
    const auto& ops = ops_[waiting.rank];
    const auto found = ops.find(waiting.earlier);
    if (found == ops.end())
      throw InputError(Place{file_, waiting.line},
                       fmt::format("node {} (rank {}) waits for node {}, which is not there", waiting.node,
                                   waiting.rank, waiting.earlier));
    const bool is_collective = !waiting.only_begun && collective_begins_.contains(found->second);
    builder_.wait(waiting.op, found->second + (is_collective ? 1 : 0), waiting.only_begun);
  }
  waiting_.clear();
  ops_.clear();
}

Program ChakraProgram::take(std::string file) {
  for (const auto& [group, collectives] : collectives_) expand(group, collectives);
  builder_.set_file(std::move(file));
  return builder_.take();
}

void each_chakra_node(const Program& program, const std::function<void(const ChakraNode&)>& f) {
  std::vector<std::vector<u32>> before(program.size());
  for (Op op = 0; op < program.size(); ++op)
    for (u32 i = program.first_next[op]; i < program.first_next[op + 1]; ++i)
      before[program.next[i] / 2].push_back(2 * op + program.next[i] % 2);
  for (Op op = 0; op < program.size(); ++op) {
    ChakraNode node;
    node.id = op;
    node.rank = program.rank[op];
    node.stream = program.where[op].stream;
    for (const u32 earlier : before[op]) (earlier % 2 ? node.after_begin : node.after).push_back(earlier / 2);
    if (program.kind[op] == Program::Kind::compute) {
      node.type = static_cast<u32>(NodeType::compute);
      node.name = "COMP_NODE";
      node.micros = static_cast<u64>(std::llround(1e6 * program.amount[op]));
      node.seconds = program.amount[op];
    } else {
      const bool sends = program.kind[op] == Program::Kind::send;
      const u64 peer = program.rank[program.partner[op]];
      node.type = static_cast<u32>(sends ? NodeType::send : NodeType::receive);
      node.name = sends ? "COMM_SEND_NODE" : "COMM_RECV_NODE";
      node.from = sends ? program.rank[op] : peer;
      node.to = sends ? peer : program.rank[op];
      node.tag = program.tag[op];
      node.bytes = static_cast<u64>(std::llround(program.amount[op]));
      node.nic = program.where[op].nic;
      if (sends && program.weight_of(op) != 1) node.weight = program.weight_of(op);
    }
    f(node);
  }
}

}  // namespace banyan::traffic
