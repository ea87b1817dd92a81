// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages over verbs: known coefficients come back from timings made of them, within their intervals.
#include "model/fit/laws/loggp_fit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/core/tests/temporary_folder.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "model/fit/tests/wobble.hpp"

namespace assay::model::fit {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::wobble;

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

}  // namespace
}  // namespace assay::model::fit
