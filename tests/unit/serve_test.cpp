// The parts of the server that need no network: who may ask, what is asked, what is kept, who waits.
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "serve/admission.hpp"
#include "serve/answers.hpp"
#include "serve/budget.hpp"
#include "serve/command.hpp"
#include "serve/gate.hpp"
#include "serve/request.hpp"
#include "serve/uploads.hpp"

namespace banyan::tests {
namespace {

using testing::ElementsAre;

TEST(Request, BecomesACommand) {
  EXPECT_THAT(
      command_of(
          "path",
          R"({"fabric": "4-ary 3-tree", "source": 0, "destination": "h5", "engine": "dmodk", "why": true})"),
      ElementsAre("path", "--engine=dmodk", "--why", "--json", "--", "4-ary 3-tree", "0", "h5"));
  EXPECT_THAT(command_of("draw", R"({"fabric": "x", "without": ["links=1", "links=2"]})"),
              ElementsAre("draw", "--without=links=1", "--without=links=2", "--json", "--", "x"));
  EXPECT_THAT(command_of("engines", ""), ElementsAre("engines", "--json"));
}

TEST(Request, ShellTextIsWhatAPersonWouldType) {
  EXPECT_EQ(shell_text({"draw", "--json", "--", "it's"}), "banyan draw --json 'it'\\''s'");
}

TEST(Admission, LoopbackIsAnAddressNotAName) {
  for (const char* yes : {"127.0.0.1", "127.3.2.1", "localhost", "::1"}) EXPECT_TRUE(is_loopback(yes)) << yes;
  for (const char* no : {"127.evil.example", "0.0.0.0", "10.0.0.1", "localhost.evil.example", "", "::"})
    EXPECT_FALSE(is_loopback(no)) << no;
}

TEST(Admission, OtherSitesAreRefused) {
  const Admission secret{"secret"}, anywhere{"secret", true};
  const Asked plain{"127.0.0.1:80", "", "", "Bearer secret", true};
  EXPECT_FALSE(refusal(plain, secret));
  Asked asked = plain;
  asked.origin = "http://evil.example";
  EXPECT_EQ(refusal(asked, secret).value().status, 403);
  asked = plain;
  asked.host = "evil.example";
  EXPECT_EQ(refusal(asked, secret).value().status, 403);
  EXPECT_FALSE(refusal(asked, anywhere));
  asked = plain;
  asked.authorization = "Bearer other";
  EXPECT_EQ(refusal(asked, secret).value().status, 401);
  asked = plain;
  asked.is_ambiguous = true;
  EXPECT_EQ(refusal(asked, secret).value().status, 400);
}

TEST(Admission, AHostIsANameOrAnAddressAndAPort) {
  const Admission secret{"secret"}, anywhere{"secret", true};
  const auto status = [](std::string host, const Admission& admission) {
    const auto found = refusal({std::move(host), "", "", "Bearer secret", true}, admission);
    return found ? found->status : 200;
  };
  for (const char* own :
       {"127.0.0.1", "127.0.0.1:", "127.0.0.1:8137", "localhost:1", "LocalHost", "[::1]", "[::1]:1"})
    EXPECT_EQ(status(own, secret), 200) << own;
  for (const char* other : {"evil.example", "127.0.0.1.evil.example", "127.0.0.1,evil.example", "[::2]",
                            "[127.0.0.1]", "localhost.evil.example:1", "", ":80", "0x7f.1", "127.1"})
    EXPECT_EQ(status(other, secret), 403) << other;
  for (const char* none : {"127.0.0.1:1@evil.example", "127.0.0.1:x", "127.0.0.1:80:80",
                           "127.0.0.1@evil.example", "127.0.0.1/evil.example", "127.0.0.1:1/", "127.0.0.1#",
                           "127.0.0.1 evil.example", "[::1", "[::1]evil.example", "[::1]@evil.example",
                           "[::1]:1@evil.example", "[localhost]", "::1", "http://127.0.0.1"}) {
    EXPECT_EQ(status(none, secret), 400) << none;
    EXPECT_EQ(status(none, anywhere), 400) << none;
  }
  EXPECT_EQ(status(std::string("127.0.0.1\0.evil.example", 23), secret), 400);
  for (const char* named : {"evil.example", "my_host:80", "[2001:db8::1]:80"})
    EXPECT_EQ(status(named, anywhere), 200) << named;
}

TEST(Admission, TheNameOfTheSchemeIsInLettersOfEitherCase) {
  const auto status = [](std::string authorization) {
    const auto found = refusal({"127.0.0.1", "", "", std::move(authorization), true}, {"Secret"});
    return found ? found->status : 200;
  };
  for (const char* right : {"Bearer Secret", "bearer Secret", "BEARER Secret", "bEaReR  Secret"})
    EXPECT_EQ(status(right), 200) << right;
  for (const char* wrong : {"", "Bearer", "Bearer ", "bearer secret", "BearerSecret", "Basic Secret",
                            "Secret", "Bearer Secret ", "Bearer Secretx", "Bearer Secre", "Bearer\tSecret"})
    EXPECT_EQ(status(wrong), 401) << wrong;
}

TEST(Answers, TheOldestGiveWay) {
  Answers answers(4000);
  const auto text = std::make_shared<const std::string>(1000, 'x');
  for (const char* name : {"a", "b", "c"}) answers.keep(name, text);
  EXPECT_TRUE(answers.find("a"));  // asked for: the youngest now
  answers.keep("d", text);
  EXPECT_TRUE(answers.find("a"));
  EXPECT_FALSE(answers.find("b"));
}

TEST(Uploads, KeepWhatFitsAndGoWhenTheyEnd) {
  std::filesystem::path folder;
  {
    Uploads uploads(100);
    folder = uploads.folder();
    const std::string first = uploads.put("../../a.json", std::string(60, 'x'));
    EXPECT_EQ(read_file((folder / first).string()), std::string(60, 'x'));
    uploads.put("b.json", std::string(60, 'y'));
    EXPECT_FALSE(uploads.has(first));
    const std::string named = uploads.put("C:\\lab\\my plan.csv", "x");
    EXPECT_EQ(uploads.as_given("file:" + named), "file:my plan.csv");
    EXPECT_THROW(uploads.put("c.json", std::string(101, 'z')), InputError);
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(Gate, WhoIsNotWantedLeavesTheQueue) {
  Gate gate(1, 1);
  EXPECT_EQ(gate.enter("a", [] { return true; }), Gate::Entry::in);
  EXPECT_EQ(gate.enter("a", [] { return false; }), Gate::Entry::unwanted);
  EXPECT_EQ(gate.enter("a", [] { return false; }), Gate::Entry::unwanted);  // and leaves its place to others
}

TEST(Gate, WhoWaitsGetsInWhenSomeoneLeavesAndMoreAreRefused) {
  Gate gate(1, 1);
  EXPECT_EQ(gate.enter("a", [] { return true; }), Gate::Entry::in);
  std::atomic<bool> waits = false;
  std::jthread waiter([&] {
    const auto asked = [&] { return waits = true, true; };
    EXPECT_EQ(gate.enter("a", asked), Gate::Entry::in);
  });
  while (!waits) std::this_thread::yield();
  EXPECT_EQ(gate.enter("a", [] { return true; }), Gate::Entry::full);
  gate.leave("a");
}

// One client has eight waiting; another comes last, and is next.
TEST(Gate, EachClientHasItsTurn) {
  Gate gate(1, 100);
  ASSERT_EQ(gate.enter("many", [] { return true; }), Gate::Entry::in);
  std::mutex mutex;
  std::vector<std::string> order;
  std::atomic<int> asked = 0;
  std::vector<std::jthread> waiters;
  const auto wait = [&](const std::string& client) {
    waiters.emplace_back([&, client] {
      std::atomic<bool> has_asked = false;
      const auto counts = [&] { return has_asked.exchange(true) ? true : (++asked, true); };
      EXPECT_EQ(gate.enter(client, counts), Gate::Entry::in);
      const std::lock_guard lock(mutex);
      order.push_back(client);
      gate.leave(client);
    });
    const int all = static_cast<int>(waiters.size());
    while (asked < all) std::this_thread::yield();
  };
  for (int i = 0; i < 8; ++i) wait("many");
  wait("one");
  gate.leave("many");
  waiters.clear();
  ASSERT_EQ(order.size(), 9u);
  EXPECT_EQ(order.front(), "one");
}

TEST(Budget, IsGivenBack) {
  Budget budget(100);
  Budget::Share one(budget);
  EXPECT_TRUE(one.grow_to(60));
  {
    Budget::Share other(budget);
    EXPECT_FALSE(other.grow_to(41));
    EXPECT_TRUE(other.grow_to(40));
    EXPECT_TRUE(other.grow_to(10));  // never less
    EXPECT_FALSE(one.grow_to(61));
  }
  EXPECT_TRUE(one.grow_to(100));
}

const std::function<bool()> wanted = [] { return true; };
Command shell(const std::string& text) { return {{"/bin/sh", "-c", text}, {"X=1"}, "/"}; }

TEST(RunCommand, GivesOutputMessagesAndStatus) {
  const CommandResult done = run_command(shell("echo out; echo $X >&2; exit 3"), {}, wanted);
  EXPECT_EQ(done.ending, Ending::finished);
  EXPECT_EQ(done.output, "out\n");
  EXPECT_EQ(done.messages, "1\n");
  EXPECT_EQ(done.status, 3);
}

TEST(RunCommand, EndsWhatTakesTooLongOrSaysTooMuchOrIsNotWanted) {
  EXPECT_EQ(run_command(shell("exec sleep 60"), {.seconds = 0.05}, wanted).ending, Ending::out_of_time);
  EXPECT_EQ(run_command(shell("exec yes"), {.output_bytes = 10000}, wanted).ending, Ending::too_much_output);
  EXPECT_EQ(run_command(shell("exec sleep 60"), {}, [] { return false; }).ending, Ending::cancelled);
  EXPECT_EQ(run_command(shell("exec yes"), {}, wanted, [](std::string_view) { return false; }).ending,
            Ending::cancelled);
}

}  // namespace
}  // namespace banyan::tests
