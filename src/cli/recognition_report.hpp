// What recognition found, in names: the same lists for the text and the JSON of `describe`.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.hpp"
#include "cli/fabric_argument.hpp"

namespace banyan::cli {

class RecognitionReport {
 public:
  explicit RecognitionReport(const Loaded& loaded);  // one that was looked at for a shape

  void print() const;
  void write(JsonWriter& json) const;  // into an open object

 private:
  using Cables = std::vector<std::pair<std::string, std::string>>;

  std::string unrecognised_;  // why; empty when there is a shape
  Cables missing_, wrong_;
  std::vector<std::string> undecided_, doubts_;
};

}  // namespace banyan::cli
