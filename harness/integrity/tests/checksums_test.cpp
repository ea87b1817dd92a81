// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Sums a person can follow, every single error located with its size, several errors bounded by rows and
// columns.
#include "harness/integrity/checksums.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace assay::integrity {
namespace {

using Numbers = std::array<std::array<double, 4>, 3>;
constexpr Numbers numbers{{{1, -2, 3, 0}, {4, 5, -6, 7}, {0, 0, 9, 1000000}}};

Checksums sums_of(const Numbers& matrix) {
  Checksums sums{std::vector<std::uint64_t>(3), std::vector<std::uint64_t>(4)};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const ChecksumTerm term = weighted(matrix[i][j], column_weight(j));
      sums.rows[i] += term.term;
      sums.columns[j] += weighted(matrix[i][j], row_weight(i)).term;
      sums.not_whole += term.whole ? 0 : 1;
    }
  return sums;
}

TEST(Checksums, OfEqualMatricesAgree) {
  const Location location = locate(sums_of(numbers), sums_of(numbers));
  EXPECT_TRUE(location.clean());
  EXPECT_EQ(describe(location), "");
}

TEST(Checksums, LocateEverySingleErrorAndItsSize) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (const double error : {1.0, -1.0, 256.0, -8388608.0, 0x1p40}) {
        Numbers faulty = numbers;
        faulty[i][j] += error;
        const Location location = locate(sums_of(numbers), sums_of(faulty));
        ASSERT_TRUE(location.single.has_value()) << i << ' ' << j << ' ' << error;
        EXPECT_EQ(location.single->row, static_cast<std::int64_t>(i));
        EXPECT_EQ(location.single->column, static_cast<std::int64_t>(j));
        EXPECT_EQ(location.single->error, static_cast<std::int64_t>(error));
      }
}

TEST(Checksums, OfSeveralErrorsNameTheirRowsAndColumns) {
  Numbers faulty = numbers;
  faulty[0][1] += 1;
  faulty[2][3] -= 1;
  const Location location = locate(sums_of(numbers), sums_of(faulty));
  EXPECT_FALSE(location.single.has_value());
  EXPECT_EQ(describe(location), "wrong within 2 rows (0, 2) and 2 columns (1, 3)");
}

TEST(Checksums, OfErrorsThatCancelInAPlainSumStillDiffer) {
  Numbers faulty = numbers;
  faulty[1][0] += 5;
  faulty[1][1] -= 5;
  faulty[2][0] -= 5;
  faulty[2][1] += 5;
  EXPECT_EQ(describe(locate(sums_of(numbers), sums_of(faulty))),
            "wrong within 2 rows (1, 2) and 2 columns (0, 1)");
}

TEST(Checksums, SeeNanInfinityAndFractionsWhateverTheySumTo) {
  for (const double odd :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 0.5}) {
    Numbers faulty = numbers;
    faulty[2][0] = odd;  // where a zero stood: the sums alone do not change
    const Location location = locate(sums_of(numbers), sums_of(faulty));
    EXPECT_FALSE(location.clean()) << odd;
    EXPECT_EQ(describe(location),
              "wrong within 0 rows () and 0 columns (); 1 elements are not whole numbers");
  }
}

TEST(Checksums, SayASingleErrorInOneLine) {
  Numbers faulty = numbers;
  faulty[1][3] = 11;
  EXPECT_EQ(describe(locate(sums_of(numbers), sums_of(faulty))), "element (1, 3) is too large by 4");
}

}  // namespace
}  // namespace assay::integrity
