// The same messages on the same fat-tree by SimGrid's max-min (S4U actors, LMM) and by Banyan, in one run.
// Prints both CPU times, both simulated times and the ratio. bench/simgrid/run builds and runs it; SimGrid is
// Debian's libsimgrid-dev.
//
// The fabric is XGFT(2; 16,HOSTS/16; 1,16), all links 1 GB/s each way without latency. Every host sends
// messages of about 1 MB in turn to one other: SEED 0 is the host 16 further on, where no two messages meet;
// any other seed is a random permutation. Routes go up by the destination's number (d-mod-k).
#include <simgrid/s4u.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

double cpu() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr double bytes = 1e6, speed = 1e9;
constexpr unsigned leaf = 16;

std::string host_name(unsigned h) { return "h" + std::to_string(h); }

// As in the script beside this file.
std::vector<unsigned> destinations(unsigned hosts, uint64_t seed) {
  std::vector<unsigned> out(hosts);
  for (unsigned h = 0; h < hosts; ++h) out[h] = seed == 0 ? (h + leaf) % hosts : h;
  for (unsigned i = hosts; seed != 0 && --i > 0;) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    std::swap(out[i], out[(seed >> 33) % (i + 1)]);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: simgrid HOSTS MESSAGES SEED\n");
    return 2;
  }
  const unsigned hosts = std::strtoul(argv[1], nullptr, 10), messages = std::strtoul(argv[2], nullptr, 10),
                 seed = std::strtoul(argv[3], nullptr, 10);
  const std::vector<unsigned> goals = destinations(hosts, seed);
  int count = 1;
  // What is compared are the rates: no factors of TCP, no cross-traffic, no window.
  sg4::Engine engine(&count, argv);
  sg4::Engine::set_config("network/model:CM02");
  sg4::Engine::set_config("network/crosstraffic:0");
  sg4::Engine::set_config("network/TCP-gamma:0");
  sg4::NetZone* zone = sg4::create_full_zone("fabric");
  const unsigned leaves = hosts / leaf;
  std::vector<sg4::Host*> node(hosts);
  std::vector<sg4::Link*> up(hosts), down(hosts);
  const auto link = [&](const std::string& name) {
    return zone->create_link(name, speed)->set_latency(0)->seal();
  };
  for (unsigned h = 0; h < hosts; ++h) {
    node[h] = zone->create_host(host_name(h), 1e9)->seal();
    up[h] = link("up" + std::to_string(h));
    down[h] = link("down" + std::to_string(h));
  }
  std::vector<std::vector<sg4::Link*>> rise(leaves, std::vector<sg4::Link*>(leaf)), fall = rise;
  for (unsigned l = 0; l < leaves; ++l)
    for (unsigned s = 0; s < leaf; ++s) {
      rise[l][s] = link("rise" + std::to_string(l) + "-" + std::to_string(s));
      fall[l][s] = link("fall" + std::to_string(l) + "-" + std::to_string(s));
    }
  for (unsigned h = 0; h < hosts; ++h) {
    const unsigned to = goals[h], spine = to % leaf;
    if (to == h) continue;
    std::vector<sg4::LinkInRoute> way{sg4::LinkInRoute(up[h])};
    if (h / leaf != to / leaf) {
      way.emplace_back(rise[h / leaf][spine]);
      way.emplace_back(fall[to / leaf][spine]);
    }
    way.emplace_back(down[to]);
    zone->add_route(node[h]->get_netpoint(), node[to]->get_netpoint(), nullptr, nullptr, way, false);
  }
  zone->seal();
  // Sizes differ by host, so that messages do not all end at once.
  for (unsigned h = 0; h < hosts; ++h)
    sg4::Actor::create("a" + std::to_string(h), node[h], [&, h] {
      if (goals[h] == h) return;
      sg4::Host* to = node[goals[h]];
      for (unsigned m = 0; m < messages; ++m)
        sg4::Comm::sendto(node[h], to, static_cast<uint64_t>(bytes) + 100 * (h * 7919 % 1009));
    });
  const double before = cpu();
  engine.run();
  std::printf("%.6f %.9f\n", cpu() - before, engine.get_clock());
  return 0;
}
