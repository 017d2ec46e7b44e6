// A folder with all that an operator needs to load a routing into a stock OpenSM.
#pragma once
#include <string>
#include <vector>

#include "formats/subnet.hpp"
#include "routing/routing.hpp"

namespace banyan::cli {

struct OpensmFolder {
  std::vector<std::string> files;  // written, by name
  std::string load, check;         // the commands that load the tables, and have ibdmchk judge them
  std::string remark;              // what could not be written, and why; empty: nothing

  static void fields(auto& self, auto&& f) {
    f("files", self.files, "", "that were written");
    f("load_command", self.load, "", "loads them into OpenSM");
    f("ibdmchk_command", self.check, "", "has ibdmchk judge them");
    f("remark", self.remark, "", "what could not be written, and why");
  }
};

// Tables for its forward. The folder is made if need be; its files change all at once (base/folder_set.hpp).
OpensmFolder write_opensm_folder(const std::string& folder, const Subnet& subnet, const Routing& routing);

}  // namespace banyan::cli
