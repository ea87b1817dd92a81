// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/doubtful_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Network network_of(double gb_per_s, std::int64_t size) {
  Network network;
  network.bandwidth_b_per_s = gb_per_s * 1e9;
  network.size = size;
  return network;
}

/// A system with a processor of that many TFLOP/s, NVLink and an adapter, in GB/s.
System system_of(double tflops, double domain, double adapter) {
  System system;
  system.matrix[2] = Engine{tflops * 1e12, Staircase({{.threshold = 0, .seconds_per_unit = 1}})};
  system.mem1.peak_b_per_s = 3.35e12;
  system.networks = {network_of(domain, 8), network_of(adapter, 65536)};
  return system;
}

TEST(DoubtfulSystem, IsNoneOfRealGenerations) {
  EXPECT_TRUE(doubtful_numbers(system_of(312, 300, 25)).empty());
  EXPECT_TRUE(doubtful_numbers(system_of(989, 450, 100)).empty());
  EXPECT_TRUE(doubtful_numbers(system_of(2250, 900, 100)).empty());
  EXPECT_TRUE(doubtful_numbers(system_of(4000, 1800, 200)).empty());
}

TEST(DoubtfulSystem, IsNoneOfAnUnknownGeneration) {
  EXPECT_TRUE(doubtful_numbers(system_of(2, 900, 100)).empty());
}

TEST(DoubtfulSystem, HasBothDirectionsOrGbit) {
  EXPECT_THAT(
      doubts_of(system_of(989, 900, 50), "s.json"),
      ElementsAre("s.json: networks[0].bandwidth: 900 GB/s with its efficiency, above the 450 GB/s of NVLink "
                  "of its generation: expected GB/s of one processor in one direction, not of both "
                  "directions"));
  EXPECT_THAT(
      doubts_of(system_of(989, 450, 400), "s.json"),
      ElementsAre(HasSubstr("networks[1].bandwidth: 400 GB/s with its efficiency, above the 50 GB/s of an "
                            "adapter of its generation: expected GB/s of one processor in one direction, "
                            "not Gbit/s")));
  EXPECT_EQ(doubtful_numbers(system_of(312, 600, 200)).size(), 2U);
}

TEST(DoubtfulSystem, HasBytesForGigabytes) {
  System system = system_of(989, 450, 50);
  system.mem1.peak_b_per_s = 3.35e21;
  system.matrix[1] = Engine{989e18, system.matrix[2]->by_flop};
  EXPECT_THAT(doubts_of(system, "s"),
              ElementsAre(HasSubstr("s: matrix.float16.tflops: "), HasSubstr("s: mem1.GBps: ")));
}

}  // namespace
}  // namespace assay::model
