// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The check itself: it must notice every way of being wrong.
#include "collectives/content.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "collectives/tests/scaled_terms.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

/// The right result of a broadcast of 64 fp32 is the root's input.
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

/// All ranks' inputs of an all-reduce, reduced one after the other, upwards or downwards.
std::vector<std::byte> reduced_in_order(const Problem& problem, const Content& content, bool upwards) {
  const auto size = static_cast<std::size_t>(problem.count * bytes_of(content.type));
  std::vector<std::byte> all(size), one(size);
  for (int i = 0; i < problem.ranks; ++i) {
    const int rank = upwards ? i : problem.ranks - 1 - i;
    fill_input(problem, content, rank, i == 0 ? all : one);
    if (i > 0) reduce_into(content.type, content.reduction, all.data(), one.data(), problem.count);
  }
  end_reduction(problem, content, all);
  return all;
}

TEST(Content, IsExactInEveryTypeInAnyOrderForManyRanks) {
  for (const DataType type : data_types())
    for (const Operator reduction : operators())
      for (const int ranks : {2, 8, 37, 600}) {
        const Problem problem{.operation = Operation::all_reduce, .ranks = ranks, .count = 70};
        const Content content{type, reduction, 5};
        for (const bool upwards : {true, false})
          EXPECT_EQ(first_wrong(problem, content, 0, reduced_in_order(problem, content, upwards)),
                    std::nullopt)
              << to_text(type) << " " << to_text(reduction) << " of " << ranks;
      }
}

TEST(Content, OfEveryRankMattersInEveryTypeForManyRanks) {
  for (const DataType type : data_types()) {
    const Problem all{.operation = Operation::all_reduce, .ranks = 600, .count = 700};
    std::vector<std::byte> input(static_cast<std::size_t>(all.count * bytes_of(type)));
    for (const int rank : {0, 299, 599}) {
      fill_input(all, {.type = type}, rank, input);
      EXPECT_TRUE(std::ranges::any_of(input, [](std::byte b) { return b != std::byte{0}; }))
          << to_text(type) << " rank " << rank;
    }
  }
}

/// The mean as NCCL makes it of floats: each term times the type's 1/n, then a sum, both rounded.
std::vector<std::byte> mean_of_scaled(const Problem& problem, const Content& content, int left_out = -1) {
  const auto size = static_cast<std::size_t>(problem.count * bytes_of(content.type));
  std::vector<std::byte> all(size), one(size);
  for (int rank = 0; rank < problem.ranks; ++rank) {
    if (rank == left_out) continue;
    fill_input(problem, content, rank, one);
    scale_terms(content.type, problem.ranks, one);
    reduce_into(content.type, Operator::sum, all.data(), one.data(), problem.count);
  }
  return all;
}

TEST(Content, OfAMeanOfScaledTermsAllowsTheirRoundingAndNoMore) {
  using enum DataType;
  for (const DataType type : {fp32, fp64, bf16, fp16, fp8_e4m3, fp8_e5m2})
    for (const int ranks : {2, 3, 7, 8, 49, 400}) {
      const Problem problem{.operation = Operation::all_reduce, .ranks = ranks, .count = 450};
      const Content content{type, Operator::avg, 5, true};
      EXPECT_EQ(first_wrong(problem, content, 0, mean_of_scaled(problem, content)), std::nullopt)
          << to_text(type) << " of " << ranks;
      EXPECT_NE(first_wrong(problem, content, 0, mean_of_scaled(problem, content, 1)), std::nullopt)
          << to_text(type) << " of " << ranks << " without rank 1";
      std::vector<std::byte> bytes = mean_of_scaled(problem, content);
      std::fill_n(bytes.begin(), bytes_of(type), std::byte{0xff});
      EXPECT_NE(first_wrong(problem, content, 0, bytes), std::nullopt) << "NaN in " << to_text(type);
    }
}

TEST(Content, OfAMeanThatIsDividedLastIsExact) {
  const Problem problem{.operation = Operation::all_reduce, .ranks = 49, .count = 450};
  const Content content{DataType::fp32, Operator::avg, 5};
  EXPECT_NE(first_wrong(problem, content, 0, mean_of_scaled(problem, content)), std::nullopt);
}

TEST(ReciprocalError, IsOfTheTypesOwnRounding) {
  EXPECT_EQ(reciprocal_error(DataType::fp8_e4m3, 8), 0);
  EXPECT_EQ(reciprocal_error(DataType::fp8_e4m3, 1024), 1) << "rounds to 0";
  EXPECT_EQ(reciprocal_error(DataType::int8, 3), 0);
  EXPECT_NEAR(reciprocal_error(DataType::fp8_e5m2, 3), 0.0625, 1e-6);
}

TEST(Content, OfNanIsWrongInEveryFloat) {
  for (const DataType type : data_types()) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(64 * bytes_of(type)));
    fill_input(broadcast, {.type = type}, 1, bytes);
    EXPECT_EQ(first_wrong(broadcast, {.type = type}, 0, bytes), std::nullopt);
    std::fill_n(bytes.begin(), bytes_of(type), std::byte{0xff});
    EXPECT_NE(first_wrong(broadcast, {.type = type}, 0, bytes), std::nullopt) << to_text(type);
  }
}

TEST(Content, NoticesARankLeftOutOfASum) {
  const Problem all{.operation = Operation::all_reduce, .ranks = 3, .count = 64};
  const Problem fewer{.operation = Operation::all_reduce, .ranks = 2, .count = 64};
  std::vector<std::byte> sum(64 * sizeof(float)), more(64 * sizeof(float));
  fill_input(all, {}, 0, sum);
  fill_input(all, {}, 1, more);
  reduce_into(DataType::fp32, Operator::sum, sum.data(), more.data(), 64);
  EXPECT_EQ(first_wrong(fewer, {}, 0, sum), std::nullopt);
  EXPECT_NE(first_wrong(all, {}, 0, sum), std::nullopt);
}

}  // namespace
}  // namespace assay::collectives
