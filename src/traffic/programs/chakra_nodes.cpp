#include "traffic/programs/chakra_nodes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace banyan::traffic {
namespace {

constexpr u32 whole_file = 0;

}  // namespace

bool ChakraNode::set(const std::string& attribute, double value) {
  bool is_known = attribute == "duration_seconds";
  if (is_known) seconds = value;
  numbers(*this, [&](std::string_view known, std::optional<u64>& out) {
    if (attribute != known) return;
    is_known = true;
    if (!(value >= 0 && value <= 9e15))
      throw InputError(fmt::format("node {}: found {} for {}, expected a whole number", id, value, known));
    out = static_cast<u64>(value);
  });
  return is_known;
}

void ChakraProgram::begin_file(const std::string& file, u32 rank) {
  file_ = file;
  rank_ = rank;
  number_ = 0;
}

void ChakraProgram::fail(const ChakraNode& node, const std::string& what) const {
  throw InputError(Place{file_, whole_file},
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
      return builder_.compute(rank, 0, where, number_);
    case NodeType::load:
    case NodeType::store:
    case NodeType::compute:
      if (!(seconds >= 0) || !std::isfinite(seconds))
        fail(node, fmt::format("found a duration of {}", seconds));
      return builder_.compute(rank, seconds, where, number_);
    case NodeType::send:
    case NodeType::receive: {
      const bool sends = static_cast<NodeType>(node.type) == NodeType::send;
      const std::optional<u64>& peer = sends ? node.to : node.from;
      if (!peer) fail(node, sends ? "found a send without comm_dst" : "found a receive without comm_src");
      if (*peer >= builder_.ranks())
        fail(node, fmt::format("found rank {}, expected one below {}", *peer, builder_.ranks()));
      const double bytes = static_cast<double>(node.bytes.value_or(0));
      const u32 other = static_cast<u32>(*peer);
      return sends ? builder_.send(rank, other, bytes, tag, where, number_)
                   : builder_.receive(rank, other, bytes, tag, where, number_);
    }
    default:
      fail(node,
           fmt::format("found type {}, expected computing, memory, a send or a receive: collectives are "
                       "not divided into messages here",
                       node.type));
  }
}

void ChakraProgram::add(const ChakraNode& node) {
  ++number_;
  const u64 rank = node.rank.value_or(rank_);
  if (rank >= builder_.ranks())
    fail(node, fmt::format("found rank {}, expected one below {}", rank, builder_.ranks()));
  const Op op = add_operation(static_cast<u32>(rank), node);
  if (!ops_[static_cast<u32>(rank)].emplace(node.id, op).second) fail(node, "found two nodes with this id");
  for (const u64 earlier : node.after) waiting_.push_back({static_cast<u32>(rank), op, earlier, false});
  for (const u64 earlier : node.after_begin) waiting_.push_back({static_cast<u32>(rank), op, earlier, true});
}

void ChakraProgram::end_file() {
  for (const Waiting& waiting : waiting_) {
    const auto& ops = ops_[waiting.rank];
    const auto found = ops.find(waiting.earlier);
    if (found == ops.end())
      throw InputError(Place{file_, whole_file},
                       fmt::format("a node of rank {} waits for node {}, which is not there", waiting.rank,
                                   waiting.earlier));
    builder_.wait(waiting.op, found->second, waiting.only_begun);
  }
  waiting_.clear();
  ops_.clear();
}

Program ChakraProgram::take(std::string file) {
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
    }
    f(node);
  }
}

}  // namespace banyan::traffic
