// The messages that SimGrid and Banyan are given alike: every host has some chains, each of which sends one
// message after another to random hosts of the sender's group.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

// A fat-tree without parallel cables, PGFT(h; down; up; 1,...).
struct Tree {
  std::vector<unsigned> down, up;

  unsigned hosts() const {
    unsigned out = 1;
    for (const unsigned count : down) out *= count;
    return out;
  }
  std::string notation() const {
    return "XGFT(" + std::to_string(down.size()) + "; " + list(down) + "; " + list(up) + ")";
  }

 private:
  static std::string list(const std::vector<unsigned>& counts) {
    std::string out;
    for (const unsigned count : counts) out += (out.empty() ? "" : ",") + std::to_string(count);
    return out;
  }
};

struct Message {
  unsigned to;
  uint64_t bytes;
};

struct Chains {
  Tree tree;
  unsigned group;   // hosts that send to each other
  unsigned each;    // chains of a host
  unsigned length;  // messages of a chain

  uint64_t messages() const { return uint64_t{tree.hosts()} * each * length; }
  // Sizes differ, so that messages do not all end at once.
  Message message(unsigned host, unsigned chain, unsigned number) const {
    uint64_t x = ((uint64_t{host} * each + chain) * length + number + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    const unsigned first = host / group * group, other = 1 + static_cast<unsigned>((x >> 32) % (group - 1));
    return {first + (host - first + other) % group, 1'000'000 + (x & 0xffffffffu) % 9'000'000};
  }
};

// Of "16,64": 16 and 64.
inline std::vector<unsigned> numbers(const char* text) {
  std::vector<unsigned> out;
  for (char* end = nullptr;; text = end + 1) {
    out.push_back(static_cast<unsigned>(std::strtoul(text, &end, 10)));
    if (out.back() == 0) throw std::runtime_error("expected whole numbers above 0");
    if (*end != ',') return out;
  }
}

// Of the arguments DOWN UP GROUP EACH LENGTH.
inline Chains chains_of(int argc, char** argv) {
  if (argc != 6) throw std::runtime_error("expected DOWN UP GROUP EACH LENGTH");
  return {
      {numbers(argv[1]), numbers(argv[2])}, numbers(argv[3])[0], numbers(argv[4])[0], numbers(argv[5])[0]};
}

inline double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }
