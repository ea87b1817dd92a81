// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives among the same ranks within a node and over nodes: two links, which come back apart.
#include "model/fit/rows/tier.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>
#include <tuple>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "harness/core/text/json_from.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/fit/coefficients/foresee.hpp"

namespace assay::model::fit {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A ring with so many us a step and GB/s of a link.
struct Link {
  double step_us, gb_per_s;

  double time_us(double ranks, double bytes) const {
    const double steps = 2 * (ranks - 1);
    return steps * step_us + steps / ranks * bytes * 1e-3 / gb_per_s;
  }
};
constexpr Link nvlink{1.5, 350}, fabric{9, 45};

class Tiers : public testing::Test {
 protected:
  /// Rows of all_reduce among `ranks` on `nodes`, each time 1 % off.
  std::string rows(int ranks, int nodes, const Link& link) {
    std::normal_distribution<double> normal;
    std::string text;
    for (double bytes = 1024; bytes < 1e9; bytes *= 2)
      text += fmt::format("all_reduce,{},{},{:.0f},bf16,n1/nccl,{:.9g}\n", ranks, nodes, bytes,
                          link.time_us(ranks, bytes) * std::exp(0.01 * normal(random_)));
    return text;
  }
  std::string both_tiers() {
    std::string text;
    for (const int ranks : {2, 4, 8}) text += rows(ranks, 1, nvlink) + rows(ranks, ranks, fabric);
    return text;
  }
  static CsvSource csv(const std::string& text) {
    return {"c.csv", "op,ranks,nodes,size_bytes,dtype,source,time_us\n" + text};
  }
  /// The rows of `text` as files from before the column have them.
  static CsvSource csv_without_nodes(const std::string& text) {
    const Timings<CollectiveRow> timings = read_collective_timings(csv(text));
    std::string older = "op,ranks,size_bytes,dtype,source,time_us\n";
    for (const CollectiveRow& row : timings.rows)
      older += fmt::format("{},{},{:.0f},{},{},{:.9g}\n", row.operation, row.ranks, row.size_bytes, row.dtype,
                           row.system, row.time_us);
    return {"older.csv", older};
  }
  std::string fitted(const CsvSource& source) {
    const auto timings = read_collective_timings(source);
    const std::string path = folder_.place("c.json");
    write_coefficients(
        path, section_of(provenance_of(timings.table, timings.machine, timings.rows.size(), 1, "now"),
                         SeenRows::of(timings.rows), fit_collectives(timings, 1)));
    return path;
  }

  core::tests::TemporaryFolder folder_;
  std::mt19937_64 random_{1};
};

bool holds_truth(const Coefficient& of, double truth) { return of.lower <= truth && truth <= of.upper; }

/// How many of its latency and bandwidth have the truth in their interval; both are near it.
int held_of(const CollectiveFamily& family, int ranks, const Link& link) {
  const std::vector<Segment>& segments = family.curves.at("bf16").segments;
  if (segments.size() != 1) return 0;
  const auto& [latency, bandwidth] = std::tie(segments[0].latency, segments[0].bandwidth);
  const double latency_us = link.time_us(ranks, 0);
  const double gb_per_s = link.gb_per_s * ranks / (2.0 * (ranks - 1));
  EXPECT_NEAR(latency.value, latency_us, 0.02 * latency_us) << ranks;
  EXPECT_NEAR(bandwidth.value, gb_per_s, 0.02 * gb_per_s) << ranks;
  return (holds_truth(latency, latency_us) ? 1 : 0) + (holds_truth(bandwidth, gb_per_s) ? 1 : 0);
}

TEST_F(Tiers, AmongTheSameRanksComeBackApart) {
  const CollectiveFit fit = fit_collectives(read_collective_timings(csv(both_tiers())), 1);
  const auto& families = fit.models.families;
  ASSERT_THAT(families, SizeIs(6));
  int held = 0;
  for (const int ranks : {2, 4, 8}) {
    held += held_of(families.at(fmt::format("n1/nccl,all_reduce,{} on 1,", ranks)), ranks, nvlink);
    held += held_of(families.at(fmt::format("n1/nccl,all_reduce,{} on {},", ranks, ranks)), ranks, fabric);
  }
  EXPECT_GE(held, 10);  // of 12, each with 95 %
  EXPECT_THAT(fit.models.surfaces, SizeIs(2));
  EXPECT_LT(fit.held_out.whole().mape_percent, 3);
}

TEST_F(Tiers, HaveALawOverRanksEach) {
  const CollectiveFit fit = fit_collectives(read_collective_timings(csv(both_tiers())), 1);
  ASSERT_THAT(fit.rank_laws, SizeIs(2));
  for (const RankLaw& law : fit.rank_laws) {
    const Link& link = law.tier() == Tier::within ? nvlink : fabric;
    EXPECT_EQ(law.shape->name, "ring");
    EXPECT_TRUE(holds_truth(law.regimes[0].step, link.step_us)) << law.name();
    EXPECT_TRUE(holds_truth(law.regimes.back().bandwidth, link.gb_per_s)) << law.name();
    EXPECT_THAT(law.name(), HasSubstr(tier_text(law.tier())));
  }
  EXPECT_NE(fit.rank_laws[0].tier(), fit.rank_laws[1].tier());
}

TEST_F(Tiers, OfSeveralNumbersOfNodesTheLawTakesTheMost) {
  const Link mixed{4, 90};
  const CollectiveFit fit = fit_collectives(
      read_collective_timings(csv(rows(4, 4, fabric) + rows(8, 8, fabric) + rows(8, 2, mixed))), 1);
  EXPECT_THAT(fit.models.families, SizeIs(3));
  ASSERT_THAT(fit.rank_laws, SizeIs(1));
  EXPECT_THAT(fit.rank_laws[0].nodes, ElementsAre(4, 8));
  EXPECT_NEAR(fit.rank_laws[0].regimes.back().bandwidth.value, fabric.gb_per_s, 1);
}

TEST_F(Tiers, AreInTheFileOfCoefficients) {
  const std::string path = fitted(csv(both_tiers()));
  const CollectiveCoefficients read = read_collective_coefficients(path);
  EXPECT_EQ(read.models.families.at("n1/nccl,all_reduce,4 on 1,").name.nodes, 1);
  EXPECT_EQ(read.models.families.at("n1/nccl,all_reduce,4 on 4,").name.nodes, 4);
  ASSERT_THAT(read.rank_laws, SizeIs(2));
  for (const RankLaw& law : read.rank_laws)
    EXPECT_EQ(law.nodes.back(), law.tier() == Tier::within ? 1 : 8) << law.name();
}

TEST_F(Tiers, OfFilesThatDoNotKnowThemJudgeAndForeseeAsBefore) {
  const std::string measured = rows(2, 1, nvlink) + rows(4, 1, nvlink);
  const std::string path = fitted(csv_without_nodes(measured));
  const auto json = core::json_from<nlohmann::json>(core::read_whole_file(path));
  for (const auto& [name, family] : json["models"].items()) EXPECT_FALSE(family.contains("nodes")) << name;
  EXPECT_FALSE(json["rank_laws"][0].contains("nodes"));
  for (const Foreseen& one : foresee(path, csv(measured))) {
    EXPECT_TRUE(one.seen) << one.what;
    ASSERT_TRUE(one.predicted_us) << one.what;
    EXPECT_NEAR(*one.predicted_us / one.measured_us, 1, 0.1) << one.what;
  }
  EXPECT_THAT(message_of([&] { evaluate(path, csv(measured)); }), HasSubstr("has seen all of its 40 rows"));
}

TEST_F(Tiers, ThatWereNotFittedAreNotPricedByTheOther) {
  const std::string path = fitted(csv(rows(4, 1, nvlink)));
  for (const Foreseen& one : foresee(path, csv(rows(4, 4, fabric)))) {
    EXPECT_FALSE(one.seen);
    EXPECT_FALSE(one.predicted_us) << one.what;
  }
  EXPECT_THAT(message_of([&] { evaluate(path, csv(rows(4, 4, fabric))); }),
              HasSubstr("has no coefficients for 'n1/nccl,all_reduce,4 on 4,,bf16'"));
}

TEST_F(Tiers, OfMoreNodesThanRanksAreRefused) {
  EXPECT_THAT(message_of([&] { read_collective_timings(csv(rows(2, 3, fabric))); }),
              HasSubstr("c.csv:2: column 'nodes': expected at most the 2 ranks, got 3"));
}

}  // namespace
}  // namespace assay::model::fit
