// The answer of banyan load as text, and as files.
#pragma once
#include <string>
#include <vector>

#include "ask/fabric_router.hpp"
#include "ask/load.hpp"

namespace banyan::cli {

void print_text(const ask::FabricRouter& router, const Fabric& fabric, const ask::LoadOptions& options,
                const ask::LoadAnswer& answer,
                const std::vector<std::string>& files);  // `files` were written

// loads.csv: every channel in the round that was looked at; mpigraph.csv where it was asked
// for. The folder is made if need be. Gives the paths.
std::vector<std::string> write_files(const ask::LoadAnswer& answer, const Fabric& fabric,
                                     const std::string& folder);

}  // namespace banyan::cli
