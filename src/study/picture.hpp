// What rows do not hold and a report shows all the same: fabrics with the loads of their channels, and the
// bandwidth of every pair of ranks. Pictures are made with the fabrics and routings that the study's points
// had, and kept in its store.
#pragma once
#include <string>
#include <vector>

#include "study/point.hpp"

namespace banyan::study {

// JSON each; empty: there is none.
struct Picture {
  std::string map, loads, matrix;
};

struct PointPicture {
  const Point* point;
  Picture picture;
};

struct PictureChoice {
  std::size_t point = 0;  // its number
  bool has_map = false, has_matrix = false;
};
struct PictureChoices {
  std::vector<PictureChoice> all;
  std::vector<std::string> remarks;  // on what is left out
};
PictureChoices choose_pictures(const Study& study, const std::vector<Point>& points);

Picture make_picture(const Situation& at, const Point& point, const PictureChoice& choice);

}  // namespace banyan::study
