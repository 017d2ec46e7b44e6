// EmDL: the paper's picture of deep learning, IMB's all-reduce with 0.1 s of computing before each. Sizes are
// IMB's, 4 bytes to 4 MiB. Ours: ten times each.
#include "traffic/applications/application.hpp"

namespace banyan::traffic {
namespace {

Profile emdl(u32 ranks, u32 size) {
  ProfileMaker out(ranks);
  for (u64 bytes = 4; bytes <= u64{size} * 1024; bytes *= 2)
    out.phase(std::to_string(bytes) + " bytes", 10, 0.1)
        .collective(allreduce(ranks, AllreduceOptions{.bytes = bytes, .element = 4}));
  return out.take();
}

}  // namespace

Application emdl_application() {
  return {"emdl", "all-reduce and 0.1 s of computing in turn, by size", "KiB of the longest vector", 4096,
          emdl};
}

}  // namespace banyan::traffic
