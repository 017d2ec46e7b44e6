// The data of a study's page: what was asked, the rows, and the pictures that rows do not hold.
#include <cmath>
#include <map>
#include <ostream>

#include "base/version.hpp"
#include "report/page.hpp"
#include "report/report.hpp"

namespace banyan::report {
namespace {

void write_asked(JsonWriter& json, const StudyResults& results) {
  const Study& study = results.study;
  json.field("title", study.title).field("file", study.file).field("text", study.text);
  json.field("command", results.command).field("seeds", study.seeds).key("fabrics").begin_array();
  for (const FabricChoice& fabric : study.fabrics)
    json.begin_object().field("name", fabric.name).field("notation", fabric.fabric).end_object();
  json.end_array().key("measures").begin_array();
  for (const MeasureChoice& choice : study.measures)
    json.begin_object()
        .field("name", choice.measure->name)
        .field("summary", choice.measure->summary)
        .field("headline", choice.measure->headline)
        .end_object();
  json.end_array().key("left_out").begin_array();
  for (const LeftOut& out : results.left_out)
    json.begin_object()
        .field("fabric", out.fabric)
        .field("without", out.without)
        .field("engine", out.engine)
        .field("why", out.why)
        .end_object();
  json.end_array();
}

// "load=0.5 lanes=2" of a point's name, as an object.
void write_varied(JsonWriter& json, const Point& point) {
  json.key("varied").begin_object();
  for (const std::string_view option : split(point.varied, ' '))
    if (const auto equals = option.find('='); equals != option.npos)
      json.field(option.substr(0, equals), option.substr(equals + 1));
  json.end_object();
}

void write_point(JsonWriter& json, const StoredPoint& p, const Point* asked) {
  json.begin_object().field("measure", p.measure).field("fabric", p.fabric).field("without", p.without);
  json.field("engine", p.engine).field("traffic", p.traffic).field("placement", p.placement);
  json.field("ranks", p.ranks).field("seed", p.seed).field("options", p.options);
  if (asked) write_varied(json, *asked);
  json.key("texts").begin_object();
  for (const auto& [name, text] : p.texts) json.field(name, text);
  json.end_object().key("rows").begin_array();
  for (const Row& row : p.rows)
    json.begin_array().value(row.metric).value(row.value).value(row.unit).value(row.half_width).end_array();
  json.end_array().end_object();
}

// What a picture is of, into an object that is open.
void write_subject(JsonWriter& json, const Study& study, const Point& p) {
  json.field("fabric", study.fabrics[p.fabric].name).field("without", study.without[p.faults].text());
  json.field("engine", p.traffic.empty() ? "" : p.engine).field("traffic", p.traffic);
  json.field("placement", p.placement);
}

// Pictures of the same fabric share a map unless cables that are missing moved something.
void write_drawings(JsonWriter& json, const StudyResults& results) {
  json.key("drawings").begin_array();
  const PointPicture* before = nullptr;
  for (const PointPicture& p : results.pictures) {
    if (p.picture.map.empty()) continue;
    if (!before || p.point->fabric != before->point->fabric || p.picture.map != before->picture.map) {
      if (before) json.end_array().end_object();
      json.begin_object().key("map").json(p.picture.map).key("pictures").begin_array();
    }
    json.begin_object();
    write_subject(json, results.study, *p.point);
    json.key("found").json(p.picture.loads).end_object();
    before = &p;
  }
  if (before) json.end_array().end_object();
  json.end_array();
}

void write_matrices(JsonWriter& json, const StudyResults& results) {
  json.key("matrices").begin_array();
  for (const auto& [point, picture] : results.pictures) {
    if (picture.matrix.empty()) continue;
    json.begin_object();
    write_subject(json, results.study, *point);
    json.key("found").json(picture.matrix).end_object();
  }
  json.end_array();
}

}  // namespace

std::string report_path(const std::string& folder) { return folder + "/report.html"; }

void write_report(std::ostream& out, const StudyResults& results) {
  std::map<std::string_view, const Point*> asked;
  for (const Point& point : results.points) asked[point.name] = &point;
  const std::string& title = results.study.title.empty() ? results.study.file : results.study.title;
  write_page(out, title, [&](JsonWriter& json) {
    json.begin_object().field("kind", "study").field("version", version());
    write_asked(json, results);
    json.key("points").begin_array();
    for (const StoredPoint& p : results.found) {
      const auto found = asked.find(p.point);
      write_point(json, p, found == asked.end() ? nullptr : found->second);
    }
    json.end_array();
    write_drawings(json, results);
    write_matrices(json, results);
    json.field("remarks", results.remarks).end_object();
  });
}

}  // namespace banyan::report
