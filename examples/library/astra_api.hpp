// What ASTRA-sim declares of a network, as far as the adapter implements it: a stand-in for its AstraNetworkAPI.hh, so that the
// adapter is compiled and driven here without that simulator. Names and signatures are ASTRA-sim's.
#pragma once
#include <cstdint>

namespace AstraSim {

enum time_type_e { SE, MS, US, NS, FS };
struct timespec_t {
  time_type_e time_res;
  long double time_val;
};
struct sim_request {
  std::uint32_t srcRank, dstRank, tag;
  std::uint64_t reqCount;
};

class AstraNetworkAPI {
 public:
  explicit AstraNetworkAPI(int rank_) : rank(rank_) {}
  virtual ~AstraNetworkAPI() = default;
  virtual int sim_comm_get_rank() { return rank; }
  virtual timespec_t sim_get_time() = 0;
  virtual void sim_schedule(timespec_t delta, void (*handler)(void*), void* argument) = 0;
  virtual int sim_send(void* buffer, std::uint64_t count, int type, int dst, int tag, sim_request* request, void (*handler)(void*),
                       void* argument) = 0;
  virtual int sim_recv(void* buffer, std::uint64_t count, int type, int src, int tag, sim_request* request, void (*handler)(void*),
                       void* argument) = 0;
  int rank;
};

}  // namespace AstraSim
