// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "results/judge/limits/limits_file.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

/// Hosts of two GPUs "H100"; each run measures memory.cuda.copy of some of them.
class AgainstLimits : public testing::Test {
 protected:
  test::TemporaryFolder folder_;
  Store store_{folder_.path() / "store.sqlite"};
  Origin origin_ = Origin::measured;

  struct Copy {
    int gpu = 0;
    double gb_per_s = 50;
    Status status = Status::ok;
    std::string unit = "GB/s";
    Fields conditions = {};
    std::int64_t bytes = 4096;
    std::string still_moving = {};
    std::vector<Metric> more_metrics = {};
  };

  void measure(const std::string& host, const std::vector<Copy>& copies, const std::string& gpu_name = "H100",
               const std::string& burn_in = "") {
    test::RunBuilder builder(fmt::format("run{}", ++runs_));
    builder.begin(0, "memory");
    for (const Copy& copy : copies) add(builder, copy);
    builder.end();
    std::vector<Record> records = builder.take();
    for (Record& record : records) {
      if (auto* context = std::get_if<ContextRecord>(&record)) {
        context->host = host;
        context->machine["gpus"] = {{{"name", gpu_name}}, {{"name", gpu_name}}};
        context->origin = origin_;
        if (!burn_in.empty()) context->environment["ASSAY_BURN_IN"] = burn_in;
      }
    }
    store_.add(records);
  }

  Verdicts judged(const AbsoluteLimit& limit, const std::string& gpu = "H100") {
    const std::vector<LimitsFile> files{{"l.toml", {.gpu = gpu}, {limit}}};
    return judge_limits(store_, "", files);
  }
  std::string refusal(const AbsoluteLimit& limit, const std::string& gpu = "H100") {
    try {
      judged(limit, gpu);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "judged";
  }

  static AbsoluteLimit at_least(double lowest) {
    return {.cases = "memory.cuda.*",
            .point = {{"bytes", "4KiB"}},
            .metric = "bandwidth_gb_per_s",
            .unit = "GB/s",
            .bounds = {.lowest = lowest},
            .source = "a runbook",
            .where = "l.toml:5"};
  }

 private:
  static void add(test::RunBuilder& builder, const Copy& copy) {
    PointRecord record =
        builder.point("memory.cuda.copy", {{"gpu", std::int64_t{copy.gpu}}, {"bytes", copy.bytes}});
    record.conditions = copy.conditions;
    record.warmup = {.stationary = copy.still_moving.empty(), .last_moving = copy.still_moving};
    record.metrics = copy.more_metrics;
    if (copy.status != Status::ok) return builder.not_measured(std::move(record), copy.status, "no memory");
    builder.measured(std::move(record), 4096 / (copy.gb_per_s * 1e9),
                     {"bandwidth_gb_per_s", copy.unit, [](double s) { return 4096 / s * 1e-9; }});
  }

  int runs_ = 0;
};

TEST_F(AgainstLimits, EveryUnitHasARowWithLimitSourceIntervalAndSmallestDefect) {
  measure("h1", {{.gpu = 0}, {.gpu = 1, .gb_per_s = 40}});
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_EQ(verdicts.verdict, Verdict::fail);
  ASSERT_EQ(verdicts.rows.size(), 2U);
  const VerdictRow& bad = verdicts.rows[0];
  EXPECT_EQ(bad.unit, "h1/gpu1");
  EXPECT_EQ(bad.metric, "memory.cuda.copy/bytes=4096 bandwidth_gb_per_s");
  EXPECT_EQ(bad.verdict, Verdict::fail);
  EXPECT_NEAR(bad.value->value, 40, 1);
  EXPECT_LT(*bad.value->upper, 48);
  EXPECT_EQ(bad.value_unit, "GB/s");
  EXPECT_EQ(bad.limit->lowest, 48);
  EXPECT_EQ(bad.limit_source, "a runbook (l.toml:5)");
  EXPECT_EQ(bad.n, 60);
  EXPECT_EQ(bad.action, Action::drain);
  EXPECT_EQ(verdicts.rows[1].verdict, Verdict::pass);
  EXPECT_NEAR(*verdicts.rows[1].smallest_defect, 1 - 48 / *verdicts.rows[1].value->upper, 1e-9);
}

TEST_F(AgainstLimits, AnIntervalThatCrossesTheLimitDecidesNothing) {
  measure("h1", {{.gpu = 0, .gb_per_s = 48}, {.gpu = 1}});
  EXPECT_EQ(judged(at_least(47.5)).rows[0].because.find("crosses"), std::string::npos);
  const Verdicts verdicts = judged(at_least(judged(at_least(1)).rows[0].value->value));
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows[0].because, HasSubstr("the interval crosses the limit"));
  EXPECT_EQ(verdicts.rows[0].action, Action::retest);
}

TEST_F(AgainstLimits, OneGoodMeasurementDoesNotMakeUpForABadOne) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}});
  measure("h1", {{.gpu = 0, .gb_per_s = 40}, {.gpu = 1}});
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  EXPECT_EQ(verdicts.rows[0].unit, "h1/gpu0");
}

TEST_F(AgainstLimits, AnUpperBoundWorksTheOtherWay) {
  measure("h1", {{.gpu = 0}, {.gpu = 1, .gb_per_s = 80}});
  AbsoluteLimit limit = at_least(0);
  limit.bounds = {.highest = 60};
  const Verdicts verdicts = judged(limit);
  EXPECT_EQ(verdicts.rows[0].unit, "h1/gpu1");
  EXPECT_EQ(verdicts.rows[0].verdict, Verdict::fail);
  EXPECT_EQ(verdicts.rows[1].verdict, Verdict::pass);
}

TEST_F(AgainstLimits, ALimitThatMatchesNoPointIsToldAndNeverAPass) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}});
  AbsoluteLimit limit = at_least(48);
  limit.point = {{"bytes", "8KiB"}};
  const Verdicts verdicts = judged(limit);
  EXPECT_EQ(verdicts.verdict, Verdict::not_run);
  EXPECT_EQ(verdicts.rows.at(0).because, "no point matches: memory.cuda.* bytes=8KiB");
  limit.point = {{"byte", "4KiB"}};
  EXPECT_EQ(judged(limit).verdict, Verdict::not_run);
}

TEST_F(AgainstLimits, AUnitWithoutThePointIsTold) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}});
  measure("h2", {{.gpu = 0}});
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_EQ(verdicts.verdict, Verdict::not_run);
  EXPECT_EQ(verdicts.rows.at(0).unit, "h2/gpu1");
}

TEST_F(AgainstLimits, AUnitThatLacksOneOfSeveralPointsIsToldByName) {
  measure("h1", {{.gpu = 0}, {.gpu = 0, .bytes = 8192}, {.gpu = 1}, {.gpu = 1, .bytes = 8192}});
  measure("h2", {{.gpu = 0}, {.gpu = 0, .bytes = 8192}, {.gpu = 1}});
  AbsoluteLimit limit = at_least(1);
  limit.point = {};
  const Verdicts verdicts = judged(limit);
  EXPECT_EQ(verdicts.verdict, Verdict::not_run);
  EXPECT_EQ(verdicts.rows.size(), 8U);
  EXPECT_EQ(verdicts.rows.at(0).unit, "h2/gpu1");
  EXPECT_EQ(verdicts.rows.at(0).metric, "memory.cuda.copy/bytes=8192 bandwidth_gb_per_s");
  EXPECT_EQ(verdicts.rows.at(1).verdict, Verdict::pass);
}

TEST_F(AgainstLimits, WhatABurnInMeasuredTogetherIsLeftOutAndCounted) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}}, "H100", "b round 1 turn");
  measure("h1", {{.gpu = 0, .gb_per_s = 20}, {.gpu = 1, .gb_per_s = 20}}, "H100", "b round 2 together");
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_EQ(verdicts.verdict, Verdict::pass);
  EXPECT_EQ(verdicts.rows.size(), 2U);
  EXPECT_THAT(verdicts.notes, testing::Contains(HasSubstr("2 points of a burn-in's rounds together")));
}

TEST_F(AgainstLimits, AFailureTogetherKeepsTheUnitFromPassing) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}}, "H100", "b round 1 turn");
  measure("h1", {{.gpu = 0, .status = Status::failed}, {.gpu = 1}}, "H100", "b round 2 together");
  EXPECT_EQ(judged(at_least(48)).verdict, Verdict::inconclusive);
  EXPECT_EQ(judged(at_least(48)).rows.at(0).unit, "h1/gpu0");
}

TEST_F(AgainstLimits, WhatWasNotMeasuredButMadeUpIsSaidInTheRowAndInTheNotes) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}});
  EXPECT_THAT(to_json(judged(at_least(48))), testing::Not(HasSubstr("simulated")));
  origin_ = Origin::simulated;
  measure("h2", {{.gpu = 0}, {.gpu = 1}});
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_THAT(verdicts.rows.at(0).because, testing::EndsWith("in 1 measurements"));
  EXPECT_THAT(verdicts.rows.at(3).because, testing::EndsWith("in 1 measurements, simulated"));
  EXPECT_THAT(verdicts.notes.at(0), HasSubstr("2 hosts, measured and simulated"));
}

TEST_F(AgainstLimits, WhatWasNotMeasuredOrLacksTheMetricIsNoPass) {
  measure("h1", {{.gpu = 0, .status = Status::unsupported}, {.gpu = 1}});
  EXPECT_EQ(judged(at_least(48)).verdict, Verdict::inconclusive);
  EXPECT_THAT(judged(at_least(48)).rows.at(0).because, HasSubstr("unsupported: no memory"));
  AbsoluteLimit limit = at_least(48);
  limit.metric = "busbw_gb_per_s";
  EXPECT_THAT(judged(limit).rows.at(1).because, HasSubstr("the point has no metric 'busbw_gb_per_s'"));
}

TEST_F(AgainstLimits, WhatIsStampedAsNoPerformanceMeasurementIsNotJudged) {
  const Fields stamp{{"not_a_performance_measurement", std::string("ranks share a GPU")}};
  measure("h1", {{.gpu = 0, .conditions = stamp}, {.gpu = 1}});
  EXPECT_THAT(judged(at_least(48)).rows.at(0).because, HasSubstr("ranks share a GPU"));
}

TEST_F(AgainstLimits, ConditionsSelectAsAxesDo) {
  measure("h1", {{.gpu = 0, .conditions = {{"ranks", std::int64_t{8}}}}, {.gpu = 1}});
  AbsoluteLimit limit = at_least(48);
  limit.point = {{"ranks", "8"}, {"gpu", "[0-7]"}};
  EXPECT_EQ(judged(limit).rows.back().unit, "h1/gpu0");
  EXPECT_EQ(judged(limit).rows.back().verdict, Verdict::pass);
}

TEST_F(AgainstLimits, LimitsForAnotherMachineAreRefusedNamingHostAndDifference) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}}, "H100 PCIe");
  EXPECT_EQ(
      refusal(at_least(48)),
      "limits for another machine than host 'h1' of run run1: l.toml: GPU 0 'H100 PCIe' (expected 'H100')");
}

TEST_F(AgainstLimits, AFileThatIsForNoHostIsRefused) {
  measure("h1", {{.gpu = 0}, {.gpu = 1}});
  const std::vector<LimitsFile> files{{"a.toml", {.gpu = "H100"}, {at_least(48)}},
                                      {"b.toml", {.gpu = "B200"}, {at_least(48)}}};
  try {
    judge_limits(store_, "", files);
    FAIL() << "judged";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "b.toml: limits for a machine that nothing here was measured on");
  }
}

TEST_F(AgainstLimits, ALimitOfAGpuThatWasStillGettingSlowerIsNoEvidenceEitherWay) {
  measure("h1", {{.gpu = 0}, {.gpu = 1, .gb_per_s = 40}});
  AbsoluteLimit limit = at_least(48);
  limit.stationary = false;
  const Verdicts verdicts = judged(limit);
  EXPECT_EQ(verdicts.verdict, Verdict::inconclusive);
  ASSERT_EQ(verdicts.rows.size(), 2U);
  for (const VerdictRow& row : verdicts.rows) {
    EXPECT_EQ(row.verdict, Verdict::inconclusive) << row.unit;
    EXPECT_THAT(row.because,
                HasSubstr("this limit decides nothing: the GPU that it is from was still getting slower"));
    EXPECT_FALSE(row.smallest_defect);
  }
}

TEST_F(AgainstLimits, AMeasurementBeforeASteadyStateIsMarked) {
  measure("h1", {{.gpu = 0, .still_moving = "power_w"}, {.gpu = 1}});
  measure("h1", {{.gpu = 0}, {.gpu = 1, .still_moving = "time"}});
  const Verdicts verdicts = judged(at_least(48));
  EXPECT_THAT(verdicts.rows.at(0).because,
              HasSubstr("in 2 measurements; in 1 its GPU was still getting slower"));
  EXPECT_THAT(verdicts.rows.at(1).because, testing::EndsWith("in 2 measurements"));
}

TEST_F(AgainstLimits, PowerThatReadersLeaveOutIsNotJudged) {
  const Metric power{"power_w", "W", 650, 640, 660};
  const Fields brief{{"telemetry_window_s", 0.04}}, enough{{"telemetry_window_s", 2.0}};
  measure("h1", {{.gpu = 0, .conditions = brief, .more_metrics = {power}},
                 {.gpu = 1, .conditions = enough, .more_metrics = {power}}});
  AbsoluteLimit limit = at_least(0);
  limit.metric = "power_w", limit.unit = "W", limit.bounds = {.highest = 700};
  const Verdicts verdicts = judged(limit);
  EXPECT_EQ(verdicts.rows.at(0).verdict, Verdict::inconclusive);
  EXPECT_THAT(verdicts.rows.at(0).because, HasSubstr("power_w was left out: taken over 0.04 s"));
  EXPECT_EQ(verdicts.rows.at(1).verdict, Verdict::pass);
}

TEST_F(AgainstLimits, AnotherUnitOfTheSameMetricIsRefusedNamingBoth) {
  measure("h1", {{.gpu = 0, .unit = "GiB/s"}, {.gpu = 1}});
  EXPECT_EQ(refusal(at_least(48)),
            "l.toml:5: bandwidth_gb_per_s of memory.cuda.copy is limited in 'GB/s', and measured in 'GiB/s'");
}

}  // namespace
}  // namespace assay::results
