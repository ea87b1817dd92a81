// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Laws over ranks of timings made by known ones.
#include "model/fit/laws/rank_law.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/rank_law_json.hpp"

namespace assay::model::fit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// alpha, GB/s and gamma of one shape.
struct Made {
  const RankShape* shape;
  double step_us = 0.8, gb_per_s = 350, call_us = 5;

  double time_us(double ranks, double bytes) const {
    return step_us * shape->steps(ranks) + call_us + bytes * shape->volume(ranks) * 1e-3 / gb_per_s;
  }
};

std::vector<CollectiveRow> rows_of(const std::string& operation, const std::vector<std::int64_t>& ranks,
                                   const std::function<double(double ranks, double bytes)>& time_us) {
  std::vector<CollectiveRow> rows;
  for (const std::int64_t among : ranks)
    for (double bytes = 1024; bytes < 1e9; bytes *= 4)
      rows.push_back({.system = "m/x",
                      .operation = operation,
                      .algorithm = "",
                      .dtype = "fp16",
                      .ranks = among,
                      .size_bytes = bytes,
                      .time_us = time_us(static_cast<double>(among), bytes)});
  return rows;
}

RankLaw law_of_rows(const std::vector<CollectiveRow>& rows) { return fit_rank_laws(rows, 1).at(0); }

/// Student's t with three degrees of freedom, and one in twenty twice as long.
double ugly(double scale, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(normal(random), 2) / 3;
  const double noise = std::exp(scale * normal(random) / std::sqrt(squares));
  return random() % 20 == 0 ? 2 * noise : noise;
}

bool holds(const Coefficient& of, double truth) { return of.lower <= truth && truth <= of.upper; }

TEST(RankLaw, HasIntervalsThatHoldTheTruthAboutNinetyFiveTimesOfAHundred) {
  const Made ring{rank_shape("all_reduce", "ring")};
  int right = 0, step = 0, link = 0, call = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    std::mt19937_64 random(seed);
    const RankLaw law = law_of_rows(rows_of("all_reduce", {2, 4, 8, 16}, [&](double ranks, double bytes) {
      return ring.time_us(ranks, bytes) * ugly(0.03, random);
    }));
    right += law.shape == ring.shape && law.regimes.size() == 1 ? 1 : 0;
    step += holds(law.regimes[0].step, ring.step_us) ? 1 : 0;
    link += holds(law.regimes.back().bandwidth, ring.gb_per_s) ? 1 : 0;
    call += holds(law.regimes[0].call, ring.call_us) ? 1 : 0;
  }
  EXPECT_GE(right, 90);
  for (const int held : {step, link, call}) EXPECT_GE(held, 90);
  RecordProperty("right_step_link_call", testing::PrintToString(std::vector{right, step, link, call}));
}

TEST(RankLaw, NamesTheShapeThatTheTimesWereMadeBy) {
  for (const char* operation :
       {"all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "gather"})
    for (const RankShape& shape : rank_shapes(operation)) {
      const Made made{&shape};
      const RankLaw law = law_of_rows(
          rows_of(operation, {2, 3, 4, 8, 16}, [&](double n, double s) { return made.time_us(n, s); }));
      EXPECT_EQ(law.shape->name, shape.name) << operation;
      EXPECT_LT(law.held_out.mape_percent, 0.1) << operation << " " << shape.name;
      EXPECT_NEAR(law.time_us(128, 1e6) / made.time_us(128, 1e6), 1, 1e-3) << operation << " " << shape.name;
    }
}

TEST(RankLaw, HasTheRegimesOfTwoProtocols) {
  const Made small{rank_shape("all_gather", "ring"), 0.8, 30, 4}, large{small.shape, 1.5, 350, 20};
  const auto time_us = [&](double n, double s) { return (s < 5e5 ? small : large).time_us(n, s); };
  const RankLaw law = law_of_rows(rows_of("all_gather", {2, 4, 8}, time_us));
  ASSERT_THAT(law.regimes, SizeIs(2));
  EXPECT_EQ(law.regimes[0].to_bytes, 262144);
  EXPECT_NEAR(law.regimes[0].step.value, 0.8, 0.01);
  EXPECT_NEAR(law.regimes[1].step.value, 1.5, 0.05);
  EXPECT_NEAR(law.regimes[1].call.value, 20, 0.5);
  EXPECT_NEAR(law.regimes[1].bandwidth.value, 350, 2);
  for (const Segment& segment : law.segments(16))
    EXPECT_NEAR(segment.time_us(segment.to_bytes), time_us(16, segment.to_bytes), 0.5);
}

// Large messages alone would give a ring a step of nothing, and at 512 ranks arrive before small ones.
TEST(RankLaw, TakesNoLessForAStepOfALargeMessageThanForOneOfASmall) {
  const Made small{rank_shape("all_gather", "ring"), 0.8, 30, 4}, large{small.shape, 0, 350, 20};
  const RankLaw law = law_of_rows(rows_of(
      "all_gather", {2, 4, 8}, [&](double n, double s) { return (s < 5e5 ? small : large).time_us(n, s); }));
  ASSERT_THAT(law.regimes, SizeIs(2));
  EXPECT_GE(law.regimes[1].step.value, law.regimes[0].step.value);
  EXPECT_GT(law.time_us(512, 4 << 20), law.time_us(512, 1 << 18));
}

TEST(RankLaw, OfTwoNumbersOfRanksHasNoPartOfACall) {
  const Made ring{rank_shape("all_reduce", "ring"), 2, 100, 0};
  const auto time_us = [&](double n, double s) { return ring.time_us(n, s); };
  const RankLaw law = law_of_rows(rows_of("all_reduce", {4, 8}, time_us));
  EXPECT_EQ(law.shape->name, "ring");
  EXPECT_EQ(law.regimes[0].call.value, 0);
  EXPECT_THAT(law.ranks, ElementsAre(4, 8));
  EXPECT_EQ(law.held_out.rows, 20U);
  EXPECT_THAT(fit_rank_laws(rows_of("all_reduce", {8}, time_us), 1), IsEmpty());
  EXPECT_THAT(fit_rank_laws(rows_of("send_recv", {2, 3}, time_us), 1), IsEmpty());
}

TEST(RankLaw, StatesHowFarOffItIsAtEachNumberOfRanksLeftOut) {
  const Made ring{rank_shape("all_reduce", "ring")};
  const RankLaw law = law_of_rows(rows_of(
      "all_reduce", {2, 4, 8}, [&](double n, double s) { return ring.time_us(n, s) * (n == 8 ? 1.5 : 1); }));
  EXPECT_THAT(law.held_out_of, SizeIs(3));
  EXPECT_GT(law.held_out_of.at(8).mape_percent, 10);
  EXPECT_LT(law.held_out_of.at(8).bias_percent, 0);
  EXPECT_THAT(text_of({law}), HasSubstr("m/x,all_reduce,,fp16: law over ranks, "));
  EXPECT_THAT(text_of({law}), HasSubstr("measured 2 4 8"));
}

class RankLawJson : public testing::Test {
 protected:
  static nlohmann::json json() {
    const Made ring{rank_shape("all_reduce", "ring")};
    const auto rows = rows_of("all_reduce", {2, 4, 8}, [&](double n, double s) {
      return ring.time_us(n, s) * (n == 4 ? 1.02 : 0.99);
    });
    return {{"rank_laws", core::json_from<nlohmann::json>(json_of(fit_rank_laws(rows, 1)).dump())}};
  }
  static std::string complaint(const std::function<void(nlohmann::json& law)>& damage) {
    nlohmann::json damaged = json();
    damage(damaged["rank_laws"][0]);
    try {
      rank_laws_from(JsonKeys(damaged, "file.json: "));
    } catch (const core::Error& error) {
      return error.what();
    }
    return "nothing";
  }
};

TEST_F(RankLawJson, IsReadAsItWasWritten) {
  const nlohmann::json written = json();
  const std::vector<RankLaw> read = rank_laws_from(JsonKeys(written, "file.json: "));
  EXPECT_EQ(core::json_from<nlohmann::json>(json_of(read).dump()), written["rank_laws"]);
  EXPECT_THAT(rank_laws_from(JsonKeys(nlohmann::json::object(), "older.json: ")), IsEmpty());
}

TEST_F(RankLawJson, ThatCannotBeIsRefusedWithItsKey) {
  EXPECT_THAT(complaint([](auto& law) { law["shape"] = "star"; }),
              HasSubstr("rank_laws[0].shape: expected one of ring, halving_doubling"));
  EXPECT_THAT(complaint([](auto& law) { law["operation"] = "send_recv"; }),
              HasSubstr("rank_laws[0].operation: expected a collective among several ranks"));
  EXPECT_THAT(complaint([](auto& law) { law["ranks"] = {8, 4}; }), HasSubstr("rank_laws[0].ranks: expected"));
  EXPECT_THAT(complaint([](auto& law) { law["ranks"] = {8}; }), HasSubstr("2 numbers or more"));
  for (const nlohmann::json& nodes : {nlohmann::json{1, 2, 4}, nlohmann::json{1, 1}, nlohmann::json{0, 0, 0}})
    EXPECT_THAT(complaint([&](auto& law) { law["nodes"] = nodes; }),
                HasSubstr("rank_laws[0].nodes: expected a number for each of ranks"))
        << nodes;
  EXPECT_THAT(complaint([](auto& law) { law["regimes"] = nlohmann::json::array(); }),
              HasSubstr("one regime or more"));
  EXPECT_THAT(complaint([](auto& law) { law["regimes"].push_back(law["regimes"][0]); }),
              HasSubstr("regimes[1].from_bytes: expected more than the to_bytes before"));
  EXPECT_THAT(complaint([](auto& law) { law["regimes"][0]["gb_per_s"]["value"] = 0; }),
              HasSubstr("gb_per_s.value: expected"));
  EXPECT_THAT(complaint([](auto& law) { law["held_out_ranks"]["bias_percent"] = "much"; }),
              HasSubstr("held_out_ranks.bias_percent: expected a number"));
}

}  // namespace
}  // namespace assay::model::fit
