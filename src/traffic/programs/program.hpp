// Program: what the ranks of a job do, as a graph. Every rank computes, sends and receives; an operation
// begins when those it waits for have ended, or have begun. Rounds of a collective are the special case in
// which a rank waits for its whole round (from_rounds.hpp). docs/programs.md describes model and formats.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

using Op = u32;  // an operation of any rank, from 0 in the order in which they were added

// Flat arrays, some 45 bytes for an operation. Built by a ProgramBuilder, then never changed.
struct Program {
  enum class Kind : u8 { compute, send, receive };
  // Operations of one stream of a rank, such as a core, a GPU or a queue of one, run one at a time. Sends of
  // one NIC of a rank keep a gap between them.
  struct Where {
    u32 stream = 0, nic = 0;
  };

  std::string file{};       // where it was read from, for messages
  std::string algorithm{};  // of a collective that was made; empty: it is none
  u32 ranks = 0;
  std::vector<Kind> kind;
  std::vector<u32> rank;
  std::vector<double> amount;  // seconds of computing; bytes of a message, as its sender says
  std::vector<Op> partner;     // of a send its receive, of a receive its send; of computing itself
  std::vector<u32> tag;
  std::vector<Where> where;
  std::vector<u32> line;    // of the file; 0: there is none
  std::vector<u32> weight;  // of a message, by its send; empty: all are 1
  // Those that wait for an operation: first_next[op] to first_next[op + 1] in `next`.
  std::vector<u32> first_next, next;  // 2 * operation, and 1 more where it waits for the beginning only
  struct Unequal {
    Op receive;
    double bytes;
  };
  std::vector<Unequal> unequal;  // receives that name another size than their sender, and that size

  u32 size() const { return static_cast<u32>(kind.size()); }
  u32 weight_of(Op send) const { return weight.empty() ? 1 : weight[send]; }
  u32 messages() const;
  double bytes() const;
  std::string text(Op op) const { return text(op, amount[op]); }  // "recv 10b from 4 tag 5"
  std::string name(Op op) const { return name(op, amount[op]); }  // the same behind "rank 3, line 17: "
  // With another amount, as the file has it.
  std::string text(Op op, double of) const;
  std::string name(Op op, double of) const;
};

class ProgramBuilder {
 public:
  explicit ProgramBuilder(u32 ranks, std::string file = {});

  u32 ranks() const { return out_.ranks; }
  u32 size() const { return out_.size(); }
  void set_file(std::string file) { out_.file = std::move(file); }  // that messages name from now on

  // A rank or a peer that is not there is refused.
  Op compute(u32 rank, double seconds, Program::Where where = {}, u32 line = 0);
  Op send(u32 rank, u32 to, double bytes, u32 tag, Program::Where where = {}, u32 line = 0);
  Op receive(u32 rank, u32 from, double bytes, u32 tag, Program::Where where = {}, u32 line = 0);
  // Where the message of a send shares a channel, it gets so many times what one of weight 1 gets. Above 0.
  void weigh(Op send, u32 weight);
  // Of the same rank: `op` begins when `earlier` has ended, or has begun.
  void wait(Op op, Op earlier, bool only_begun = false);

  // Pairs sends with receives: the n-th send of a rank to another with a tag is for the n-th receive there.
  // Throws InputError for one that has no partner.
  Program take();

 private:
  Op add(Program::Kind kind, u32 rank, double amount, u32 peer, u32 tag, Program::Where where, u32 line);
  void pair();
  void list_next();

  struct Wait {
    Op earlier;
    u32 next;  // as in Program
  };
  Program out_;
  std::vector<Wait> waits_;
};

// How a program waits for ever, if it does.
enum class Buffering : u8 {
  all,   // a send ends by itself
  none,  // a send ends when its receive has begun, as long messages of MPI do
};
// Operations that wait for each other, each for the next, and the last for the first; empty: it ends.
std::vector<Op> find_cycle(const Program& program, Buffering buffering);
std::string cycle_text(const Program& program, const std::vector<Op>& cycle);

// Throws InputError where operations wait for each other even if every send is buffered.
void require_end(const Program& program);

}  // namespace banyan::traffic
