// Nodes of Chakra's traces and what Banyan reads of them. Shared by the two encodings.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traffic/programs/chakra.hpp"

namespace banyan::traffic {

enum class NodeType : u32 { invalid, metadata, load, store, compute, send, receive, collective };

struct ChakraNode {
  u64 id = 0, micros = 0;
  u32 type = 0;
  std::string name{};
  std::string group{};                      // of a collective: its process group; empty: all ranks
  std::vector<u64> after{}, after_begin{};  // nodes that must have ended, have begun
  std::optional<double> seconds{};          // `duration_seconds`; where it is missing, micros
  std::string wrong{};                      // why it is refused; empty: it is not
  u32 line = 0;  // of the file; 0: it has no lines, and the number of the node counts
  std::optional<u64> rank{}, from{}, to{}, tag{}, bytes{}, stream{}, nic{}, collective{}, root{}, weight{};

  // Calls f(name, member) for the attributes that are whole numbers; all encodings read and write these.
  static void numbers(auto& self, auto&& f) {
    f("rank", self.rank);
    f("comm_src", self.from);
    f("comm_dst", self.to);
    f("comm_tag", self.tag);
    f("comm_size", self.bytes);
    f("stream", self.stream);
    f("nic", self.nic);
    f("comm_type", self.collective);
    f("root", self.root);
    f("weight", self.weight);
  }
  // Takes an attribute; false: it is none of those that count.
  bool set(const std::string& attribute, double value);
  bool set(const std::string& attribute, const std::string& value);
};

// What messages about all files of a trace name: the file, or those of single ranks as "a.RANK.et".
std::string chakra_name(std::span<const ChakraSource> sources);

// Puts nodes of all ranks together. Dependencies may name nodes that come later.
class ChakraProgram {
 public:
  explicit ChakraProgram(u32 ranks) : builder_(ranks) {}

  void begin_file(const std::string& file, u32 rank);  // rank: of nodes that do not name one
  void add(const ChakraNode& node);
  void end_file();
  // Nodes of type COMM_COLL_NODE become messages. Those of a process group are of the ranks that have some of
  // it, those of no group are of all ranks; the n-th of each of these ranks belong together.
  Program take(std::string file);

 private:
  struct Waiting {
    u32 rank;
    Op op;
    u64 node, earlier;  // ids
    bool only_begun;
    u32 line;
  };
  [[noreturn]] void fail(const ChakraNode& node, const std::string& what) const;
  u32 number(const ChakraNode& node, std::string_view what, const std::optional<u64>& value) const;
  Op add_operation(u32 rank, const ChakraNode& node);
  Op add_collective(u32 rank, const ChakraNode& node, Program::Where where);
  struct Collective {
    std::string what;         // as a pattern is written
    std::optional<u64> root;  // a rank of the trace
    Op begin, end;            // around its messages
    std::string where;
    std::string text() const { return what + (root ? ",root=" + std::to_string(*root) : ""); }
  };
  using OfRanks = std::map<u32, std::vector<Collective>>;  // by rank, in order

  void expand(const std::string& group, const OfRanks& collectives);
  void add_messages(const std::vector<std::pair<u32, const Collective*>>& members, const Traffic& traffic);

  ProgramBuilder builder_;
  std::string file_;
  u32 rank_ = 0, number_ = 0, line_ = 0;  // number_: of the node in its file; line_: that operations get
  std::map<u32, std::unordered_map<u64, Op>> ops_;  // by rank and id
  std::vector<Waiting> waiting_;
  std::map<std::string, OfRanks> collectives_;  // by process group
  u32 expanded_ = 0;                            // collectives that have become messages
  std::set<Op> collective_begins_;
};

// Calls f(node) for every operation of a program, in order.
void each_chakra_node(const Program& program, const std::function<void(const ChakraNode&)>& f);

}  // namespace banyan::traffic
