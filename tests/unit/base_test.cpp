#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <sstream>

#include "base/counted_text.hpp"
#include "base/json_writer.hpp"
#include "base/print.hpp"
#include "base/random.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace banyan::tests {
namespace {

TEST(Random, IsPhiloxAsPublished) {  // the known answers of Random123
  using C = std::array<u32, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (C{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const u32 f = 0xffffffff;
  EXPECT_EQ(philox({f, f, f, f}, {f, f}), (C{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (C{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, IsAFunctionOfSeedStreamAndIndex) {
  Random a(7, 3), b(7, 3);
  for (u64 i = 0; i < 100; ++i) EXPECT_EQ(a(), b.at(i));
  EXPECT_NE(Random(7, 3).at(0), Random(7, 4).at(0));
  EXPECT_NE(Random(7, 3).at(0), Random(8, 3).at(0));
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100'000; ++i) ++counts[random.below(10)];
  for (int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(CountedText, CountsTheLinesThatWereRead) {
  const auto read = [](const std::string& text, std::size_t characters) {
    std::istringstream in(text);
    u64 line = 1;
    CountedText at(in.rdbuf(), &line);
    std::string out;
    for (; out.size() < characters && at != CountedText(); ++at) out += *at;
    return std::pair(out, line);
  };
  EXPECT_EQ(read("", 9), std::pair(std::string(), u64{1}));
  EXPECT_EQ(read("ab\ncd\n", 2), std::pair(std::string("ab"), u64{1}));
  EXPECT_EQ(read("ab\ncd\n", 3), std::pair(std::string("ab\n"), u64{2}));  // the character after it counts
  EXPECT_EQ(read("ab\ncd\n", 9), std::pair(std::string("ab\ncd\n"), u64{3}));
  EXPECT_EQ(read("\n\n\xff", 9), std::pair(std::string("\n\n\xff"), u64{3}));  // the byte 255 is no end
}

TEST(Text, NaturalOrderComparesNumbers) {
  EXPECT_TRUE(natural_less("h2", "h10"));
  EXPECT_FALSE(natural_less("h10", "h2"));
  EXPECT_TRUE(natural_less("rack1-h9", "rack2-h1"));
  EXPECT_TRUE(natural_less("h", "h1"));
  EXPECT_NE(natural_less("h01", "h1"), natural_less("h1", "h01"));
  EXPECT_FALSE(natural_less("h1", "h1"));
}

TEST(Text, NearestFindsTheMisspeltWord) {
  const std::array<std::string_view, 3> known = {"hosts", "capacity", "latency"};
  EXPECT_EQ(nearest("host", known), "hosts");
  EXPECT_EQ(nearest("capcity", known), "capacity");
}

TEST(Text, SuggestsOnlyWhatIsNear) {
  const std::array<std::string_view, 4> known = {"check", "describe", "dragonfly", "dragonfly+"};
  EXPECT_EQ(did_you_mean("descibe", known), ": did you mean 'describe'?");
  EXPECT_EQ(did_you_mean("dragonf", known), ": did you mean 'dragonfly'?");
  EXPECT_EQ(did_you_mean("help", known), "");
  EXPECT_EQ(did_you_mean("slimfly", known), "");
  EXPECT_EQ(suggestion("chek", known), ": did you mean 'check'?");
  EXPECT_EQ(suggestion("slimfly", known), "; expected one of check, describe, dragonfly, dragonfly+");
}

TEST(Text, ReadsTheUnitsThatPeopleWrite) {
  EXPECT_EQ(parse_amount("4096"), 4096u);
  EXPECT_EQ(parse_amount("1MiB"), 1u << 20);
  EXPECT_EQ(parse_amount("1.5 KiB"), 1536u);
  EXPECT_EQ(parse_amount("2kB"), 2000u);
  EXPECT_EQ(parse_amount("8B"), 8u);
  for (const char* bad : {"MiB", "1.5B", "-1kB", "1MiBs", "1e30GB", "2%"})
    EXPECT_FALSE(parse_amount(bad)) << bad;
  EXPECT_EQ(parse_ratio("2%"), 0.02);
  EXPECT_EQ(parse_ratio("40 %"), 0.4);
  EXPECT_EQ(parse_ratio("0.5"), 0.5);
  for (const char* bad : {"%", "x%", "5%%", ""}) EXPECT_FALSE(parse_ratio(bad)) << bad;
}

TEST(Text, ReadsRangesWithTheirEnd) {
  EXPECT_EQ(parse_ratios("0.1:0.4:0.1"), (std::vector<double>{0.1, 0.2, 0.3, 0.4}));
  EXPECT_EQ(parse_ratios("10%:35%:10%"), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(parse_ratios("0.5,20%"), (std::vector<double>{0.5, 0.2}));
  EXPECT_EQ(parse_ratios("1:1:1"), (std::vector<double>{1}));
  for (const char* bad : {"0.1:0.9", "0.9:0.1:0.1", "0:1:0", "0:1:1e-9", "a:b:c", "1:2:3:4"})
    EXPECT_FALSE(parse_ratios(bad)) << bad;
}

TEST(Text, NumbersMustBeWhole) {
  EXPECT_EQ(parse_unsigned("42"), 42u);
  for (const char* bad : {"", "-1", "4 2", "42x", "99999999999999999999999"})
    EXPECT_FALSE(parse_unsigned(bad)) << bad;
  EXPECT_EQ(parse_real("0.5"), 0.5);
  for (const char* bad : {"", "nan", "inf", "1e999", "1,5"}) EXPECT_FALSE(parse_real(bad)) << bad;
}

TEST(JsonWriter, EscapesAndNests) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().field("a", "quote \" and \n").field("b", std::vector<u32>{1, 2}).field("c", 0.1);
  json.key("d").begin_array().end_array().field("e", false).end_object();
  EXPECT_EQ(out.str(),
            "{\n  \"a\": \"quote \\\" and \\u000a\",\n  \"b\": [1, 2],\n  \"c\": 0.1,\n  \"d\": [],\n  "
            "\"e\": false\n}\n");
}

TEST(Print, WritesWhatFmtFormats) {
  std::ostringstream out;
  base::print(out, "{} {:04x} {:.2f}\n", "lid", 10, 2.5);
  base::print(out, "end");
  EXPECT_EQ(out.str(), "lid 000a 2.50\nend");
  fmt::memory_buffer buffer;
  base::append(buffer, "{:03} ", 7);
  base::append(buffer, "{}", "seven");
  EXPECT_EQ(fmt::to_string(buffer), "007 seven");
}

TEST(Text, ShellWordsAreQuotedWhereTheyNeedIt) {
  EXPECT_EQ(quoted_for_shell("studies/quickstart.toml"), "studies/quickstart.toml");
  EXPECT_EQ(quoted_for_shell(""), "''");
  EXPECT_EQ(quoted_for_shell("a b"), "'a b'");
  EXPECT_EQ(quoted_for_shell("it's $x"), "'it'\\''s $x'");
}

}  // namespace
}  // namespace banyan::tests
