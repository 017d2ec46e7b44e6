#include "base/registry.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace banyan::tests {

struct Tool {
  std::string_view name;
  std::vector<OptionInfo> options = {};
  std::vector<std::string_view> aliases = {};
};

struct SawOptions {
  u32 teeth = 7;
  FilePath plan;
  static void fields(auto& self, auto&& f) {
    f("teeth", self.teeth, "how many");
    f("plan", self.plan, "what to saw");
  }
};

Tool hammer_tool() { return {"hammer"}; }
Tool saw_tool() { return {"saw", option_infos<SawOptions>(), {"cutter", "saege"}}; }

const Registry<Tool> tools{"tool", BANYAN_PLUGIN(Tool, hammer_tool), BANYAN_PLUGIN(Tool, saw_tool)};

namespace {

std::string complaint(const std::function<void()>& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, ListsInOrderAndFindsByName) {
  EXPECT_EQ(tools.names(), (std::vector<std::string_view>{"hammer", "saw"}));
  EXPECT_EQ(tools.size(), 2u);
  EXPECT_EQ(&tools.at("saw"), &tools[1]);
  EXPECT_EQ(tools.find("sow"), nullptr);
  EXPECT_EQ(tools.nearest("HAMER").name, "hammer");
}

TEST(Registry, RefusesAnUnknownNameWithTheNearestOne) {
  EXPECT_EQ(complaint([] { tools.at("sow"); }),
            "unknown tool 'sow': did you mean 'saw'? There are hammer, saw");
  EXPECT_EQ(complaint([] { tools.bind("hamer:3"); }),
            "unknown tool 'hamer': did you mean 'hammer'? There are hammer, saw");
  static const Tool saw = saw_tool();
  EXPECT_EQ(complaint([] {
              Registry<Tool>("tool", saw, saw, saw, saw, saw, saw, saw, saw, saw, saw, saw).at("sow");
            }),
            "unknown tool 'sow': did you mean 'saw'?");  // too many to list
}

TEST(Registry, FindsByAnAliasAndBindsTheOwnName) {
  EXPECT_EQ(&tools.at("cutter"), &tools[1]);
  EXPECT_EQ(tools.find("cut"), nullptr);
  EXPECT_EQ(plugin_text(tools.bind("saege:9")), "saw:teeth=9");
  EXPECT_EQ(complaint([] { tools.bind("saege:tooth=9"); }), complaint([] { tools.bind("saw:tooth=9"); }));
}

TEST(Registry, BindsAValueAloneToTheFirstOption) {
  EXPECT_EQ(plugin_text(tools.bind("saw:9")), "saw:teeth=9");
  EXPECT_EQ(plugin_text(tools.bind("saw: 9 , plan = a.txt")), "saw:teeth=9,plan=a.txt");
  EXPECT_EQ(plugin_text(tools.bind("hammer")), "hammer");
  EXPECT_EQ(complaint([] { tools.bind("saw:9,teeth=8"); }), "saw: teeth is given twice");
  EXPECT_EQ(complaint([] { tools.bind("saw:tooth=9"); }),
            "saw: unknown option 'tooth': did you mean 'teeth'?");
  EXPECT_EQ(complaint([] { tools.bind("hammer:9"); }), "hammer takes no options");
}

TEST(Registry, AnOptionIsAFileByItsType) {
  const auto& options = tools.at("saw").options;
  EXPECT_FALSE(options[0].is_file);
  EXPECT_TRUE(options[1].is_file);
  const auto read = read_options<SawOptions>(tools.bind("saw:plan=a.txt"));
  EXPECT_EQ(read.plan.path, "a.txt");
  EXPECT_EQ(option_texts(read)[1].second, "a.txt");
}

}  // namespace
}  // namespace banyan::tests
