// Routes a fabric, asks whether the routing is right, and prints its load and throughput.
#include <banyan/banyan.hpp>
#include <iostream>

int main(int argc, char** argv) try {
  const banyan::Fabric fabric(argc > 1 ? argv[1] : "4-ary 3-tree");
  const banyan::Routing routing(fabric, argc > 2 ? argv[2] : "dmodk");
  std::cout << fabric.hosts() << " hosts, " << fabric.switches() << " switches\n";
  std::cout << "right: " << (routing.check().truth("yes") ? "yes" : "no") << '\n';

  const banyan::Answer load =
      routing.load("permutation", {{"samples", "1000"}, {"seed", "1"}, {"channels", "true"}});
  std::cout << "max_load " << load.number("max_load") << " on " << load.text("hottest.0.name") << '\n';
  double total = 0;
  for (const double x : load.numbers("channel_loads")) total += x;  // the answer's own array
  std::cout << "loads of all channels " << total << '\n';

  const banyan::Answer run = routing.simulate("uniform", {{"load", "0.4"}, {"cycles", "2000"}});
  std::cout << "accepted " << run.number("accepted") << '\n';
} catch (const banyan::Error& error) {
  std::cerr << error.what() << '\n';
  return error.status;
}
