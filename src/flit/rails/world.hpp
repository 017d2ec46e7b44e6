// A few hosts and what is on its way between them, without time: what explore() walks through.
#pragma once
#include "flit/rails/explore.hpp"

namespace banyan::flit {

// Something on its way. A stripe has stages: 0 it has been given to the NIC, 1 it has begun to arrive, 2 its
// last flit has left the source; then it is received.
struct Flying {
  enum class Kind : u8 { control, stripe } kind;
  ControlKind control{};
  bool is_reserved = false;
  u8 stage = 0;
  u16 rail = 0, to_rail = 0;
  u32 from = 0, to = 0, wish = 0, flits = 0;
  int counter = 0;
  auto operator<=>(const Flying&) const = default;
};

struct World {
  std::vector<RailHost> hosts;
  std::vector<Flying> air;     // sorted
  std::vector<u32> posted;     // by host and process: how many of its wishes
  std::vector<u32> missing;    // by wish: flits that have not arrived
  std::vector<u32> allocated;  // by host and process: the wish its allocation is for

  std::string key() const;  // equal for worlds that behave alike
};

// What may happen next in a world.
struct Event {
  enum class Kind : u8 { post, fly, expire } kind;
  u32 who;  // host and process, or a place in the air
};

class Walk {
 public:
  explicit Walk(const Exploration& what);

  World start() const;
  std::vector<Event> events(const World& world) const;
  // The world afterwards. Throws std::logic_error where an invariant breaks.
  World after(const World& world, const Event& event, Explored* count = nullptr) const;
  std::string words(const World& world, const Event& event) const;
  // What must not be, in words; empty: all is well.
  std::string wrong(const World& world) const;
  bool is_over(const World& world) const;  // all delivered, nothing in the air, every NIC free

 private:
  void apply(World& world, u32 host, RailActions& actions) const;
  void fly(World& world, u32 place, RailActions& actions, u32& actor, Explored* count) const;

  Exploration what_;
  ReadyPolicy ready_;
  std::vector<std::vector<u32>> wishes_of_;  // by host and process
};

}  // namespace banyan::flit
