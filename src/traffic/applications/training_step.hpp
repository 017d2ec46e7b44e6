// A step of training a transformer on many accelerators: what it computes, and which collectives follow from
// how it is divided. docs/time.md has the formulas and their sources.
//
// Ranks are numbered as Megatron does: those of a tensor group follow each other, then data, then pipeline
// stages. Expert groups are parts of data groups.
#pragma once
#include <string>
#include <vector>

#include "base/units.hpp"
#include "traffic/traffic.hpp"

namespace banyan::traffic {

struct TrainingOptions {
  u32 tensor = 1, pipeline = 1, expert = 1;
  u32 layers = 32, hidden = 4096, sequence = 4096, vocabulary = 0;
  u32 experts = 0, active_experts = 2;
  u32 batch = 0, micro_batch = 1;
  u32 element = 2, gradient = 2;
  double flops = 400e12;
  std::string algorithm = "auto", exchange = "auto";

  static void fields(auto& self, auto&& f) {
    f("tensor", self.tensor, "ranks that share a layer");
    f("pipeline", self.pipeline, "stages that layers are divided into; what is left are copies, for data");
    f("expert", self.expert, "copies that divide the experts among them");
    f("layers", self.layers, "of the model");
    f("hidden", self.hidden, "size of its vectors");
    f("sequence", self.sequence, "tokens of a sequence");
    f("vocabulary", self.vocabulary, "tokens that there are; 0: embeddings are left out");
    f("experts", self.experts, "of each layer; 0: a dense model");
    f("active-experts", self.active_experts, "that a token is sent to");
    f("batch", self.batch, "sequences of a step; 0: four micro-batches for each stage of each copy");
    f("micro-batch", self.micro_batch, "sequences that go through the stages together");
    f("element", self.element, "bytes of an activation");
    f("gradient", self.gradient, "bytes of a gradient as it is summed");
    f("flops", self.flops, "operations a second that an accelerator reaches");
    f("algorithm", self.algorithm,
      "of the allreduces; auto: rail-rings where a group has several ranks on each of several hosts, else "
      "ring");
    f("exchange", self.exchange,
      "the algorithm of the experts' alltoalls; auto: hierarchical there, else pairwise");
  }
};

// Something that all groups of a kind do at the same time, a number of times in a step.
struct TrainingPhase {
  std::string name;   // tensor, expert, pipeline, data or expert-data
  u32 groups, ranks;  // how many groups of how many ranks
  double bytes;       // of the collective in a group, or of a message
  double times;       // in a step
  Traffic traffic;    // of all groups at once; its algorithm is the one that was chosen
};

struct TrainingStep {
  u32 data = 1;              // copies
  double micro_batches = 1;  // of each copy in a step
  double parameters = 0;
  double computing = 0;  // seconds of each accelerator in a step
  u32 pipeline = 1;
  std::vector<TrainingPhase> phases;
};

// `of_host` ranks that follow each other share a host. Throws InputError where the ranks, layers or sequences
// cannot be divided so, or where a group that spans hosts has more ranks on some than on others.
TrainingStep training_step(u32 ranks, const TrainingOptions& options, u32 of_host = 1);

}  // namespace banyan::traffic
