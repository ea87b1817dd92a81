// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/overlap_fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/fit/coefficients/foresee.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::fit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* overlap_columns =
    "operation,conditions,point,machine,compute_us,communication_us,ideal_us,time_us\n";

Timings<OverlapRow> overlaps(const std::string& rows) {
  return read_overlaps({"rows", overlap_columns + rows});
}

/// Computes 100 us, exchanges 60, the ideal 110: 50 could hide.
std::string took(double time_us, const std::string& operation = "bucketed_all_reduce",
                 const std::string& conditions = "algorithm=ring") {
  return operation + "," + conditions + ",tokens=1,a,100,60,110," + std::to_string(time_us) + "\n";
}

std::string complaint_of(const auto& call) {
  try {
    call();
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(OverlapFit, IsTheShareHiddenOfWhatCouldBe) {
  const OverlapFit fit = fit_overlap(overlaps(took(120) + took(125) + took(130)));
  const Coefficient& one = fit.efficiencies.at("bucketed_all_reduce algorithm=ring");
  EXPECT_NEAR(one.value, 0.7, 1e-12);
  EXPECT_NEAR(one.lower, 0.6, 1e-12);
  EXPECT_NEAR(one.upper, 0.8, 1e-12);
  EXPECT_TRUE(one.supported);
  EXPECT_TRUE(warnings_of(fit).empty());
}

TEST(OverlapFit, JudgesEachRowByTheOthers) {
  const OverlapFit fit = fit_overlap(overlaps(took(120) + took(130)));  // 0.8 and 0.6
  const std::vector<UnseenOverlap>& unseen = fit.unseen.at("bucketed_all_reduce algorithm=ring");
  ASSERT_EQ(unseen.size(), 2U);
  EXPECT_EQ(unseen[0].point, "tokens=1");
  EXPECT_EQ(unseen[0].time_us, 120);
  EXPECT_NEAR(unseen[0].predicted_us, 130, 1e-9);
  EXPECT_NEAR(unseen[1].predicted_us, 120, 1e-9);
  EXPECT_EQ(fit.held_out.whole().rows, 2U);
  EXPECT_NEAR(fit.held_out.whole().mape_percent, 50 * (10. / 120 + 10. / 130), 1e-9);
  EXPECT_NEAR(fit.assumed_none.whole().mape_percent, 50 * (40. / 120 + 30. / 130), 1e-9);
  EXPECT_NEAR(fit.assumed_all.whole().mape_percent, 50 * (10. / 120 + 20. / 130), 1e-9);
}

TEST(OverlapFit, KeepsOperationsAndConditionsApart) {
  const OverlapFit fit = fit_overlap(overlaps(took(120) + took(130, "bucketed_all_reduce", "algorithm=tree") +
                                              took(140, "prefetched_all_gather")));
  EXPECT_EQ(fit.efficiencies.size(), 3U);
  EXPECT_EQ(contests_of_operation(fit.efficiencies, "bucketed_all_reduce").size(), 2U);
  EXPECT_THAT(contests_of_operation(fit.efficiencies, "prefetched_all_gather"),
              ElementsAre("prefetched_all_gather algorithm=ring"));
  EXPECT_TRUE(contests_of_operation(fit.efficiencies, "bucketed").empty());
  EXPECT_TRUE(fit.held_out.empty() && fit.unseen.empty()) << "one row has no others";
}

TEST(OverlapFit, IsAShareWhateverTheNoise) {
  const auto worse = fit_overlap(overlaps(took(200))).efficiencies.begin()->second;
  EXPECT_EQ(worse.value, 0);
  EXPECT_EQ(fit_overlap(overlaps(took(105))).efficiencies.begin()->second.value, 1);
}

TEST(OverlapFit, WarnsOfPointsThatHaveNoEfficiencyInCommon) {
  EXPECT_THAT(warnings_of(fit_overlap(overlaps(took(111) + took(155)))),
              ElementsAre("bucketed_all_reduce algorithm=ring: one overlap_efficiency does not stand for its "
                          "points: 0.1 to 0.98"));
}

TEST(OverlapFit, OfOneRowIsNotSupported) {
  const OverlapFit fit = fit_overlap(overlaps(took(120)));
  const Coefficient& one = fit.efficiencies.begin()->second;
  EXPECT_NEAR(one.value, 0.8, 1e-12);
  EXPECT_FALSE(one.supported);
  EXPECT_EQ(one.lower, 0);
  EXPECT_EQ(one.upper, 1);
  EXPECT_THAT(warnings_of(fit), ElementsAre(HasSubstr("one row has no interval")));
}

TEST(OverlapFit, BeyondBothEndsIsNotSupported) {
  for (const auto& [time_us, why] :
       {std::pair{250.0, "together they took longer than one after the other (overlap_efficiency -1.8)"},
        {100.0, "together they took less than ideal_us (overlap_efficiency 1.2)"}}) {
    const OverlapFit fit = fit_overlap(overlaps(took(time_us) + took(time_us)));
    EXPECT_FALSE(fit.efficiencies.begin()->second.supported) << time_us;
    EXPECT_THAT(warnings_of(fit), ElementsAre(HasSubstr(why)));
  }
  EXPECT_TRUE(fit_overlap(overlaps(took(162) + took(161))).efficiencies.begin()->second.supported)
      << "within noise nothing is hidden";
}

TEST(OverlapRows, RefuseAnIdealThatHidesNothing) {
  EXPECT_EQ(complaint_of([] { overlaps("bucketed_all_reduce,,,a,100,60,160,120\n"); }),
            "rows:2: column 'ideal_us': expected below compute_us + communication_us = 160, got 160");
  EXPECT_EQ(
      complaint_of([] { overlaps("bucketed_all_reduce,,,a,1000,600,900,1200\n"); }),
      "rows:2: column 'ideal_us': expected at least the longer of compute_us and communication_us, 1000, "
      "got 900");
  EXPECT_THAT(complaint_of([] { overlaps("bucketed_all_reduce,,,a,60,100,90,120\n"); }),
              HasSubstr("compute_us and communication_us, 100, got 90"));
  EXPECT_EQ(complaint_of([] { overlaps("foo,,,a,100,60,110,120\n"); }),
            "rows:2: column 'operation': expected bucketed_all_reduce or prefetched_all_gather, got 'foo'");
  EXPECT_THAT(complaint_of([] { overlaps("bucketed_all_reduce,,,a,0,60,50,120\n"); }),
              HasSubstr("column 'compute_us'"));
  EXPECT_THAT(complaint_of([] { overlaps(",,,a,100,60,110,120\n"); }), HasSubstr("column 'operation'"));
}

class OverlapFile : public testing::Test {
 protected:
  std::string written(const std::string& rows) {
    const auto timed = overlaps(rows);
    std::string path = folder_.place("overlap.json");
    write_coefficients(path,
                       section_of(provenance_of(timed.table, timed.machine, timed.rows.size(), 1, "now"),
                                  SeenRows::of(timed.rows), fit_overlap(timed)));
    return path;
  }
  core::tests::TemporaryFolder folder_;
};

TEST_F(OverlapFile, KeepsTheEfficienciesThatNoTimeIsPredictedBy) {
  const std::string path = written(took(120) + took(130));
  EXPECT_EQ(kind_of_coefficients(path), CoefficientsKind::overlap);
  const auto read = read_share_coefficients(path, CoefficientsKind::overlap);
  EXPECT_NEAR(read.shares.at("bucketed_all_reduce algorithm=ring").value, 0.7, 1e-12);
  EXPECT_THAT(complaint_of([&] { evaluate(path, {"rows", ""}); }),
              HasSubstr("coefficients of overlap are measured, not fitted: there is nothing to judge"));
  EXPECT_THAT(complaint_of([&] { foresee(path, {"rows", ""}); }),
              HasSubstr("coefficients of overlap predict no time"));
  EXPECT_THAT(complaint_of([&] { read_share_coefficients(path, CoefficientsKind::interference); }),
              HasSubstr("kind"));
}

TEST_F(OverlapFile, IsRefusedWithAShareAboveOne) {
  auto json = read_ordered_json(written(took(120)));
  json["models"]["bucketed_all_reduce algorithm=ring"]["overlap_efficiency"]["value"] = 1.8;
  EXPECT_THAT(complaint_of([&] {
                read_share_coefficients(folder_.file("o.json", json.dump()), CoefficientsKind::overlap);
              }),
              HasSubstr("expected a share up to 1"));
}

}  // namespace
}  // namespace assay::model::fit
