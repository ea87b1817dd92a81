// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/roster.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "harness/core/version.hpp"

namespace assay::campaign {
namespace {

using results::Verdict;

Hello hello(const std::string& host, std::int64_t ahead_s = 0, const std::string& driver = "580") {
  const auto now = std::chrono::system_clock::now().time_since_epoch() + std::chrono::seconds(ahead_s);
  return {.host = host,
          .version = core::version(),
          .revision = core::source_revision(),
          .time_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count(),
          .gpus = 8,
          .components = {{"driver", driver}}};
}

/// Verdict and metric of each row that is no pass, by unit.
std::vector<std::string> bad(const Roster& roster) {
  std::vector<std::string> found;
  for (const auto& row : roster.rows())
    if (row.verdict != Verdict::pass)
      found.push_back(row.unit + " " + row.metric + " " + std::string(to_string(row.verdict)));
  return found;
}

Roster looked_at(const std::vector<std::pair<std::string, Hello>>& said,
                 const std::vector<std::string>& nodes) {
  Roster roster(nodes);
  NodeAnswers answers(nodes, "/nonexistent");
  for (const auto& [node, one] : said) answers.take(to_line({.node = node, .hello = one}));
  roster.take_look(answers);
  return roster;
}

TEST(Roster, EqualNodesPass) {
  const Roster roster = looked_at({{"a", hello("a")}, {"b", hello("b")}}, {"a", "b"});
  EXPECT_TRUE(bad(roster).empty());
  EXPECT_EQ(roster.present().size(), 2U);
}

TEST(Roster, KnowsTheRailsOfMostNodesAndFailsOneWithFewer) {
  const auto with_rails = [](const std::string& host, std::int64_t rails) {
    Hello one = hello(host);
    one.rails = rails;
    return std::pair(host, one);
  };
  const Roster roster =
      looked_at({with_rails("a", 8), with_rails("b", 7), with_rails("c", 8)}, {"a", "b", "c", "d"});
  EXPECT_EQ(roster.usual_rails(), 8);
  EXPECT_EQ(bad(roster),
            (std::vector<std::string>{"d campaign.node NOT_RUN", "b campaign.same active RDMA ports FAIL"}));
  EXPECT_EQ(looked_at({{"a", hello("a")}}, {"a"}).usual_rails(), 1)
      << "a host without adapters has a rank too";
}

TEST(Roster, WhoDoesNotAnswerIsNotRunAndNamed) {
  const Roster roster = looked_at({{"a", hello("a")}}, {"a", "b"});
  EXPECT_EQ(bad(roster), std::vector<std::string>{"b campaign.node NOT_RUN"});
  EXPECT_EQ(roster.present(), std::vector<std::string>{"a"});
}

TEST(Roster, AnotherDriverFailsByItsNode) {
  const Roster roster =
      looked_at({{"a", hello("a")}, {"b", hello("b", 0, "570")}, {"c", hello("c")}}, {"a", "b", "c"});
  EXPECT_EQ(bad(roster), std::vector<std::string>{"b campaign.same driver FAIL"});
}

TEST(Roster, AnotherMemoryModuleFailsByItsNode) {
  const auto with_dimms = [](const std::string& host, const std::string& dimms) {
    Hello one = hello(host);
    one.components["dimm"] = dimms;
    return std::pair(host, one);
  };
  const Roster roster = looked_at({with_dimms("a", "16 x 64 GiB"),
                                   with_dimms("b", "15 x 64 GiB"),
                                   with_dimms("c", "16 x 64 GiB"),
                                   {"d", hello("d")},
                                   with_dimms("e", "16 x 64 GiB")},
                                  {"a", "b", "c", "d", "e"});
  EXPECT_EQ(bad(roster),
            (std::vector<std::string>{"b campaign.same dimm FAIL", "d campaign.same dimm FAIL"}));
}

TEST(Roster, TwoHalvesHaveNoMajority) {
  const Roster roster = looked_at({{"a", hello("a")}, {"b", hello("b", 0, "570")}}, {"a", "b"});
  EXPECT_EQ(bad(roster), std::vector<std::string>{" campaign.same driver INCONCLUSIVE"});
}

TEST(Roster, AClockThatIsMinutesOffFails) {
  const Roster roster =
      looked_at({{"a", hello("a")}, {"b", hello("b", -300)}, {"c", hello("c", -30)}, {"d", hello("d", 3)}},
                {"a", "b", "c", "d"});
  EXPECT_EQ(bad(roster), (std::vector<std::string>{"b campaign.clock FAIL", "d campaign.clock FAIL"}));
}

TEST(Roster, AnotherVersionOfAssayMeasuresNothing) {
  Hello other = hello("b");
  other.version = "0.0.1";
  const Roster roster = looked_at({{"a", hello("a")}, {"b", other}}, {"a", "b"});
  EXPECT_EQ(bad(roster), std::vector<std::string>{"b campaign.node FAIL"});
  EXPECT_EQ(roster.present(), std::vector<std::string>{"a"});
}

TEST(Roster, OneHostUnderTwoNamesMeasuresOnce) {
  const Roster roster = looked_at({{"a", hello("h")}, {"b", hello("h")}}, {"a", "b"});
  EXPECT_EQ(bad(roster), std::vector<std::string>{"b campaign.node INCONCLUSIVE"});
}

TEST(Roster, AStageThatWasNotCarriedOutIsNamed) {
  Roster roster = looked_at({{"a", hello("a")}, {"b", hello("b")}}, {"a", "b"});
  NodeAnswers answers({"a", "b"}, "/nonexistent");
  const Outcome full{.hello = hello("a"), .steps = {{"run", 3, "No space left on device"}}};
  answers.take(to_line({.node = "a", .outcome = full, .end = End{.shared = true}}));
  answers.take("srun: error: b: task 1: Killed");
  roster.take_stage("node-1", answers);
  const auto rows = bad(roster);
  EXPECT_EQ(rows, (std::vector<std::string>{"a campaign.node-1 NOT_RUN", "b campaign.node NOT_RUN"}));
}

TEST(Roster, ANodeWhoseRecordsDidNotArriveWholeIsNotRun) {
  Roster roster = looked_at({{"a", hello("a")}}, {"a"});
  NodeAnswers answers({"a"}, "/nonexistent");
  const Outcome full{.hello = hello("a"), .steps = {{"run", 0, ""}}};
  answers.take(to_line({.node = "a", .outcome = full}));
  answers.take(to_line({.node = "a", .file = FileHead{"r/journal.jsonl", 2000, "no such digest"}}));
  answers.take(to_line({.node = "a", .end = End{}}));
  roster.take_stage("node-1", answers);
  EXPECT_EQ(bad(roster), std::vector<std::string>{"a campaign.node NOT_RUN"});
  EXPECT_EQ(roster.nodes().at("a").left_out, "r/journal.jsonl of stage node-1 did not arrive whole");
}

TEST(Roster, ANodeThatAnotherInterruptedDidNotCarryItsStageOut) {
  Roster roster = looked_at({{"a", hello("a")}}, {"a"});
  NodeAnswers answers({"a"}, "/nonexistent");
  answers.take(
      to_line({.node = "a", .outcome = Outcome{.hello = hello("a")}, .end = End{.interrupted = true}}));
  roster.take_stage("node-1", answers);
  EXPECT_EQ(bad(roster), std::vector<std::string>{"a campaign.node NOT_RUN"});
}

}  // namespace
}  // namespace assay::campaign
