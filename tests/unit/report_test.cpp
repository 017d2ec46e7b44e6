// Reports: what is embedded in a page.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/page.hpp"
#include "report/report.hpp"

namespace banyan::tests {
namespace {

TEST(Report, Base64) {
  EXPECT_EQ(base64_of_hex(""), "");
  EXPECT_EQ(base64_of_hex("66"), "Zg==");
  EXPECT_EQ(base64_of_hex("666f"), "Zm8=");
  EXPECT_EQ(base64_of_hex("666f6f"), "Zm9v");
  EXPECT_EQ(base64_of_hex("666f6f626172"), "Zm9vYmFy");
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const auto from = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST(Report, NamesCannotLeaveTheData) {
  const std::string nasty = "</script><script>alert(1)</script><!-- \" ' & \\u003c";
  std::ostringstream out;
  write_page(out, nasty, [&](JsonWriter& json) { json.begin_object().field("name", nasty).end_object(); });
  EXPECT_EQ(data_of(out.str())["name"], nasty);
  EXPECT_EQ(out.str().find("alert(1)</script>"), std::string::npos);
}

TEST(Report, APageAsksForNothing) {
  std::ostringstream out;
  write_page(out, "", [](JsonWriter& json) { json.begin_object().end_object(); });
  const std::string page = out.str();
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-"), std::string::npos);
  EXPECT_EQ(page.find("src=\""), std::string::npos);
}

TEST(Report, APaperIsTheirsBesideOurs) {
  Reproduction found(
      read_statements("id,kind,where,claim,value,unit,tolerance\na,prediction,Table 1,\"a <b>, "
                      "c\",2,%,0.1\nb,ordering,Figure 1,d,,,\n",
                      "x.csv"));
  found.number("a", 2.1);
  found.ordering("b", false, "because");
  found.show("T", {"x", "y"}, {{"1", "2"}});
  std::ostringstream out;
  write_report(out, {"p", "Title", nullptr}, found, {.quick = true}, "banyan reproduce p");
  const auto data = data_of(out.str());
  EXPECT_EQ(data["kind"], "paper");
  EXPECT_EQ(data["statements"][0]["claim"], "a <b>, c");
  EXPECT_EQ(data["statements"][0]["verdict"], "within");
  EXPECT_EQ(data["statements"][1]["why"], "because");
  EXPECT_EQ(data["statements"][0]["kind"], "prediction");
  EXPECT_EQ(data["summary"]["prediction"]["within"], 1);
  EXPECT_EQ(data["summary"]["ordering"]["not_reproduced"], 1);
  EXPECT_TRUE(data["statements"][1]["ours"].is_null());
  EXPECT_EQ(data["tables"][0]["rows"][0][1], "2");
}

}  // namespace
}  // namespace banyan::tests
