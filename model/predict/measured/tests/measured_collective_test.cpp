// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_collective.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::model {
namespace {

using Part = MeasuredCollective::Part;

/// latency_us and GB/s with intervals of 10 % to each side.
fit::Segment segment(double from, double to, double latency_us, double gb_per_s) {
  fit::Segment made{.from_bytes = from,
                    .to_bytes = to,
                    .latency_us = latency_us,
                    .us_per_byte = 1e-3 / gb_per_s,
                    .rows = 5,
                    .latency = {"latency_us", latency_us, 0.9 * latency_us, 1.1 * latency_us},
                    .bandwidth = {"gb_per_s", gb_per_s, 0.9 * gb_per_s, 1.1 * gb_per_s}};
  return made;
}

MeasuredCollective::Algorithm line(double from, double to, double latency_us, double gb_per_s) {
  const fit::Segment only = segment(from, to, latency_us, gb_per_s);
  return {{only}, [only](double bytes) { return only.time_us(bytes); }};
}

TEST(MeasuredCollective, IsTheFittedTimeToAThousandthBetweenTheSizesOfItsTable) {
  const auto power = [](double bytes) { return 3 * std::sqrt(bytes); };
  const MeasuredCollective measured({}, {{{segment(1024, 1e9, 1, 1)}, power}});
  for (double bytes = 1024; bytes < 1e9; bytes *= 1.1)
    EXPECT_NEAR(measured.seconds(bytes) / (1e-6 * power(bytes)), 1, 1e-3) << bytes;
  EXPECT_NEAR(measured.seconds(1e9) / (1e-6 * power(1e9)), 1, 1e-12);
}

TEST(MeasuredCollective, BeyondItsSizesIsWhatTheFitSaysThereToo) {
  const auto law = [](double bytes) { return 10 + 2e-3 * std::pow(bytes, 0.9); };
  const MeasuredCollective measured({}, {{{segment(1000, 2000, 10, 1), segment(3000, 4000, 20, 1)}, law}});
  for (double bytes = 1; bytes < 1e7; bytes *= 1.7)
    EXPECT_NEAR(measured.seconds(bytes) / (1e-6 * law(bytes)), 1, 1e-3) << bytes;
  EXPECT_NEAR(measured.seconds(0), 1e-5, 1e-7);
  EXPECT_GT(measured.seconds(1e12), measured.seconds(1e11));
}

TEST(MeasuredCollective, TakesNoAlgorithmWhereItWasNotMeasuredAndAnotherWas) {
  const MeasuredCollective measured({}, {line(1000, 8000, 1, 1), line(1000, 1e6, 50, 1)});
  EXPECT_NEAR(measured.seconds(4000), 5e-6, 1e-9);
  EXPECT_NEAR(measured.seconds(512000), 562e-6, 1e-7);
  EXPECT_EQ(measured.segment(4000).latency_us, 1);
  EXPECT_EQ(measured.segment(512000).latency_us, 50);
  EXPECT_EQ(measured.segment(1e9).latency_us, 50);
}

TEST(MeasuredCollective, MovesOneCoefficientOfEverySegmentToAnEndOfItsInterval) {
  const MeasuredCollective measured({}, {line(1000, 1e6, 50, 1)});
  EXPECT_NEAR(measured.moved(Part::latency, End::high).seconds(1e5), 155e-6, 1e-9);
  EXPECT_NEAR(measured.moved(Part::latency, End::low).seconds(1e5), 145e-6, 1e-9);
  EXPECT_NEAR(measured.moved(Part::bandwidth, End::low).seconds(1e5), (50 + 100 / 0.9) * 1e-6, 1e-9);
  EXPECT_NEAR(measured.moved(Part::bandwidth, End::high).seconds(1e5), (50 + 100 / 1.1) * 1e-6, 1e-9);
}

TEST(MeasuredCollective, ALineWithoutSlopeHasTheLeastBandwidthOfItsIntervalAtTheLowEnd) {
  fit::Segment flat = segment(1000, 1e6, 50, 1);
  flat.us_per_byte = 0;
  flat.bandwidth = {"gb_per_s", 0, 10, 1e12};
  const MeasuredCollective measured({}, {{{flat}, [](double) { return 50.0; }}});
  EXPECT_NEAR(measured.moved(Part::bandwidth, End::low).seconds(1e5), 60e-6, 1e-9);
  EXPECT_NEAR(measured.moved(Part::bandwidth, End::high).seconds(1e5), 50e-6, 1e-9);
}

}  // namespace
}  // namespace assay::model
