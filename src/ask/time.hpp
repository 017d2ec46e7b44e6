// How long a traffic in bytes takes, in seconds: as flows that share channels, or flit by flit. For
// collectives also the bandwidths that NCCL's tests print.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ask/answer.hpp"
#include "ask/program_picture.hpp"
#include "ask/rail_traffic.hpp"
#include "ask/situation.hpp"
#include "flow/message_time.hpp"
#include "traffic/applications/training_step.hpp"
#include "traffic/programs/program.hpp"

namespace banyan::ask {

enum class TimeLevel : u8 { fluid, flit, loggops };
constexpr std::array<std::string_view, 3> option_names(TimeLevel) { return {"fluid", "flit", "loggops"}; }

struct TimingOptions {
  TimeLevel level = TimeLevel::fluid;
  Speed link{50e9};
  Speed nic{};
  u32 accelerators = 1;
  Speed inside{};
  std::string rails_policy{};
  double stripe = 0;
  CrossRail cross_rail = CrossRail::allow;
  Duration overhead{}, gap{}, switch_delay{};
  Duration latency{}, byte_gap{}, byte_overhead{};
  u64 eager = 65535;
  Length cable{};
  RateModel model = RateModel::max_min;
  Sharing sharing = Sharing::fluid;
  Rounds rounds = Rounds::barrier;
  Duration resolution{};
  u32 flit_bytes = 256, packet_flits = 16, lanes = 0;

  static void fields(auto& self, auto&& f) {
    f("level", self.level,
      "fluid (messages share channels, without packets), flit (simulated), or loggops (a formula for each "
      "message)");
    f("link", self.link, "speed of a link of capacity 1: 400G (bits a second), or 50GB/s");
    f("nic", self.nic, "the most that a NIC sends, and receives; 0: as fast as its link");
    f("accelerators", self.accelerators, "ranks of each host; they divide its NICs evenly among them");
    f("inside", self.inside,
      "speed at which an accelerator sends to the others of its host, and receives; 0: no limit");
    f("rails-policy", self.rails_policy,
      "how messages use several rails; by default rail-local with several accelerators, else basic");
    f("stripe", self.stripe, "share of the available rails that one message is striped over; 0: one rail");
    f("cross-rail", self.cross_rail,
      "whether a message may go from a NIC on one rail to a NIC on another: allow, or forbid, which lists "
      "what does");
    f("overhead", self.overhead, "time that a message costs sender and receiver together, such as 1.5us");
    f("gap", self.gap, "time between the starts of two messages of one sender in a round");
    f("switch-delay", self.switch_delay, "time that a message needs for each switch on its way");
    f("latency", self.latency,
      "of a program: time that a message needs besides cables and switches, LogGOPS's L");
    f("byte-gap", self.byte_gap, "with level=loggops: time of each byte, G; 0: as fast as the slowest NIC");
    f("byte-overhead", self.byte_overhead,
      "of a program: time that each byte costs sender and receiver, LogGOPS's O");
    f("eager", self.eager,
      "of a program: bytes up to which a send ends when it is handed over, LogGOPS's S; that of a longer "
      "message ends when it has left and its receive has begun");
    f("cable", self.cable, "length of every cable, such as 5m; a metre takes 5 ns");
    f("model", self.model, "how flows that meet share a channel: max-min or contention");
    f("sharing", self.sharing, "fluid: rates change whenever a message begins or ends; fixed: they stay");
    f("rounds", self.rounds, "when a rank begins its next round: barrier, exchange or independent");
    f("resolution", self.resolution, "events closer together than this time are one");
    f("flit-bytes", self.flit_bytes, "with level=flit: bytes of a flit");
    f("packet-flits", self.packet_flits, "with level=flit: flits of a packet");
    f("lanes", self.lanes, "with level=flit: lanes of every channel; 0: as many as the routing needs");
  }
};

struct TimingAnswer {
  struct Round {
    u64 messages = 0;
    double bytes = 0, ends = 0;

    static void fields(auto& self, auto&& f) {
      f("messages", self.messages, "", "that are sent in the round");
      f("bytes", self.bytes, "bytes", "of all of them");
      f("ends", self.ends, "seconds", "when the last of them has arrived");
    }
  };
  double seconds = 0;
  TimeLevel level = TimeLevel::fluid;
  std::optional<std::string> algorithm{};
  std::optional<double> size{}, algorithm_bandwidth{}, bus_bandwidth{};
  u32 hosts = 0, ranks = 0;
  u64 messages = 0;
  double bytes = 0, link = 0;
  std::optional<std::string> rails_policy{};
  std::optional<RailTraffic> rails{};
  std::optional<u64> cycles{};
  std::optional<std::vector<Round>> each_round{};

  static void fields(auto& self, auto&& f) {
    f("seconds", self.seconds, "seconds", "from the beginning until the last message has arrived");
    f("level", self.level, "", "how it was found");
    f("algorithm", self.algorithm, "", "of a collective: the one that was chosen");
    f("size", self.size, "bytes", "of a collective, as NCCL's tests count it");
    f("algorithm_bandwidth", self.algorithm_bandwidth, "bytes/s", "size over seconds");
    f("bus_bandwidth", self.bus_bandwidth, "bytes/s",
      "the same times the share that each rank must send: 2 (n - 1) / n of an allreduce, 1 of a broadcast or "
      "reduce, (n - 1) / n of the others");
    f("hosts", self.hosts, "", "of the fabric");
    f("ranks", self.ranks, "", "that take part");
    f("messages", self.messages, "messages", "of all rounds");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("rails_policy", self.rails_policy, "", "of several rails: how messages use them");
    part(self.rails, f);
    f("cycles", self.cycles, "cycles", "with level=flit: until the last message has arrived");
    f("each_round", self.each_round, "", "with level=fluid: the rounds, in order");
  }
};
// Of the traffic's first sample. Throws InputError for traffic that is not in bytes, and where a simulation
// does not end.
TimingAnswer time(const Situation& at, const TimingOptions& options);

// A collective at several sizes.
struct TimesAnswer {
  struct Size {
    double size = 0;
    std::string algorithm{};
    double seconds = 0, algorithm_bandwidth = 0, bus_bandwidth = 0;

    static void fields(auto& self, auto&& f) {
      f("size", self.size, "bytes", "as NCCL's tests count it");
      f("algorithm", self.algorithm, "", "the one that was chosen");
      f("seconds", self.seconds, "seconds", "from the beginning until the last message has arrived");
      f("algorithm_bandwidth", self.algorithm_bandwidth, "bytes/s", "size over seconds");
      f("bus_bandwidth", self.bus_bandwidth, "bytes/s", "the same times the share that each rank must send");
    }
  };
  TimeLevel level = TimeLevel::fluid;
  u32 hosts = 0, ranks = 0;
  double link = 0;
  std::vector<Size> sizes{};

  static void fields(auto& self, auto&& f) {
    f("level", self.level, "", "how they were found");
    f("hosts", self.hosts, "", "of the fabric");
    f("ranks", self.ranks, "", "that take part");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("sizes", self.sizes, "", "in the order in which they were asked for");
  }
};
// `at` names a collective without its bytes. Sizes are as NCCL's tests count them, rounded down to whole
// bytes of a rank. Throws InputError.
TimesAnswer times(const Situation& at, const TimingOptions& options, std::span<const u64> sizes);

// A step of training: what is computed, and how long what is sent makes it wait.
struct StepAnswer {
  struct Phase {
    std::string name{}, algorithm{};
    u32 groups = 0, ranks = 0;
    double bytes = 0, times = 0, seconds_each = 0, seconds = 0, exposed_seconds = 0;

    static void fields(auto& self, auto&& f) {
      f("name", self.name, "", "tensor, expert, pipeline, data or expert-data");
      f("algorithm", self.algorithm, "", "of the collective; empty between stages");
      f("groups", self.groups, "", "that do it at the same time");
      f("ranks", self.ranks, "", "of each group");
      f("bytes", self.bytes, "bytes", "of the collective in a group; of a message between stages");
      f("times", self.times, "", "that it is done in a step");
      f("seconds_each", self.seconds_each, "seconds", "that it takes once");
      f("seconds", self.seconds, "seconds", "in a step");
      f("exposed_seconds", self.exposed_seconds, "seconds", "of these, while nothing is computed");
    }
  };
  double seconds = 0, computing_seconds = 0, bubble_seconds = 0, exposed_seconds = 0;
  TimeLevel level = TimeLevel::fluid;
  u32 hosts = 0, ranks = 0, data = 0;
  double micro_batches = 0, parameters = 0, link = 0;
  std::vector<Phase> phases{};

  static void fields(auto& self, auto&& f) {
    f("seconds", self.seconds, "seconds",
      "of the step: computing, what is exposed, and the pipeline's bubble");
    f("computing_seconds", self.computing_seconds, "seconds", "that an accelerator computes");
    f("exposed_seconds", self.exposed_seconds, "seconds", "that it waits for messages");
    f("bubble_seconds", self.bubble_seconds, "seconds", "that it waits for other stages to compute");
    f("level", self.level, "", "how the times of messages were found");
    f("hosts", self.hosts, "", "of the fabric");
    f("ranks", self.ranks, "", "accelerators that take part");
    f("data", self.data, "", "copies of the model");
    f("micro_batches", self.micro_batches, "", "of each copy");
    f("parameters", self.parameters, "", "of the model");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("phases", self.phases, "", "what is sent");
  }
};
// The traffic of `at` is not looked at. Throws InputError.
StepAnswer step(const Situation& at, const TimingOptions& options, const TrainingOptions& model);

// What is also looked at in a program's run.
struct ProgramLooks {
  bool picture = false;
  std::string at{};

  static void fields(auto& self, auto&& f) {
    f("picture", self.picture,
      "of a program: also timelines of its ranks, the chain of operations that decided the end, and the "
      "links "
      "that held it up; levels loggops and fluid");
    f("at", self.at,
      "of a program: also what each channel carries at these times, such as 1.5ms or 10us,20us; level fluid");
  }
};

// A program whose ranks wait for each other (docs/programs.md).
struct ProgramAnswer {
  struct Moment {
    double time = 0;
    u64 flows = 0;
    std::vector<Channel> channels{};
    std::vector<double> rates{};

    static void fields(auto& self, auto&& f) {
      f("time", self.time, "seconds", "that was asked for");
      f("flows", self.flows, "", "that are under way then");
      f("channels", self.channels, "", "that carry something then, by their numbers");
      f("rates", self.rates, "bytes/s", "that each of them carries");
    }
  };
  double seconds = 0, critical_path_seconds = 0;
  std::optional<double> exposed_share{};
  TimeLevel level = TimeLevel::fluid;
  u32 hosts = 0, ranks = 0;
  u64 operations = 0, messages = 0;
  double bytes = 0, link = 0;
  u64 flow_events = 0;
  std::optional<std::string> rails_policy{};
  std::optional<RailTraffic> rails{};
  std::optional<u64> cycles{};
  std::optional<std::string> algorithm{};
  std::optional<u64> unequal_sizes{};
  std::optional<double> seconds_intact{};
  std::optional<u64> rerouted{}, changes{}, changes_later{};
  std::optional<ProgramPicture> picture{};
  std::optional<std::vector<Moment>> moments{};

  static void fields(auto& self, auto&& f) {
    f("seconds", self.seconds, "seconds", "from the beginning until the last operation has ended");
    f("critical_path_seconds", self.critical_path_seconds, "seconds",
      "of the longest chain of operations, if messages met no others and no rank waited for a stream or a "
      "NIC");
    f("exposed_share", self.exposed_share, "",
      "at levels loggops and fluid: share of the ranks' time until the end in which they compute nothing");
    f("level", self.level, "", "how it was found");
    f("hosts", self.hosts, "", "of the fabric");
    f("ranks", self.ranks, "", "of the program");
    f("operations", self.operations, "", "of all ranks: what they compute, send and receive");
    f("messages", self.messages, "messages", "of all ranks");
    f("bytes", self.bytes, "bytes", "of all messages");
    f("link", self.link, "bytes/s", "speed of a link of capacity 1");
    f("flow_events", self.flow_events, "", "beginnings and ends of flows, each of which changes rates");
    f("rails_policy", self.rails_policy, "", "of several rails: how messages use them");
    part(self.rails, f);
    f("cycles", self.cycles, "cycles", "with level=flit: until the last message has arrived");
    f("algorithm", self.algorithm, "", "of a collective that was made: how it is done");
    f("unequal_sizes", self.unequal_sizes, "messages",
      "whose receive names another size than their send, which counts");
    f("seconds_intact", self.seconds_intact, "seconds", "with a timeline: that it takes if no cable is lost");
    f("rerouted", self.rerouted, "messages",
      "with a timeline: whose route changed before they had left; each counts once");
    f("changes", self.changes, "", "with a timeline: changes of cables before the end");
    f("changes_later", self.changes_later, "", "with a timeline: changes that come after the end");
    f("picture", self.picture, "",
      "with picture: what ranks did in the course of time, and what decided the end");
    f("moments", self.moments, "", "with at: what channels carry then, in the order of time");
  }
};
// Keys of TimingOptions that change nothing at a level, for a program or for traffic; and how one is refused.
std::vector<std::string_view> unused_options(TimeLevel level, bool is_program);
std::string unused_text(std::string_view key, TimeLevel level, bool is_program);

// Of `at`, traffic and ranks are not looked at. Throws InputError.
ProgramAnswer program_time(const Situation& at, const TimingOptions& options, const Program& program,
                           const ProgramLooks& looks = {});

// The same for a program by its name: what a study asks.
struct ProgramQuestion {
  std::string program{};
  FilePath file{};
  std::string placement = "linear";
  u32 ranks = 0;
  TimingOptions timing{};

  static void fields(auto& self, auto&& f) {
    f("program", self.program,
      "step:MODEL, application:NAME or a collective, for as many ranks as there are");
    f("file", self.file, "instead: a file that ends with .goal, .et or .json");
    f("placement", self.placement, "hosts of its ranks: linear, random, clustered:0.8");
    f("ranks", self.ranks, "of what is made; 0: all hosts, times the accelerators");
    TimingOptions::fields(self.timing, f);
  }
};
// Throws InputError, also for options that change nothing at their level.
ProgramAnswer program(const Situation& at, const ProgramQuestion& asked);

// Times with commas between, such as 10us,1.5ms, in their order. Throws InputError.
std::vector<double> read_times(std::string_view text);

// LEAST:MOST or LEAST:MOST:FACTOR, such as 8:8GiB:4, or sizes with commas between. Throws InputError.
std::vector<u64> read_sizes(std::string_view text);

}  // namespace banyan::ask
