// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Each question on a small model: its answer against the searches it is read from.
#include "model/explain/explanation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/explain/terms.hpp"

namespace assay::model {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// 24 blocks; bfloat16 on the sample system.
Subject small() {
  const std::string sample = std::string(ASSAY_SOURCE_DIR) + "/harness/front/cli/tests/predict/system.json";
  return {.application = {.hidden = 4096,
                          .feedforward = 16384,
                          .seq_size = 2048,
                          .attn_heads = 32,
                          .attn_size = 128,
                          .num_blocks = 24},
          .system = SystemFile::read(sample),
          .max_batch = 32,
          .datatype = Datatype::bfloat16,
          .threads = 2};
}

double rate(const Question& question) {
  const SearchResult found = search(question, {.top = 1, .threads = 2});
  return found.best.empty() ? 0 : found.best[0].sample_rate;
}

double number(const results::Cell& cell) { return std::get<results::Number>(cell).value; }

TEST(Terms, SumToTheStep) {
  const Finding found = find_best({{{}, small().question(32)}}, 2)[0];
  ASSERT_TRUE(found.best.has_value());
  double sum = 0;
  for (const Term& term : terms()) sum += term.seconds(found.best->step.time);
  EXPECT_NEAR(sum, found.best->step.time.total_s, 1e-12 * sum);
}

TEST(Terms, NameWhatTheyDoNotKnowOther) {
  StepTime time;
  time.forward_s = 3;
  time.total_s = 5;
  EXPECT_EQ(terms().back().name, "other");
  EXPECT_DOUBLE_EQ(terms().back().seconds(time), 2);
  time.total_s = 3 * (1 + 1e-15);
  EXPECT_EQ(terms().back().seconds(time), 0);
}

TEST(Terms, GrowByWhatScalingLoses) {
  const auto all = find_best({{{}, small().question(8)}, {{}, small().question(64)}}, 2);
  double grown = 0;
  const auto terms_grown = growth(all[0], all[1]);
  for (const TermGrowth& term : terms_grown) grown += term.growth();
  EXPECT_NEAR(grown, 64 / all[1].sample_rate() - 8 / all[0].sample_rate(), 1e-9);
  EXPECT_GE(terms_grown[0].growth(), terms_grown[1].growth());
}

TEST(ExplainScaling, FindsWhereItStops) {
  const Explanation explained = explain_scaling(small(), {8, 16, 32, 64, 128});
  EXPECT_THAT(explained.answer, StartsWith("Strong scaling from 8 processors stops at 64: "));
  ASSERT_EQ(explained.tables.size(), 2U);
  ASSERT_EQ(explained.tables[0].rows.size(), 5U);
  EXPECT_DOUBLE_EQ(number(explained.tables[0].rows[1][3]), rate(small().question(16)));
}

TEST(ExplainScaling, ThatGoesOnSaysSo) {
  EXPECT_THAT(explain_scaling(small(), {8, 16}).answer,
              StartsWith("Strong scaling from 8 processors does not stop up to 16: "));
}

TEST(ExplainScaling, OfWhatDoesNotFitSaysSo) {
  Subject tiny = small();
  tiny.system.set("mem1.GiB", 0.01);
  const Explanation explained = explain_scaling(tiny, {8, 16});
  EXPECT_EQ(explained.answer, "It fits on fewer than two of these numbers of processors.");
  EXPECT_FALSE(explained.holds);
}

TEST(ExplainDomain, NamesTheSmallestThatIsWithinOnePercent) {
  const Subject subject = small();
  const Explanation explained = explain_domain(subject, {16}, {1, 2, 4, 8});
  EXPECT_THAT(explained.answer, StartsWith("The smallest domain within 1 % of the best: "));
  ASSERT_EQ(explained.tables[0].rows.size(), 4U);
  double best = 0;
  for (const auto& row : explained.tables[0].rows) best = std::max(best, number(row[4]));
  std::size_t first = 0;
  while (number(explained.tables[0].rows[first][4]) < 0.99 * best) ++first;
  EXPECT_THAT(explained.answer, HasSubstr(std::to_string(1 << first) + " at 16 processors"));
  EXPECT_DOUBLE_EQ(number(explained.tables[0].rows[2][4]),
                   rate(subject.question(16, {{"networks[0].size", 4}})));
}

TEST(ExplainOffload, IsNotNeededWhereTheFirstMemoryHoldsEverything) {
  const Explanation explained = explain_offload(small(), 32, {64}, {50});
  EXPECT_THAT(explained.answer, HasSubstr("none is needed"));
  EXPECT_TRUE(explained.holds);
}

TEST(ExplainOffload, FindsTheSmallestThatIsEnough) {
  Subject tight = small();
  tight.system.set("mem1.GiB", 5);
  const Explanation explained = explain_offload(tight, 8, {1, 64}, {1, 1000});
  ASSERT_EQ(explained.tables[0].rows.size(), 6U);  // without, four offers, without limits
  EXPECT_THAT(explained.answer, HasSubstr("none are there without one"));
  EXPECT_THAT(explained.answer, HasSubstr("the smallest within 1 %: 64 GiB at 1000 GB/s"));
}

TEST(ExplainOffload, OfWhatFitsNowhereSaysSo) {
  Subject tiny = small();
  tiny.system.set("mem1.GiB", 0.01);
  const Explanation explained = explain_offload(tiny, 8, {64}, {50});
  EXPECT_EQ(explained.answer, "It does not fit on 8 processors, whatever the second memory.");
  EXPECT_FALSE(explained.holds);
}

TEST(ExplainBlocks, TellsTheMappingsOfEach) {
  const Explanation explained = explain_blocks(small(), 16, {24, 23});
  EXPECT_THAT(explained.answer, StartsWith("24 blocks map best: "));
  Question prime = small().question(16);
  prime.application.num_blocks = 23;
  EXPECT_EQ(std::get<std::int64_t>(explained.tables[0].rows[1][2]), count_space(prime));
  EXPECT_EQ(std::get<std::string>(explained.tables[0].rows[1][1]), "1 23");
}

TEST(ExplainFits, TellsWhichDoNot) {
  Application huge = small().application;
  huge.hidden *= 16;
  huge.feedforward *= 16;
  const Explanation explained = explain_fits(small(), 8, {{"small", small().application}, {"huge", huge}});
  EXPECT_THAT(explained.answer, StartsWith("1 of 2 fit on 8 processors, the largest small at "));
  EXPECT_THAT(explained.answer, HasSubstr("; not huge."));
  EXPECT_EQ(explain_fits(small(), 8, {{"huge", huge}}).answer, "None of these fits on 8 processors.");
}

TEST(Explanation, AsJsonHasTheAnswerAndItsTables) {
  const nlohmann::json json = to_json(explain_blocks(small(), 8, {24}));
  EXPECT_THAT(json["answer"].get<std::string>(), StartsWith("24 blocks map best: "));
  EXPECT_EQ(json["tables"][0]["columns"][0]["name"], "blocks");
  EXPECT_EQ(json["tables"][0]["rows"][0][0], 24);
  EXPECT_EQ(json["warnings"], nlohmann::json::array());
}

}  // namespace
}  // namespace assay::model
