// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point that is read by position is the one that a reader of all JSON reads.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "results/record/tests/point_lines.hpp"
#include "results/tests/fixed_run.hpp"

namespace assay::results {
namespace {

using test::edited;
using test::is_read;
using test::point_of_ranks;
using test::read_alike;
using test::sample_point;

TEST(PointByPosition, IsReadByPositionAsByAReaderOfAllJson) {
  auto not_finite = sample_point();
  not_finite.metrics[0].value = NAN;
  not_finite.conditions.emplace_back("clock_mhz", NAN);
  for (const PointRecord& point :
       {sample_point(), test::unsupported_point(), test::point_of_units(), point_of_ranks(), not_finite})
    EXPECT_TRUE(read_alike(to_line(point)));
}

TEST(PointByPosition, IsReadByPositionForMostPointsOfARun) {
  int read = 0, all = 0;
  for (const Record& record : test::fixed_run()) {
    const auto* point = std::get_if<PointRecord>(&record);
    if (point == nullptr) continue;
    ++all;
    const std::string line = to_line(*point);
    if (!is_read(line)) continue;
    ++read;
    EXPECT_TRUE(read_alike(line));
  }
  EXPECT_GT(10 * read, 9 * all);
}

TEST(PointByPosition, LeavesMinusZeroToTheReaderOfAllJson) {
  const std::string line = to_line(point_of_ranks());
  for (const auto& [from, to] :
       {std::pair("\"elapsed_s\":0.5", "\"elapsed_s\":-0"), std::pair("\"gb_per_s\":3.5", "\"gb_per_s\":-0"),
        std::pair("\"sequence\":0", "\"sequence\":-0"), std::pair("\"share\":0.25", "\"share\":-0")})
    EXPECT_FALSE(is_read(edited(line, from, to))) << to;
  EXPECT_TRUE(read_alike(edited(line, "\"share\":0.25", "\"share\":-0.5")));
  EXPECT_TRUE(read_alike(edited(line, "\"elapsed_s\":0.5", "\"elapsed_s\":-0.0")));
  EXPECT_FALSE(is_read(edited(edited(line, "\"threads\":2", "\"threads\":-0"), "threads=2", "threads=-0")));
}

TEST(PointByPosition, IsReadWithRanksLinksAndFlows) {
  const std::string line = to_line(point_of_ranks());
  EXPECT_TRUE(is_read(line));
  for (const auto& [from, to] :
       {std::pair("\"rank\":1,\"conditions\"", "\"rank\":-1,\"conditions\""),
        std::pair("\"rank\":1,\"class\"", "\"rank\":2147483648,\"class\""),
        std::pair("\"class\":\"lossy\",\"watched\"", "\"class\":\"lossless\",\"watched\""),
        std::pair("\"watched\":40", "\"watched\":-1"), std::pair("\"moved\":12", "\"moved\":-1"),
        std::pair("[4791,4792]", "[4791]"), std::pair("[4791,4792]", "[4791,65536]"),
        std::pair("[17,18]", "[17,16777216]"), std::pair("[17,18]", "[17,-1]"),
        std::pair("\"rail\":3", "\"host\":3"), std::pair("\"from\":1", "\"from\":null")}) {
    EXPECT_FALSE(is_read(edited(line, from, to))) << to;
    EXPECT_THROW(from_line(edited(line, from, to)), std::runtime_error) << to;
  }
}

TEST(PointByPosition, IsNotReadWhereAnObjectNamesAKeyTwice) {
  const std::string line = to_line(point_of_ranks());
  for (const auto& [from, to] :
       {std::pair("\"threads\":2", "\"threads\":2,\"threads\":2"),
        std::pair("\"m\":8", "\"m\":8,\"n\":1,\"m\":9"), std::pair("\"rail\":3", "\"rail\":3,\"rail\":4")}) {
    EXPECT_FALSE(is_read(edited(line, from, to))) << to;
    EXPECT_THROW(from_line(edited(line, from, to)), std::runtime_error) << to;
  }
  EXPECT_TRUE(is_read(edited(line, "\"m\":8", "\"m\":8,\"mm\":9,\"a m\":\"m\"")));
}

}  // namespace
}  // namespace assay::results
