#include "study/measure.hpp"

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

}  // namespace banyan::study
