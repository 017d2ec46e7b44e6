#include "serve/page.hpp"

namespace banyan {

const std::vector<PageFile>& page_files() {
  static const std::vector<PageFile> files = {};
  return files;
}

}  // namespace banyan
