#include "study/measure.hpp"

namespace banyan::study {

const Registry<StudyMeasure>& study_measures() {
  static const Registry<StudyMeasure> all{
      "measure",
#define MEASURE(name) BANYAN_PLUGIN(StudyMeasure, name##_measure),
#include "study/measures.def"
#undef MEASURE
  };
  return all;
}

}  // namespace banyan::study
