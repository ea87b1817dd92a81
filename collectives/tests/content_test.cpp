// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The check itself: it must notice every way of being wrong.
#include "collectives/content.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace assay::collectives {
namespace {

using testing::HasSubstr;

/// The right result of a broadcast of 64 float32 is the root's input.
const Problem broadcast{.operation = Operation::broadcast, .ranks = 3, .count = 64, .root = 1};

std::vector<std::byte> right_result(std::uint64_t seed = 0) {
  std::vector<std::byte> bytes(64 * sizeof(float));
  fill_input(broadcast, {.seed = seed}, 1, bytes);
  return bytes;
}

TEST(Content, AcceptsTheRightResult) {
  EXPECT_EQ(first_wrong(broadcast, {}, 0, right_result()), std::nullopt);
}

TEST(Content, NamesTheFirstWrongElement) {
  std::vector<std::byte> bytes = right_result();
  bytes[4 * 7] ^= std::byte{1};
  EXPECT_THAT(first_wrong(broadcast, {}, 0, bytes).value_or(""), HasSubstr("element 7 of 64: expected "));
}

TEST(Content, NeverAcceptsNan) {
  std::vector<std::byte> bytes = right_result();
  const float nan = std::nanf("");
  std::memcpy(&bytes[0], &nan, sizeof nan);
  EXPECT_THAT(first_wrong(broadcast, {}, 0, bytes).value_or(""), HasSubstr("is nan"));
}

TEST(Content, OfAnotherSeedIsWrong) {
  EXPECT_NE(first_wrong(broadcast, {.seed = 1}, 0, right_result(0)), std::nullopt);
}

TEST(Content, OfAnotherRankIsWrong) {
  std::vector<std::byte> bytes(64 * sizeof(float));
  fill_input(broadcast, {}, 2, bytes);
  EXPECT_NE(first_wrong(broadcast, {}, 0, bytes), std::nullopt);
}

TEST(Content, NoticesARankLeftOutOfASum) {
  const Problem all{.operation = Operation::all_reduce, .ranks = 3, .count = 64};
  const Problem fewer{.operation = Operation::all_reduce, .ranks = 2, .count = 64};
  std::vector<std::byte> sum(64 * sizeof(float)), more(64 * sizeof(float));
  fill_input(all, {}, 0, sum);
  fill_input(all, {}, 1, more);
  reduce_into(DataType::float32, Operator::sum, sum.data(), more.data(), 64);
  EXPECT_EQ(first_wrong(fewer, {}, 0, sum), std::nullopt);
  EXPECT_NE(first_wrong(all, {}, 0, sum), std::nullopt);
}

}  // namespace
}  // namespace assay::collectives
