#include "study/measure.hpp"

#include "traffic/pattern.hpp"

namespace banyan::study {

#define MEASURE(name) StudyMeasure name##_measure();
#include "study/measures.def"
#undef MEASURE

const std::vector<StudyMeasure>& study_measures() {
  static const std::vector<StudyMeasure> all = {
#define MEASURE(name) name##_measure(),
#include "study/measures.def"
#undef MEASURE
  };
  return all;
}

bool is_jobs(std::string_view traffic) { return traffic.find("traffic=") != traffic.npos; }

Job make_job(const Topology& topology, const std::string& traffic, const std::string& placement, u32 ranks,
             u64 seed, ShorterJobs shorter) {
  if (is_jobs(traffic)) {
    std::vector<std::string> jobs;
    for (const std::string_view text : split(traffic, '|')) jobs.emplace_back(text);
    return together(make_jobs(topology, jobs, seed), shorter);
  }
  const u32 count = ranks > 0 ? ranks : topology.fabric.hosts();
  return {make_traffic({topology, count}, traffic), place(topology.fabric, count, seed, placement)};
}

Job Situation::job(ShorterJobs shorter) const {
  return make_job(topology, traffic, placement, ranks, seed, shorter);
}

}  // namespace banyan::study
