#include "study/ranks.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/part.hpp"
#include "base/progress.hpp"

namespace banyan::study {
namespace {

// How many processes were started together, as Open MPI, MPICH and its kin, and srun --mpi=pmix tell them.
u64 processes_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) return std::strtoull(text, nullptr, 10);
  const char* tasks = std::getenv("PMIX_RANK") ? std::getenv("SLURM_STEP_NUM_TASKS") : nullptr;
  return tasks ? std::strtoull(tasks, nullptr, 10) : 1;
}

const RankCalls& load_calls() {
  const std::string path = part_path("libbanyan_mpi.so");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    throw InputError(
        fmt::format("several processes were started together, but the part for MPI is not there: {}; install "
                    "banyan-mpi, or libopenmpi-dev and build again",
                    dlerror()));
  if (const auto why = part_refusal(library, path)) throw InputError(*why);
  using Function = const RankCalls* (*)();
  const auto function = reinterpret_cast<Function>(dlsym(library, rank_calls_name));
  if (!function) throw InputError(path + " is not of this program");
  return *function();
}

}  // namespace

std::unique_ptr<Ranks> Ranks::start() {
  if (processes_started() < 2) return nullptr;
  std::unique_ptr<Ranks> out(new Ranks(load_calls()));
  std::error_code ignored;
  const auto seen = std::filesystem::read_symlink(fmt::format("/proc/{}/fd/2", getppid()), ignored).string();
  if (out->is_first() && (seen.starts_with("/dev/pts/") || seen.starts_with("/dev/tty"))) forward_progress();
  return out;
}

void Ranks::swap(const std::vector<std::string>& out, std::vector<std::string_view>& in) const {
  std::vector<const void*> from(size_), to(size_);
  std::vector<u64> from_bytes(size_), to_bytes(size_);
  for (u32 i = 0; i < size_; ++i) to[i] = out[i].data(), to_bytes[i] = out[i].size();
  calls_.swap(to.data(), to_bytes.data(), from.data(), from_bytes.data());
  in.clear();
  for (u32 i = 0; i < size_; ++i) in.emplace_back(static_cast<const char*>(from[i]), from_bytes[i]);
}

Exchange Ranks::exchange() const {
  return {rank_, size_, [this](const auto& out, auto& in) { swap(out, in); }};
}

void silence_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

std::string Ranks::from_first(const std::string& text) const {
  const std::vector<std::string> out(size_, is_first() ? text : "");
  std::vector<std::string_view> in;
  swap(out, in);
  return std::string(in[0]);
}

}  // namespace banyan::study
