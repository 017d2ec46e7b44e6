#include "qsnet/tports.hpp"

#include <algorithm>

namespace banyan::qsnet {

u32 Tports::host_event(u32 host, Step step, u32 number) {
  return machine_.add_event({.card = host, .then = Reaction::host, .subject = tag_of(step, number)});
}

u32 Tports::send(const TportMessage& message) {
  const u32 number = static_cast<u32>(messages_.size());
  messages_.push_back({message});
  const bool carries = is_inline(messages_.back());
  Transfer t{.from = message.from, .to = message.to, .source = message.source, .target = message.target};
  if (carries) {
    t.bytes = message.bytes;
    t.source_event = host_event(message.from, sent, number);
    messages_.back().data = Data::in_buffer;
  }
  t.target_event =
      machine_.add_event({.card = message.to, .then = Reaction::thread, .subject = tag_of(envelope, number)});
  machine_.put(t);
  return number;
}

u32 Tports::receive(u32 host, u32 from, u32 tag) {
  receives_.push_back({host, from, tag});
  const u32 number = static_cast<u32>(receives_.size()) - 1;
  machine_.think(host, tag_of(asked, number));
  return number;
}

bool Tports::fits(const Receive& receive, const Message& message) const {
  return (receive.from == any || receive.from == message.what.from) &&
         (receive.tag == any || receive.tag == message.what.tag);
}

// An envelope has come to the thread processor.
void Tports::arrive(u32 message) {
  Message& m = messages_[message];
  Port& port = ports_[m.what.to];
  const auto found = std::find_if(port.posted.begin(), port.posted.end(),
                                  [&](u32 receive) { return fits(receives_[receive], m); });
  if (found != port.posted.end()) {
    const u32 receive = *found;
    port.posted.erase(found);
    return match(receive, message, false);
  }
  ++unexpected_;
  port.unexpected.push_back(message);
  if (!is_inline(m) && !m.what.synchronous) fetch(message);
}

// A receive has come to the thread processor.
void Tports::ask(u32 receive) {
  Port& port = ports_[receives_[receive].host];
  const auto found = std::find_if(port.unexpected.begin(), port.unexpected.end(),
                                  [&](u32 message) { return fits(receives_[receive], messages_[message]); });
  if (found == port.unexpected.end()) return port.posted.push_back(receive);
  const u32 message = *found;
  port.unexpected.erase(found);
  match(receive, message, true);
}

void Tports::match(u32 receive, u32 message, bool was_waiting) {
  Message& m = messages_[message];
  m.receive = receive;
  receives_[receive].message = message;
  if (m.data == Data::at_sender) return fetch(message);
  if (m.data == Data::in_buffer) was_waiting ? buffer(message) : deliver(message);
}

// The card gets the data: to the receiver if it is known, else to a system buffer in main memory.
void Tports::fetch(u32 message) {
  Message& m = messages_[message];
  m.data = Data::under_way;
  Transfer t{.from = m.what.from, .to = m.what.to, .bytes = m.what.bytes, .source = m.what.source};
  t.source_event = host_event(m.what.from, sent, message);
  if (m.receive != nothing) {
    t.target = m.what.target;
    t.target_event = host_event(m.what.to, received, message);
  } else {
    t.target_event = machine_.add_event(
        {.card = m.what.to, .then = Reaction::thread, .subject = tag_of(buffered, message)});
  }
  machine_.fetch(t);
}

void Tports::deliver(u32 message) { machine_.set(host_event(messages_[message].what.to, received, message)); }

// The host copies what lies in a system buffer.
void Tports::buffer(u32 message) {
  const TportMessage& m = messages_[message].what;
  machine_.wake(transfer(m.bytes, machine_.parameters().copy_rate), m.to, tag_of(copied, message));
}

std::optional<Tports::Done> Tports::handle(const Notice& notice) {
  const u32 number = notice.tag & 0x0fffffff;
  switch (static_cast<Step>(notice.tag >> 28)) {
    case envelope:
      arrive(number);
      return std::nullopt;
    case asked:
      ask(number);
      return std::nullopt;
    case buffered:
      messages_[number].data = Data::in_buffer;
      if (messages_[number].receive != nothing) buffer(number);
      return std::nullopt;
    case sent:
      return Done{true, notice.host, number, number};
    case received:
    case copied:
      return Done{false, notice.host, messages_[number].receive, number};
  }
  return std::nullopt;
}

}  // namespace banyan::qsnet
