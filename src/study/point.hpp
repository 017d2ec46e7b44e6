// The points of a study: one measure under one choice of everything that decides its result.
#pragma once
#include <string>
#include <vector>

#include "study/study.hpp"

namespace banyan::study {

struct Point {
  u32 measure = 0, fabric = 0, faults = 0;  // indices into the study's lists; faults only where they matter
  std::string engine{}, traffic{}, placement{};  // as written; empty where they do not matter
  u64 engine_line = 0, traffic_line = 0, placement_line = 0;
  u32 ranks = 0;
  u64 seed = 0;          // 0: nothing is drawn
  PluginText options{};  // of the measure
  std::string varied{};  // of these, what the study varies: "load=0.5"
  std::string name{};    // unique in the study
};

// In the order of the file: fabric by fabric, state by state, engine by engine.
std::vector<Point> points_of(const Study& study);

// With the point's seed as its option, if it has one that was not given.
PluginText engine_text(const Point& point);

// What a point says, with every option named.
struct PointTexts {
  PluginText engine;  // as engine_text()
  std::string traffic, placement;
  PluginText options;
};
// With its files found beside the study.
PointTexts resolved(const Study& study, const Point& point);

// What the point is asked about. Topology and routing must outlive it.
Situation situation(const Study& study, const Point& point, const Topology& topology,
                    const Routing* routing = nullptr);

// A hash of all that decides the point's result: what the study says, the content of the files it names, the
// version of the program.
std::string inputs_hash(const Study& study, const Point& point);

}  // namespace banyan::study
