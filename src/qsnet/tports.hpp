// Tagged message ports: messages with envelopes that the thread processor of the receiver matches.
//
// A message up to `inline` bytes travels with its envelope. Of a longer one the receiver's card fetches the
// data once it has matched; an asynchronous one that nobody has asked for yet is fetched into a system buffer
// and copied by the host later, a synchronous one waits at its sender.
#pragma once
#include "qsnet/machine.hpp"

namespace banyan::qsnet {

struct TportMessage {
  u32 from = 0, to = 0, tag = 0;
  u64 bytes = 0;
  Memory source = Memory::main, target = Memory::main;
  bool synchronous = false;
};

class Tports {
 public:
  explicit Tports(Machine& machine) : machine_(machine), ports_(machine.hosts()) {}

  static constexpr u32 any = nothing;
  u32 send(const TportMessage& message);     // starts it; the number of the message
  u32 receive(u32 host, u32 from, u32 tag);  // starts it: from and tag, or any; the number of the receive

  // A send or a receive that is over, as far as its host knows.
  struct Done {
    bool is_send;
    u32 host, number, message;
  };
  std::optional<Done> handle(const Notice& notice);  // of any notice whose tag is below first_free_tag

  static constexpr u32 first_free_tag = 0x60000000;
  const TportMessage& message(u32 i) const { return messages_[i].what; }
  u64 unexpected() const { return unexpected_; }

 private:
  enum Step : u32 { envelope, asked, sent, received, copied, buffered };
  static u32 tag_of(Step step, u32 number) { return step << 28 | number; }
  enum class Data : u8 { at_sender, under_way, in_buffer };
  struct Message {
    TportMessage what;
    Data data = Data::at_sender;
    u32 receive = nothing;  // that it was matched with
  };
  struct Receive {
    u32 host, from, tag, message = nothing;
  };
  struct Port {
    std::vector<u32> posted, unexpected;  // receives; messages; in order of arrival
  };

  bool fits(const Receive& receive, const Message& message) const;
  bool is_inline(const Message& m) const { return m.what.bytes <= machine_.parameters().inline_bytes; }
  u32 host_event(u32 host, Step step, u32 number);
  void fetch(u32 message);
  void arrive(u32 message);
  void ask(u32 receive);
  void match(u32 receive, u32 message, bool was_waiting);
  void deliver(u32 message);
  void buffer(u32 message);

  Machine& machine_;
  std::vector<Message> messages_;
  std::vector<Receive> receives_;
  std::vector<Port> ports_;
  u64 unexpected_ = 0;
};

}  // namespace banyan::qsnet
