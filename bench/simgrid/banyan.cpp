// The chains by Banyan's library: a network that is advanced until nothing is left.
// Prints the CPU seconds of the run, those of the whole process, and the simulated seconds.
#include <banyan/banyan.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "chains.hpp"

int main(int argc, char** argv) {
  const Chains chains = chains_of(argc, argv);
  const unsigned hosts = chains.tree.hosts();
  const banyan::Routing routing(banyan::Fabric(chains.tree.notation()), "dmodk");
  std::unique_ptr<banyan::Network> network;
  std::vector<unsigned> sent(std::size_t{hosts} * chains.each);
  const auto send = [&](unsigned line) {
    if (sent[line] == chains.length) return;
    const Message message = chains.message(line / chains.each, line % chains.each, sent[line]++);
    network->send(line / chains.each, message.to, message.bytes, line);
  };
  double end = 0;
  network = std::make_unique<banyan::Network>(routing, banyan::Options{{"link", "1GB/s"}},
                                              [&](const banyan_arrival& arrival) {
                                                end = arrival.time;
                                                send(static_cast<unsigned>(arrival.tag));
                                              });
  const double before = cpu();
  for (unsigned line = 0; line < sent.size(); ++line) send(line);
  network->advance(std::numeric_limits<double>::infinity());
  const double after = cpu();
  std::printf("%.6f %.6f %.12f\n", after - before, after, end);
  return 0;
}
