// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memories, host links, verbs and interference: known coefficients come back from timings made of them,
// through the file too, and what the rows do not hold is said.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/fit/evaluate.hpp"
#include "model/fit/usage_fit.hpp"

namespace assay::model::fit {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// A percent up and down in turns, so that intervals have a width.
double wobble(int i) { return i % 2 == 0 ? 1.01 : 0.99; }

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

constexpr const char* verbs_columns = "operation,kind,posting,conditions,size_bytes,machine,time_us\n";

/// L + 2 o = 2 us, g = 0.2 us, 1 / G = 25 GB/s.
std::string messages(const char* kind, const char* posting, int from_power, int to_power) {
  std::string text;
  for (int power = from_power; power <= to_power; ++power) {
    const double bytes = std::exp2(power), fixed_us = std::string(kind) == "latency" ? 2 : 0.2;
    text += fmt::format("write,{},{},memory=host,{:.0f},a+b,{:.9g}\n", kind, posting, bytes,
                        (fixed_us + (bytes - 1) * 1e-3 / 25) * wobble(power));
  }
  return text;
}

TEST(LogGpFit, FindsWhatMessagesWereMadeOf) {
  const auto timings = read_verbs_timings(
      {"rows", verbs_columns + messages("latency", "", 1, 16) + messages("stream", "qps=1", 3, 20)});
  const LogGpFit fit = fit_loggp(timings, 1);
  const LogGpFit::Link& link = fit.links.at("write memory=host, qps=1");
  EXPECT_NEAR(link.model.one_way_us, 2, 0.04);
  EXPECT_NEAR(link.model.gap_us, 0.2, 0.004);
  EXPECT_NEAR(link.model.gb_per_s, 25, 0.5);
  for (const Coefficient& coefficient : link.coefficients)
    EXPECT_TRUE(coefficient.supported) << coefficient.name;
  EXPECT_LT(fit.held_out.whole().mape_percent, 3);
}

/// Times of messages of powers of two, with 1 % of noise.
VerbsRow noisy_message(VerbsRow::Kind kind, int power, std::mt19937_64& random) {
  std::normal_distribution<double> noise(0, 0.01);
  VerbsRow row{.operation = "write",
               .posting = "",
               .conditions = "memory=host",
               .kind = kind,
               .size_bytes = std::exp2(power)};
  if (kind == VerbsRow::Kind::stream) row.posting = "qps=1";
  const double fixed_us = kind == VerbsRow::Kind::latency ? 2 : 0.2;
  row.time_us = (fixed_us + (row.size_bytes - 1) * 1e-3 / 25) * std::exp(noise(random));
  return row;
}

// 400 runs: 95 % less three standard errors is 91.7 %.
TEST(LogGpFit, IntervalsHoldTheTruthHoweverFewTheRows) {
  constexpr int runs = 400;
  std::mt19937_64 random(20261126);
  const double known[] = {2, 0.2, 25};
  for (const int sizes : {4, 6, 9}) {
    std::array<int, 3> held = {};
    for (int run = 0; run < runs; ++run) {
      Timings<VerbsRow> timings;
      for (int i = 0; i < sizes; ++i) {
        timings.rows.push_back(noisy_message(VerbsRow::Kind::latency, 3 + 2 * i, random));
        timings.rows.push_back(noisy_message(VerbsRow::Kind::stream, 6 + 2 * i, random));
      }
      const LogGpFit fit = fit_loggp(timings, 1);
      const std::vector<Coefficient>& found = fit.links.begin()->second.coefficients;
      for (std::size_t c = 0; c < held.size(); ++c)
        held.at(c) += found[c].lower <= known[c] && known[c] <= found[c].upper;
    }
    EXPECT_GE(*std::ranges::min_element(held), 0.917 * runs) << sizes << " sizes of each kind";
    std::printf("%d: %d %d %d\n", sizes, held[0], held[1], held[2]);
  }
}

// One CPU posts a message within g; a one-way time holds two overheads.
TEST(LogGpFit, GivesOverheadAndLatencyBoundsAndNoValue) {
  const auto timings = read_verbs_timings(
      {"rows", verbs_columns + messages("latency", "", 1, 16) + messages("stream", "qps=1", 3, 20)});
  const LogGpFit fit = fit_loggp(timings, 1);
  const LogGpFit::Link& link = fit.links.begin()->second;
  EXPECT_TRUE(std::isnan(link.overhead.value));
  EXPECT_NEAR(link.overhead.upper, 0.2, 0.004);
  EXPECT_NEAR(link.latency.lower, 1.6, 0.04);
  EXPECT_NEAR(link.latency.upper, 2, 0.04);
  EXPECT_THAT(warnings_of(fit),
              ElementsAre(HasSubstr("no record has the cost of posting: o is between 0 and")));
}

/// `posting` is of an overhead row as of a latency's: none.
std::string overheads(std::initializer_list<double> each_us) {
  std::string text;
  double bytes = 1;
  for (const double time_us : each_us)
    text += fmt::format("write,overhead,,memory=host,{:.0f},a+b,{}\n", bytes *= 2, time_us);
  return text;
}

LogGpFit::Link link_with(const std::string& overheads) {
  const auto timings = read_verbs_timings({"rows", verbs_columns + messages("latency", "", 1, 16) +
                                                       messages("stream", "qps=1", 3, 20) + overheads});
  const LogGpFit fit = fit_loggp(timings, 1);
  EXPECT_EQ(fit.links.size(), 1U);
  return fit.links.begin()->second;
}

TEST(LogGpFit, TakesOverheadAndLatencyFromOverheadsWhereTheyWereMeasured) {
  const LogGpFit::Link link = link_with(overheads({0.29, 0.3, 0.35}));
  EXPECT_DOUBLE_EQ(link.overhead.value, 0.3);
  EXPECT_DOUBLE_EQ(link.overhead.lower, 0.29);
  EXPECT_DOUBLE_EQ(link.overhead.upper, 0.35);
  EXPECT_TRUE(link.overhead.supported);
  EXPECT_NEAR(link.latency.value, 1.4, 0.04);
  EXPECT_NEAR(link.latency.lower, 1.3, 0.05);
  EXPECT_NEAR(link.latency.upper, 1.42, 0.05);
  EXPECT_TRUE(link.latency.supported);
  EXPECT_NEAR(link.model.one_way_us, 2, 0.04);
}

TEST(LogGpFit, SaysWhereOverheadsLeaveNothingOfALatency) {
  LogGpFit fit;
  fit.links.emplace("write", link_with(overheads({1.1, 1.2})));
  const LogGpFit::Link& link = fit.links.at("write");
  EXPECT_DOUBLE_EQ(link.overhead.value, 1.15);
  EXPECT_TRUE(std::isnan(link.latency.value));
  EXPECT_EQ(link.latency.lower, 0);
  EXPECT_THAT(warnings_of(fit),
              ElementsAre(HasSubstr("the overheads do not determine o and L: o is between 1.1")));
}

TEST(LogGpFit, NeedsLatenciesAndAStream) {
  const std::string latencies = messages("latency", "", 1, 16);
  const LogGpFit fit =
      fit_loggp(read_verbs_timings({"rows", verbs_columns + latencies + messages("stream", "qps=1", 3, 20) +
                                                messages("stream", "qps=4", 3, 3)}),
                1);
  EXPECT_EQ(fit.links.size(), 1U);
  EXPECT_THAT(fit.left_out,
              ElementsAre("write memory=host, qps=4: 16 sizes of latency and 1 of a stream; expected "
                          "3 and 2 or more"));
  EXPECT_EQ(message_of([&] { fit_loggp(read_verbs_timings({"rows", verbs_columns + latencies}), 1); }),
            "rows: too few rows for LogGP; expected 3 sizes of latency and 2 of a stream of one operation");
  EXPECT_EQ(
      message_of([] { read_verbs_timings({"rows", std::string(verbs_columns) + "write,ping,,,8,a,1\n"}); }),
      "rows:2: column 'kind': expected latency, stream or overhead, got 'ping'");
}

TEST(LogGpFit, IsKeptInItsFileAndJudgedOnMessagesNotSeen) {
  const core::tests::TemporaryFolder folder;
  const auto timings = read_verbs_timings(
      {"rows", verbs_columns + messages("latency", "", 1, 14) + messages("stream", "qps=1", 3, 18)});
  const std::string path = folder.place("loggp.json");
  write_coefficients(
      path, section_of(provenance_of(timings.table, timings.machine, timings.rows.size(), 1, "today"),
                       SeenRows::of(timings.rows), fit_loggp(timings, 1)));
  const Evaluation judged = evaluate(
      path, {"more", verbs_columns + messages("latency", "", 15, 16) + messages("stream", "qps=1", 19, 20)});
  EXPECT_EQ(judged.all.whole().rows, 4U);
  EXPECT_LT(judged.all.whole().mape_percent, 3);
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
