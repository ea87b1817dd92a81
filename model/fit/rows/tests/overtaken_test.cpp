// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/rows/overtaken.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fit/coefficients/fit_json.hpp"

namespace assay::model::fit {
namespace {

using testing::IsEmpty;

struct Timed {
  double kib = 0, us = 0;
};

std::vector<CollectiveRow> timed(const std::vector<Timed>& times, const std::string& algorithm = "",
                                 std::int64_t ranks = 4) {
  std::vector<CollectiveRow> rows;
  for (const Timed& one : times)
    rows.push_back({.system = "site",
                    .operation = "all_reduce",
                    .algorithm = algorithm,
                    .dtype = "fp16",
                    .ranks = ranks,
                    .size_bytes = 1024 * one.kib,
                    .time_us = one.us});
  return rows;
}

TEST(OvertakenSizes, AreThoseThatALargerMessageBeats) {
  const auto found = overtaken_sizes(timed({{1, 10}, {4, 15}, {16, 12}, {64, 12.5}, {256, 30}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].size_bytes, 4096);
  EXPECT_EQ(found[0].larger_bytes, 16384);
  EXPECT_EQ(found[0].regret(), 15.0 / 12);
}

TEST(OvertakenSizes, ComeWithTheLargestRegretFirst) {
  auto rows = timed({{1, 13}, {4, 10}, {16, 40}}, "", 2);
  const auto others = timed({{1, 30}, {4, 20}, {16, 21}}, "", 8);
  rows.insert(rows.end(), others.begin(), others.end());
  const auto found = overtaken_sizes(rows);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].regret(), 1.5) << found[0].curve;
  EXPECT_EQ(found[1].regret(), 1.3) << found[1].curve;
  EXPECT_NE(found[0].curve, found[1].curve);
}

TEST(OvertakenSizes, AreNotNoiseNorTheChoiceOfWhoMeasured) {
  EXPECT_THAT(overtaken_sizes(timed({{1, 10.4}, {4, 10}, {16, 20}})), IsEmpty()) << "4 % may be noise";
  EXPECT_THAT(overtaken_sizes(timed({{1, 20}, {4, 10}}, "ring")), IsEmpty()) << "the algorithm was asked for";
  EXPECT_THAT(overtaken_sizes(timed({{1, 99}, {1, 10}, {1, 9}, {4, 10}})), IsEmpty()) << "one bad repetition";
  EXPECT_THAT(overtaken_sizes({}), IsEmpty());
}

TEST(OvertakenSizes, AreInTheFileOfAFit) {
  const Json json = json_of(overtaken_sizes(timed({{1, 10}, {4, 15}, {16, 12}})));
  EXPECT_EQ(json.dump(), R"([{"curve":"site,all_reduce,4,,fp16","size_bytes":4096.0,"time_us":15.0,)"
                         R"("larger_bytes":16384.0,"larger_us":12.0,"regret":1.25}])");
}

}  // namespace
}  // namespace assay::model::fit
