// The files of the explorer's page, which are part of the program.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace banyan::serve {

// As web/embed_page.cmake writes them.
struct PageText {
  std::string_view name;
  std::vector<std::string_view> pieces;
};
const std::vector<PageText>& page_texts();

struct PageFile {
  std::string path, type, content;
};
const std::vector<PageFile>& page_files();

}  // namespace banyan::serve
