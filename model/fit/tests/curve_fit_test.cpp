// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memories, host links and interference: known coefficients come back from timings made of them,
// through the file too, and what the rows do not hold is said.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/fit/laws/usage_fit.hpp"
#include "model/fit/tests/wobble.hpp"

namespace assay::model::fit {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::wobble;

std::string rows_of(const char* region, int from_power, int to_power, double latency_us, double gb_per_s) {
  std::string text;
  for (int power = from_power; power <= to_power; ++power) {
    const double bytes = std::exp2(power);
    text += fmt::format("host.copy,threads=2,{},{:.0f},node-a,{:.9g}\n", region, bytes,
                        (latency_us + bytes * 1e-3 / gb_per_s) * wobble(power));
  }
  return text;
}

constexpr const char* size_columns = "operation,conditions,region,size_bytes,machine,time_us\n";

CsvSource cache_and_memory() {
  return {"rows", size_columns + rows_of("L2", 12, 20, 0.5, 100) + rows_of("memory", 22, 30, 2, 20)};
}

TEST(SizeFit, FindsLatencyAndBandwidthOfEachCacheLevelByItself) {
  const SizeFit fit = fit_sizes(read_size_timings(cache_and_memory()), 1);
  ASSERT_EQ(fit.curves.size(), 2U);
  const std::vector<Segment>& cache = fit.curves.at("host.copy threads=2 L2");
  ASSERT_EQ(cache.size(), 1U);
  EXPECT_NEAR(cache[0].latency.value, 0.5, 0.05);
  EXPECT_NEAR(cache[0].bandwidth.value, 100, 3);
  EXPECT_LE(cache[0].bandwidth.lower, 100);
  EXPECT_GE(cache[0].bandwidth.upper, 100);
  EXPECT_NEAR(fit.curves.at("host.copy threads=2 memory")[0].bandwidth.value, 20, 0.6);
  EXPECT_EQ(fit.held_out.whole().rows, 18U);
  EXPECT_LT(fit.held_out.whole().mape_percent, 4);
}

// 2 us are nothing beside the 200 us of the least size of memory.
TEST(SizeFit, WarnsOfALatencyThatTheSizesDoNotDetermine) {
  const SizeFit fit = fit_sizes(read_size_timings(cache_and_memory()), 1);
  EXPECT_FALSE(fit.curves.at("host.copy threads=2 memory")[0].latency.supported);
  EXPECT_THAT(warnings_of(fit),
              ElementsAre(HasSubstr("memory: 9 rows from 4194304 to 1073741824 bytes do not "
                                    "determine latency_us")));
}

TEST(SizeFit, OfTimesThatDoNotGrowShowsNoBandwidthAndSaysSo) {
  std::string rows = size_columns;
  for (int power = 3; power <= 12; ++power) rows += fmt::format("send,,,{},node-a,5\n", 1 << power);
  const SizeFit fit = fit_sizes(read_size_timings({"rows", rows}), 1);
  const Segment& flat = fit.curves.begin()->second.at(0);
  EXPECT_NEAR(flat.latency.value, 5, 1e-9);
  EXPECT_TRUE(flat.bandwidth.is_unbounded());
  EXPECT_THAT(warnings_of(fit),
              testing::Contains(HasSubstr("do not determine gb_per_s (times do not grow with the size)")));
}

TEST(SizeFit, NamesFiveCoefficientsThatAreNotDeterminedAndCountsTheOthers) {
  Segment unknown;
  unknown.to_bytes = 64;
  unknown.latency.supported = unknown.bandwidth.supported = false;
  SizeFit fit;
  fit.curves["copy"] = std::vector<Segment>(4, unknown);
  const std::vector<std::string> warnings = warnings_of(fit);
  EXPECT_EQ(warnings.size(), 6U);
  EXPECT_THAT(warnings.back(), HasSubstr("3 more coefficients are not determined"));
}

TEST(SizeFit, LeavesACurveOfTooFewSizesOutAndSaysSo) {
  const CsvSource rows{"rows", size_columns + rows_of("L2", 12, 20, 0.5, 100) + rows_of("L3", 21, 23, 1, 50)};
  const SizeFit fit = fit_sizes(read_size_timings(rows), 1);
  EXPECT_EQ(fit.curves.size(), 1U);
  EXPECT_THAT(fit.left_out, ElementsAre("host.copy threads=2 L3: 3 sizes; expected 4 or more"));
  EXPECT_EQ(
      message_of(
          [] { fit_sizes(read_size_timings({"few", size_columns + rows_of("L3", 21, 23, 1, 50)}), 1); }),
      "few: too few sizes for a fit; expected 4 or more of one operation under the same conditions in one "
      "cache level");
}

TEST(SizeFit, RefusesTwoMachines) {
  EXPECT_EQ(
      message_of([] {
        read_size_timings({"runs", "operation,size_bytes,machine,time_us\ncopy,64,a,1\ncopy,128,b,1\n"});
      }),
      "runs:3: column 'machine': 'b' after 'a': a fit is of one machine; fit each in a separate file");
}

TEST(SizeFit, IsKeptInItsFileAndJudgedOnRowsNotSeen) {
  const core::tests::TemporaryFolder folder;
  const auto timings = read_size_timings(cache_and_memory());
  for (const CoefficientsKind kind :
       {CoefficientsKind::memory, CoefficientsKind::vector, CoefficientsKind::links}) {
    const std::string path = folder.place(to_string(kind) + ".json");
    write_coefficients(
        path, section_of(kind, provenance_of(timings.table, timings.machine, timings.rows.size(), 1, "today"),
                         SeenRows::of(timings.rows), fit_sizes(timings, 1)));
    EXPECT_EQ(kind_of_coefficients(path), kind);
    const Evaluation judged = evaluate(path, {"more", size_columns + rows_of("L2", 20, 21, 0.5, 100)});
    EXPECT_EQ(judged.seen, 1U);
    EXPECT_EQ(judged.all.whole().rows, 1U);
    EXPECT_LT(judged.all.whole().mape_percent, 3);
    EXPECT_EQ(judged.fitted_on.machine, "node-a");
    EXPECT_EQ(message_of([&] { evaluate(path, {"odd", "operation,size_bytes,time_us\nread,64,1\n"}); }),
              "odd: the coefficients apply to none of its 1 unseen rows");
    const Evaluation partly = evaluate(
        path, {"more", size_columns + rows_of("L2", 21, 21, 0.5, 100) + rows_of("L3", 21, 23, 1, 50)});
    EXPECT_EQ(partly.without_coefficients, 3U);
    EXPECT_THAT(text_of(partly), HasSubstr("3 rows are of groups that the fit left out"));
  }
}

constexpr const char* slowdown_columns =
    "victim,aggressor,conditions,machine,slowdown,slowdown_min,slowdown_max\n";

TEST(UsageFit, IsTheShareOfTheTimeLost) {
  const auto usages = fit_usage(
      read_slowdowns({"rows", std::string(slowdown_columns) + "gemm,copy,threads=1,a,1.25,1.2,1.3\n"
                                                              "gemm,copy,threads=1,a,1.25,1.25,1.6\n"
                                                              "gemm,nccl,bytes=4096,a,1.6,1.5,2\n"
                                                              "gemm,spin,threads=1,a,0.99,0.98,1.01\n"}));
  const Coefficient& copy = usages.at("gemm beside copy threads=1");
  EXPECT_NEAR(copy.value, 0.2, 1e-12);
  EXPECT_NEAR(copy.lower, 1 - 1 / 1.2, 1e-12);
  EXPECT_NEAR(copy.upper, 1 - 1 / 1.6, 1e-12);
  EXPECT_TRUE(copy.supported);
  EXPECT_NEAR(usages.at("gemm beside nccl bytes=4096").value, 0.375, 1e-12) << "that of a collective";
  EXPECT_EQ(usages.at("gemm beside spin threads=1").value, 0);
  EXPECT_THAT(warnings_of(usages),
              ElementsAre("processor_usage cannot be distinguished from 0: gemm beside spin threads=1"));
}

TEST(UsageFit, TellsInOneLineWhatIsNotToldFromNone) {
  std::string rows = slowdown_columns;
  for (const char* blocks : {"1", "2", "3", "4", "5"})
    rows += std::string("gemm,spin,") + blocks + ",a,1,0.98,1.01\n";
  EXPECT_THAT(warnings_of(fit_usage(read_slowdowns({"rows", rows}))),
              ElementsAre("processor_usage cannot be distinguished from 0: gemm beside spin 1; gemm beside "
                          "spin 2; gemm beside "
                          "spin 3; and 2 more of 5"));
}

TEST(UsageFit, RefusesAnIntervalThatLacksItsValue) {
  EXPECT_EQ(message_of([] {
              read_slowdowns({"rows", std::string(slowdown_columns) + "gemm,copy,,a,1.4,1.2,1.3\n"});
            }),
            "rows:2: column 'slowdown': expected a number from slowdown_min to slowdown_max");
}

TEST(UsageFit, IsKeptInItsFileThatNothingIsJudgedBy) {
  const core::tests::TemporaryFolder folder;
  const auto timings =
      read_slowdowns({"rows", std::string(slowdown_columns) + "gemm,copy,threads=1,a,1.25,1.2,1.3\n"});
  const std::string path = folder.place("usage.json");
  write_coefficients(path, section_of(provenance_of(timings.table, "a", 1, 1, "today"),
                                      SeenRows::of(timings.rows), fit_usage(timings)));
  EXPECT_THAT(message_of([&] { evaluate(path, {"rows", ""}); }), HasSubstr("there is nothing to judge"));
}

}  // namespace
}  // namespace assay::model::fit
