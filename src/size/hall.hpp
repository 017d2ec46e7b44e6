// The hall that a fabric stands in: racks in rows.
//
// Hosts fill racks by number. A switch with hosts stands in the rack that most of them are in (of several,
// the first); switches without hosts fill racks of their own, which stand in the middle of the line of racks.
// The line is folded into rows. A cable between racks runs in trays: along the row and across rows, plus what
// it takes to get up to the tray and down again, and slack.
#pragma once
#include <vector>

#include "fabric/fabric.hpp"
#include "topology/outline.hpp"

namespace banyan::size {

struct HallOptions {
  u32 hosts_per_rack = 36;
  u32 switches_per_rack = 20;
  u32 racks_per_row = 16;
  double rack_pitch = 0.6;
  double row_pitch = 2.4;
  double inside = 2;
  double outside = 4;

  static void fields(auto& self, auto&& f) {
    f("hosts-per-rack", self.hosts_per_rack, "hosts in a rack, beside the switches they are cabled to");
    f("switches-per-rack", self.switches_per_rack, "switches in a rack of switches without hosts");
    f("racks-per-row", self.racks_per_row, "racks in a row");
    f("rack-pitch", self.rack_pitch, "metres from a rack to the next in its row");
    f("row-pitch", self.row_pitch, "metres from a row to the next");
    f("inside", self.inside, "metres of a cable within a rack");
    f("outside", self.outside, "metres of a cable between racks besides the way: up, down, slack");
  }
};

struct Hall {
  u32 racks = 0;
  std::vector<u32> rack_of;  // by host, then by switch
};
Hall furnish(const Fabric& fabric,
             const HallOptions& options);  // throws InputError for racks that hold nothing

double metres(const HallOptions& options, u32 rack, u32 other);  // of a cable between two racks

// The same hall by formula, before the fabric is built.
class HallPlan {
 public:
  HallPlan(const Outline& outline, const HallOptions& options);  // throws InputError

  u32 racks() const { return host_racks_ + switch_racks_; }
  u32 rack_of_host(u32 host) const { return behind_switches(host / options_.hosts_per_rack); }
  u32 rack_of_switch(u32 plane, u32 number) const;  // by its number in the plane
  // Of this switch and the following ones, how many stand in its rack; 1 if it has hosts.
  u32 switches_in_a_row(u32 plane, u32 number) const;
  bool planes_stand_apart() const { return others_ > 0; }  // false: switch i of any plane is in the same rack

 private:
  u32 behind_switches(u32 rack) const { return rack < host_racks_ / 2 ? rack : rack + switch_racks_; }

  const HallOptions& options_;
  u32 leaves_, others_, leaves_of_host_, hosts_of_leaf_;  // of a plane
  u32 host_racks_, switch_racks_;
};

}  // namespace banyan::size
