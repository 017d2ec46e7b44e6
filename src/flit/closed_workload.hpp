// The rounds of a collective, once. Private to Workload.
#pragma once
#include <vector>

#include "flit/workload.hpp"

namespace banyan::flit {

struct Workload::Closed {
  struct Awaited {
    u32 round, messages;
  };
  struct Member {
    std::vector<Post> posts;       // in order of their rounds
    std::vector<Awaited> awaited;  // likewise: what has not arrived yet
    std::size_t next_post = 0, open_posts = 0, first_awaited = 0;

    // Posts that wait for nothing any more are created now.
    void open(u64 now) {
      while (first_awaited < awaited.size() && awaited[first_awaited].messages == 0) ++first_awaited;
      const u32 gate = first_awaited < awaited.size() ? awaited[first_awaited].round : ~u32{0};
      for (; open_posts < posts.size() && posts[open_posts].round <= gate; ++open_posts)
        posts[open_posts].created = now;
    }
    u64 next_time() const { return next_post < open_posts ? posts[next_post].created : never; }
  };

  IdVector<Seat, Member> members;
  u32 reaction_cycles = 0;
  u64 messages = 0;
  u32 common_flits = 0;  // the largest number that divides the size of every message
  bool waits = true;     // for what arrives
};

}  // namespace banyan::flit
