// The Host header: who gets in is decided by a parser, and compared with the rule as an expression.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <regex>

#include "base/random.hpp"
#include "serve/admission.hpp"

namespace banyan::tests {
namespace {

RC_GTEST_PROP(Admission, OnlyTheOwnNamesGetIn, (u64 seed)) {
  static const std::regex own(R"((localhost|127(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[::1\])(:\d*)?)",
                              std::regex::icase);
  const std::vector<std::string> pieces = {"localhost", "LOCALHOST",
                                           "127.0.0.1", "127.22.255.1",
                                           "127",       ".0.0.1",
                                           "[::1]",     "[",
                                           "]",         "::1",
                                           ":",         ":80",
                                           "1",         "@",
                                           ".",         "/",
                                           "#",         "evil.example",
                                           " ",         "%00",
                                           "\n",        std::string(1, '\0')};
  Random random(seed);
  const u64 count = 1 + random.below(4);
  std::string host;
  for (u64 i = 0; i < count; ++i) host += pieces[random.below(pieces.size())];
  const bool gets_in = !refusal({host, "", "", "Bearer secret", true}, {"secret"});
  RC_TAG(std::string(gets_in ? "in" : "out"));
  RC_ASSERT(gets_in == std::regex_match(host, own));
}

}  // namespace
}  // namespace banyan::tests
