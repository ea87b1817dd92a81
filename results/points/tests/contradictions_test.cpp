// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/contradictions.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

constexpr TimedWork a_tenth_of_a_millisecond{.time_s = 1e-4, .bytes = 1e7, .flops = 1e9};

TEST(Contradictions, AreOfMetricsAndTheTimeAndWorkThatTheyFollowFrom) {
  const auto said = [](const char* metric, const char* unit, double value) {
    return metric_contradiction(metric, unit, value, a_tenth_of_a_millisecond);
  };
  EXPECT_EQ(said("bandwidth_gb_per_s", "GB/s", 100), "");
  EXPECT_EQ(said("bandwidth_gb_per_s", "GB/s", 50),
            "bandwidth_gb_per_s is 50 GB/s, and its time says 100 GB/s");
  EXPECT_EQ(said("tflops", "TFLOP/s", 10), "");
  EXPECT_EQ(said("tflops", "TFLOP/s", 20), "tflops is 20 TFLOP/s, and its time says 10 TFLOP/s");
  EXPECT_EQ(said("time_us", "us", 100.5), "") << "figures of others are rounded";
  EXPECT_EQ(said("latency_us", "us", 50), "latency_us is 50 us, and its time says 100 us");
  EXPECT_EQ(said("latency_ns", "ns", 1e3), "latency_ns is 1000 ns, and its time says 100000 ns");
  EXPECT_EQ(said("busbw_gb_per_s", "GB/s", 1), "") << "follows from ranks, too";
  EXPECT_EQ(metric_contradiction("bandwidth_gb_per_s", "GB/s", 1, {.time_s = 1e-4}), "") << "no bytes";
}

TEST(Contradictions, PutAPointInDoubt) {
  PointEvidence point{.n = 60,
                      .time_s = 1e-4,
                      .lower_s = 0.99e-4,
                      .upper_s = 1.01e-4,
                      .stop = "interval",
                      .metric = "bandwidth_gb_per_s",
                      .unit = "GB/s",
                      .value = {100, 99, 101},
                      .verification = "right",
                      .verification_why = {},
                      .conditions = "{}",
                      .work_bytes = 1e7};
  EXPECT_FALSE(doubt_about(point));
  point.contradiction = "its record says gpu 6, and its axes do not";
  ASSERT_TRUE(doubt_about(point));
  EXPECT_EQ(doubt_about(point)->why, point.contradiction);
  point.value = {50, 49, 51};
  EXPECT_EQ(doubt_about(point)->why, "bandwidth_gb_per_s is 50 GB/s, and its time says 100 GB/s");
  EXPECT_FALSE(doubt_about(point)->is_wrong);
}

TEST(Contradictions, AreOfUnitsThatNoAxisNames) {
  const auto said = [](const std::string& axes, const std::string& units) {
    return unit_contradiction(axes, units);
  };
  EXPECT_EQ(said(R"("gpu":2,"bytes":64)", R"({"kind":"gpu","id":"2"})"), "");
  EXPECT_EQ(said(R"("bytes":64,"gpu":2)", R"({"kind":"gpu","id":"2"})"), "");
  EXPECT_EQ(said(R"("device":"mlx5_0:1")", R"({"kind":"port","id":"mlx5_0:1"})"), "");
  EXPECT_EQ(said(R"("from":0,"to":1)", R"({"kind":"gpu","id":"0"},{"kind":"gpu","id":"1"})"), "");
  EXPECT_EQ(said(R"("gpu":2,"bytes":64)", R"({"kind":"gpu","id":"6"})"),
            "its record says gpu 6, and its axes do not");
  EXPECT_EQ(said(R"("gpu":16,"bytes":64)", R"({"kind":"gpu","id":"6"})"),
            "its record says gpu 6, and its axes do not");
  EXPECT_EQ(said(R"("from":0,"to":1)", R"({"kind":"gpu","id":"0"},{"kind":"gpu","id":"3"})"),
            "its record says gpu 3, and its axes do not");
  EXPECT_EQ(said(R"("gpu":1)", ""), "");
}

TEST(Contradictions, AreOfProductsBeyondTheirPeak) {
  const auto said = [](double efficiency) {
    return peak_contradiction(fmt::format(
        R"({{"name":"tflops","unit":"TFLOP/s","value":9}},{{"name":"efficiency","unit":"","value":{},"lower":1}})",
        efficiency));
  };
  EXPECT_EQ(said(0.98), "");
  EXPECT_EQ(said(1.2), "") << "a peak is measured too";
  EXPECT_EQ(said(30.2), "efficiency is 30.2, of a peak that is 1");
  EXPECT_EQ(peak_contradiction(R"({"name":"busbw_gb_per_s","unit":"GB/s","value":30})"), "");
}

}  // namespace
}  // namespace assay::results
