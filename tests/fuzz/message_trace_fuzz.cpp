// Any bytes are read as recorded messages, or refused with an InputError; what was read keeps within what was
// said, and written as CSV reads back the same.
#include "traffic/message_trace.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/error.hpp"

namespace {

std::vector<banyan::tests::RecordedMessage> read_all(const std::string& text) {
  using namespace banyan::tests;
  MessageTrace trace(std::make_unique<std::istringstream>(text), "fuzz", 8);
  std::vector<RecordedMessage> out;
  while (const auto message = trace.next()) out.push_back(*message);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace banyan::tests;
  try {
    const auto messages = read_all(std::string(reinterpret_cast<const char*>(data), size));
    std::string list = "time,from,to,bytes\n";
    for (const RecordedMessage& m : messages) {
      if (index(m.from) >= 8 || index(m.to) >= 8) std::abort();
      list += fmt::format("{},{},{},{}\n", m.time, index(m.from), index(m.to), m.bytes);
    }
    if (read_all(list) != messages) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
