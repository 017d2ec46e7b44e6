// The files that plug-ins name in a study: their options that are a FilePath.
#pragma once
#include <functional>
#include <string>

#include "base/options.hpp"

namespace banyan::study {

using FileChange = std::function<std::string(const std::string& path)>;

// The same text with every option named, and with f(path) for the path of each file. Throws InputError for
// an unknown name or option. Traffic may be several jobs, each with a pattern and a placement.
PluginText with_files(PluginText text, const std::vector<OptionInfo>& known, const FileChange& f);
std::string placement_with_files(const std::string& text, const FileChange& f);
std::string traffic_with_files(const std::string& text, const FileChange& f);

}  // namespace banyan::study
