// The fabrics and routings that points share: each is made once, by the first that asks, and let go after its
// last point.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engines/engine.hpp"
#include "study/picture.hpp"

namespace banyan::study {

// A value that is made when it is first asked for.
template <class T>
class Shared {
 public:
  template <class Make>
  std::shared_ptr<const T> get(Make&& make) {
    const std::scoped_lock lock(making_);
    if (!value_) value_ = std::make_shared<const T>(make());
    return value_;
  }
  void forget() {
    const std::scoped_lock lock(making_);
    value_.reset();
  }
  void add_user() { ++users_; }
  bool leave() {  // true: that was the last
    const std::scoped_lock lock(making_);
    if (--users_ > 0) return false;
    value_.reset();
    return true;
  }

 private:
  std::mutex making_;
  std::shared_ptr<const T> value_;
  u64 users_ = 0;
};

// Who measures points. Results do not depend on it.
struct DeviceUse {
  ask::DeviceChoice choice = ask::DeviceChoice::cpu;
  const gpu::DeviceCalls* calls = nullptr;  // instead of those of libbanyan_gpu.so
};

struct Built {
  Topology topology;
  Speed unit;  // of a link of capacity 1, where capacities are speeds
};

struct Routed {
  std::shared_ptr<const Built> built;
  RouteResult result;
  std::string chosen{};  // the engine that `auto` took

  const Topology& topology() const { return built->topology; }
};

// An engine that does not apply to a fabric of the study.
struct LeftOut {
  std::string fabric, without, engine, why;
  u64 line = 0;
  bool operator==(const LeftOut&) const = default;
};

class Materials {
 public:
  // For these points. Study and points must outlive it.
  Materials(const Study& study, const std::vector<const Point*>& points);

  // Tries everything that the points are made of: throws InputError, with the line, for what cannot be built
  // or measured, and lists the engines that do not apply, in the order of the points. Routings are kept for
  // later as long as they are not large. Those that are only looked at are not kept, and not made where that
  // would take long: untried() counts them.
  // In a study without parts, an option that changes nothing at any point is refused, unless its measure has
  // `begun`: then finished points, which are not here, may be those that it changes.
  enum class Purpose : u8 { run, look };
  std::vector<LeftOut> check(unsigned threads, Purpose purpose, const std::set<u32>& begun);
  bool is_left_out(const Point& point) const;  // after check()
  u64 untried() const { return untried_; }     // after check(): routings, each of several points

  // From any thread, once for each point. Where it cannot be measured, as between hosts that do not reach
  // each other, that is what was found: a row `failed`, and why.
  Rows measure(const Point& point, unsigned threads);
  // The same of several points at once, by a GPU. They have one measure, which can do that, and one routing,
  // and must be alike. Those that are left to processors can be measured afterwards.
  OnGpu::Found measure_on_gpu(std::span<const Point* const> points, unsigned threads,
                              const DeviceUse& device);
  // Estimates of the machine that point_time.hpp describes, from one thread; nothing is routed. Of the
  // routing also what makes it another one; nothing where the point needs none.
  double seconds(const Point& point);
  std::pair<std::string, double> routing(const Point& point);

  bool has_fabric(const Point& point) const { return topologies_.contains(state(point)); }

  // Pictures are asked for once for each point that was announced, whether or not it is measured.
  void announce_picture(const Point& point) { add_user(point); }
  Picture picture(const Point& point, const PictureChoice& choice, unsigned threads);

 private:
  using State = std::pair<u32, u32>;                 // fabric, faults
  using RoutingKey = std::pair<State, std::string>;  // the latter: the engine
  static constexpr u32 planned = ~u32{0};

  Needs needs(const Point& point) const { return study_.measures[point.measure].measure->needs; }
  State state(const Point& point) const;
  // What decides whether a point is left out: measures that refuse routings decide for themselves.
  RoutingKey applying(const Point& point) const;
  void add_user(const Point& point);
  // Why the engine does not apply, or the measure not to its routing; empty: both do, and the options of all
  // points that are `alike` are checked.
  std::string tried(const Point& point, const std::vector<const Point*>& alike, Purpose purpose);
  std::vector<const Point*> soon_tried(const std::vector<const Point*>& points);
  // What a point needs, as long as it is held.
  struct Held {
    std::shared_ptr<const Built> on;
    std::shared_ptr<const Routed> routed;  // if it needs a routing
  };
  Held hold(const Point& point);
  void leave(const Point& point);  // one of its users has what it wants
  Situation situation_of(const Point& point, const Held& held, unsigned threads) const;
  static void add_chosen(const Held& held, Rows& rows);
  // f(Situation), with all that the point needs; then its user leaves.
  template <class F>
  auto in_situation(const Point& point, unsigned threads, F&& f);
  std::shared_ptr<const Built> built(const Point& point);
  // Of its measure. Throws InputError where these have a speed of links and the fabric has others.
  PluginText options(const Point& point, const Built& on) const;
  std::shared_ptr<const Routed> routed(const Point& point);
  void check_options(const std::vector<const Point*>& points, const Routed& routed);
  void note_unused(const Point& point, const PluginText& by, const Routed& routed);
  void refuse_unused() const;
  void check_jobs(unsigned threads);
  void keep(const RoutingKey& key, u64 bytes);  // and let go of those that were used longest ago
  void drop(const RoutingKey& key);

  const Study& study_;
  const std::vector<const Point*> points_;
  std::map<State, Shared<Built>> topologies_;
  std::map<State, FabricWays> ways_;  // for estimates
  std::map<RoutingKey, Shared<Routed>> routings_;
  std::map<RoutingKey, bool> inapplicable_;  // by applying()
  std::mutex keeping_;
  std::list<std::pair<RoutingKey, u64>> kept_;  // with their bytes, those last used at the end
  u64 kept_bytes_ = 0;
  u64 untried_ = 0;
  // By line and key: why that changes nothing; empty: at some point it does.
  std::map<std::pair<u64, std::string>, std::string> unused_;
};

}  // namespace banyan::study
