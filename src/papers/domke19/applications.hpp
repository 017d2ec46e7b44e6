// The applications of domke19: which they are, and a profile on its hosts at flow level.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "papers/domke19/domke19.hpp"
#include "traffic/applications/application.hpp"

namespace banyan::papers::domke19 {

// A profile on its hosts: how long each of its rounds takes when nothing else is sent.
struct Run {
  const Profile* profile;
  Placement placement;
  std::vector<double> round_seconds;  // phase by phase
  double computing = 0, sending = 0;  // all repeats
  double seconds() const { return computing + sending; }
};
void time_alone(Run& run, const Fabric& fabric, const Routing& routing, u32 combination);
NodeDemands demands_of(const std::vector<Run>& runs, u32 hosts);

// Of the combination; PARX for what will be sent, all on one lane: lanes do not matter to rates.
Routing routing_for(const Machines& m, u32 i, const std::vector<Run>& runs);

// The profile with computing times such that on the baseline, with all cables and as many hosts as among the
// fourteen jobs, an application sends 20 % of its time: what section 5.2 gives as the average of
// applications. `own_seconds` are those of the profile itself (docs/applications.md).
struct PaperProfile {
  Profile profile;
  double own_seconds = 0;
};
PaperProfile paper_profile(std::string_view application, u32 hosts);

// FFVC wants powers of two (section 5.2: "from 64 to 128 nodes"), qb@ll does not ("the 672-node evaluation").
struct PaperApplication {
  std::string_view name;
  bool power_of_two;
  u32 hosts() const { return power_of_two ? 32 : 56; }  // among fourteen
};
constexpr std::array<PaperApplication, 12> paper_applications = {{{"amg", false},
                                                                  {"comd", true},
                                                                  {"ffvc", true},
                                                                  {"graph500", true},
                                                                  {"hpcg", false},
                                                                  {"hpl", false},
                                                                  {"milc", true},
                                                                  {"minife", false},
                                                                  {"mvmc", false},
                                                                  {"ntchem", false},
                                                                  {"qball", false},
                                                                  {"swfft", true}}};

// One at a time, and fourteen at once.
class FlowApplications {
 public:
  FlowApplications(const DrawnMachines& machines, const PaperOptions& options, Tasks& tasks);
  void report(Reproduction& out) const;

 private:
  void plan_lanes(Tasks& tasks);
  void plan_alone(Tasks& tasks);
  void plan_capacity(Tasks& tasks);
  void report_lanes(Reproduction& out) const;
  void report_capacity(Reproduction& out) const;

  const DrawnMachines& machines_;
  PaperOptions options_;
  std::vector<double> lanes_;  // of PARX, by application
  std::vector<Figure::Panel>
      alone_;                      // by application: seconds by number of hosts and combination, over draws
  std::vector<std::string> jobs_;  // the fourteen,
  std::vector<Profile> profiles_;
  std::vector<std::vector<double>> together_;  // and their seconds, by draw and combination
};

}  // namespace banyan::papers::domke19
