// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/handshake/hello.hpp"

#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"
#include "harness/core/version.hpp"
#include "harness/team/wire/frame.hpp"

namespace assay::team {
namespace {

using core::tests::message_of;

TEST(Hello, ComesBackAsItWas) {
  const Introduction back =
      introduction_from(to_text({{"h1", "0.1.0", 1, {{"plan", "9f2c"}, {"seed", ""}}}, 3, 8}));
  EXPECT_EQ(back.hello.host, "h1");
  EXPECT_EQ(back.hello.version, "0.1.0");
  EXPECT_EQ(back.hello.protocol, 1);
  EXPECT_EQ(back.rank, 3);
  EXPECT_EQ(back.size, 8);
  const std::vector<std::pair<std::string, std::string>> options{{"plan", "9f2c"}, {"seed", ""}};
  EXPECT_EQ(back.hello.options, options);
}

TEST(Hello, OfThisHostStatesThisBuild) {
  const Hello mine = hello_of_this_host({{"plan", "9f2c"}});
  EXPECT_EQ(mine.version, core::version());
  EXPECT_FALSE(mine.host.empty());
  EXPECT_EQ(mine.options.size(), 1u);
}

TEST(Hello, ControlCharactersOfAPeerNeverReachTheTerminal) {
  EXPECT_EQ(introduction_from(to_text({{"h\x1b[2J1", "0.1.0\n", 1, {}}, 0, 2})).hello.host, "h?[2J1");
}

TEST(Hello, ThatIsNoneIsRefused) {
  EXPECT_EQ(message_of([] { introduction_from(""); }), "an introduction that is not assay's");
  EXPECT_EQ(message_of([] { introduction_from(pack({"assay-team", "one", "0.1.0", "h1", "0", "2"})); }),
            "an introduction with an invalid number");
}

TEST(Hello, AgreesWhereVersionsAndSharedOptionsAgree) {
  EXPECT_EQ(disagreement({"h0", "0.1.0", 1, {{"plan", "a"}, {"mine", "b"}}},
                         {"h1", "0.1.0", 1, {{"theirs", "c"}, {"plan", "a"}}}),
            "");
}

TEST(Hello, DifferencesAreOneLineWithBothValues) {
  EXPECT_EQ(disagreement({"h0", "0.1.0", 1, {}}, {"h1", "0.2.0", 2, {}}),
            "h1 runs assay 0.2.0, this host 0.1.0: install one version on both");
  EXPECT_EQ(disagreement({"h0", "0.1.0", 1, {}}, {"h1", "0.1.0", 2, {}}),
            "h1 speaks wire protocol 2, this host 1: install the same build of assay on both");
  EXPECT_EQ(disagreement({"h0", "0.1.0", 1, {{"plan", "a"}}}, {"h1", "0.1.0", 1, {{"plan", "b"}}}),
            "h1 has plan b, this host a: start both with the same plan");
}

TEST(Hello, LongOptionsAreComparedWholeAndShownWhereTheyDiffer) {
  const std::string shared(500, 'x');
  const auto told = [&](const std::string& mine, const std::string& theirs) {
    const Introduction heard =
        introduction_from(to_text({{"h1", "0.1.0", 1, {{"arguments", theirs}}}, 1, 2}));
    return disagreement({"h0", "0.1.0", 1, {{"arguments", mine}}}, heard.hello);
  };
  EXPECT_EQ(told(shared, shared), "");
  EXPECT_EQ(told(shared + "a\x1b[2J", shared + "b"), "h1 has arguments ..." + std::string(40, 'x') +
                                                         "b, this host ..." + std::string(40, 'x') +
                                                         "a?[2J: start both with the same arguments");
}

}  // namespace
}  // namespace assay::team
