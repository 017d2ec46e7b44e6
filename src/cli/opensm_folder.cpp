#include "cli/opensm_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <functional>
#include <string_view>

#include "base/folder_set.hpp"
#include "base/print.hpp"
#include "engines/roots.hpp"
#include "formats/address_choice_file.hpp"
#include "formats/ibdmchk.hpp"
#include "formats/opensm_lanes.hpp"
#include "formats/opensm_tables.hpp"

namespace banyan::cli {
namespace {

// All that a set of tables may consist of.
constexpr std::array<std::string_view, 10> set_names = {
    "lfts",        "guid2lid",      "root_guids",     "opensm.conf",     "opensm-subnet.lst",
    "opensm.fdbs", "opensm.mcfdbs", "service-levels", "qos-policy.conf", "address-choice"};

class Folder {
 public:
  explicit Folder(const std::string& path) : set_(path) {}
  void write(const std::string& name, const std::function<void(std::ostream&)>& content) {
    set_.write(name, content);
    files_.push_back(name);
  }
  void commit() { set_.commit(set_names); }
  std::string at(const std::string& name) const { return set_.path() + "/" + name; }
  const std::string& path() const { return set_.path(); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  FolderSet set_;
  std::vector<std::string> files_;
};

// The top of a tree, or where else engines that climb would begin: for OpenSM's own updn and ftree.
void write_roots(std::ostream& out, const Subnet& subnet) {
  const PortGraph graph(*subnet.fabric);
  for (Switch s : choose_roots(graph, "auto"))
    if (subnet.has(graph.node(s))) base::print(out, "0x{:016x}\n", subnet.ids.nodes[graph.node(s)].guid);
}

void write_configuration(std::ostream& out, const Folder& folder, const Subnet& subnet, u32 lanes,
                         bool has_policy) {
  base::print(out,
              "# Tables made by banyan. Without no_fallback OpenSM takes minhop, nearly silently, when it\n"
              "# cannot read them.\n");
  base::print(out, "routing_engine file,no_fallback\nlfts_file {}\n", folder.at("lfts"));
  base::print(out, "root_guid_file {}\n", folder.at("root_guids"));
  base::print(out, "lmc {}\nhonor_guid2lid_file TRUE\n", subnet.lmc);
  if (lanes == 1) return;
  base::print(out, "qos TRUE\n");
  if (has_policy) base::print(out, "qos_policy_file {}\n", folder.at("qos-policy.conf"));
  std::vector<u32> level(16);
  for (u32 k = 0; k < 16; ++k) level[k] = k % lanes;
  base::print(out, "qos_max_vls {}\nqos_sl2vl {}\n",
              lanes <= 2   ? 2
              : lanes <= 4 ? 4
              : lanes <= 8 ? 8
                           : 15,
              fmt::join(level, ","));
}

}  // namespace

OpensmFolder write_opensm_folder(const std::string& path, const Subnet& subnet, const Routing& routing) {
  Folder folder(path);
  const Tables& tables = std::get<Tables>(routing.forward);
  const SwitchTables to_switches(*subnet.fabric);
  const bool has_lanes = routing.lanes > 1;
  const auto no_policy = has_lanes ? no_policy_for(subnet, routing) : std::nullopt;
  const bool has_policy = has_lanes && !no_policy;

  folder.write("lfts", [&](std::ostream& out) { write_lfts(out, subnet, tables, to_switches); });
  folder.write("guid2lid", [&](std::ostream& out) { write_guid2lid(out, subnet); });
  folder.write("root_guids", [&](std::ostream& out) { write_roots(out, subnet); });
  folder.write("opensm.conf", [&](std::ostream& out) {
    write_configuration(out, folder, subnet, routing.lanes, has_policy);
  });
  folder.write("opensm-subnet.lst", [&](std::ostream& out) { write_opensm_subnet(out, subnet); });
  folder.write("opensm.fdbs",
               [&](std::ostream& out) { write_opensm_fdbs(out, subnet, tables, to_switches); });
  folder.write("opensm.mcfdbs", [](std::ostream&) {});  // multicast is OpenSM's own
  if (has_lanes)
    folder.write("service-levels", [&](std::ostream& out) { write_service_levels(out, subnet, routing); });
  if (has_policy)
    folder.write("qos-policy.conf", [&](std::ostream& out) { write_qos_policy(out, subnet, routing); });
  if (routing.source.choice())
    folder.write("address-choice", [&](std::ostream& out) { write_address_choice(out, subnet, routing); });

  folder.commit();
  OpensmFolder out{folder.files(), "", "", ""};
  out.load = fmt::format("OSM_CACHE_DIR={} opensm -F {}", folder.path(), folder.at("opensm.conf"));
  out.check =
      fmt::format("ibdmchk -s {} -f {} -m {}{}", folder.at("opensm-subnet.lst"), folder.at("opensm.fdbs"),
                  folder.at("opensm.mcfdbs"), has_lanes ? " -c " + folder.at("service-levels") : "");
  if (no_policy)
    out.remark =
        fmt::format("no qos-policy.conf: {}, which a policy cannot say; the plugin can", no_policy->why);
  return out;
}

}  // namespace banyan::cli
