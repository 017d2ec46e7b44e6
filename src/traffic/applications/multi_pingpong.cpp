// IMB Multi-PingPong: rank i and rank i + half send each other messages in turn, all pairs at once, of 0, 1,
// 2, 4 bytes and so on to 4 MiB: 1,000 times, fewer where that is more than 40 MiB.
#include <algorithm>

#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile multi_pingpong(u32 ranks, u32 size) {
  ProfileMaker out(ranks);
  const u32 half = ranks / 2;
  const u64 maximum = u64{size} * 1024;
  for (u64 bytes = 0; bytes <= maximum; bytes = std::max<u64>(1, 2 * bytes)) {
    std::vector<Demand> there, back;
    for (u32 i = 0; i < half; ++i) {
      there.push_back(message(i, i + half, bytes));
      back.push_back(message(i + half, i, bytes));
    }
    const u64 repeats = bytes == 0 ? 1000 : std::clamp<u64>((u64{40} << 20) / bytes, 1, 1000);
    out.phase(std::to_string(bytes) + " bytes", repeats).round(there).round(back);
  }
  return out.take();
}

}  // namespace

Application multi_pingpong_application() {
  return {"multi_pingpong", "pairs that are half the ranks apart send in turn, by size of message",
          "KiB of the longest message", 4096, multi_pingpong};
}

}  // namespace banyan::traffic
