#include "serve/page.hpp"

namespace banyan::serve {
namespace {

std::string type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

}  // namespace

const std::vector<PageFile>& page_files() {
  static const std::vector<PageFile> files = [] {
    std::vector<PageFile> out;
    for (const PageText& text : page_texts()) {
      PageFile file{text.name == "index.html" ? "/" : "/" + std::string(text.name), type_of(text.name), {}};
      for (const std::string_view piece : text.pieces) file.content += piece;
      out.push_back(std::move(file));
    }
    return out;
  }();
  return files;
}

}  // namespace banyan::serve
