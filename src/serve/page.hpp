// The files of the explorer's page, which are part of the program.
#pragma once
#include <string_view>
#include <vector>

namespace banyan {

struct PageFile {
  std::string_view path, type, content;
};
const std::vector<PageFile>& page_files();

}  // namespace banyan
