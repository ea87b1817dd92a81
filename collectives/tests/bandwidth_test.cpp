// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/bandwidth.hpp"

#include <gtest/gtest.h>

namespace assay::collectives {
namespace {

TEST(BusbwFactor, OfAnAllReduceIsTwoTimesNMinusOneOverN) {
  EXPECT_DOUBLE_EQ(busbw_factor(Operation::all_reduce, 8).value(), 1.75);
  EXPECT_DOUBLE_EQ(busbw_factor(Operation::all_reduce, 1).value(), 0);
}

TEST(BusbwFactor, OfBlocksIsNMinusOneOverN) {
  for (const Operation operation : {Operation::all_gather, Operation::reduce_scatter, Operation::all_to_all,
                                    Operation::gather, Operation::scatter})
    EXPECT_DOUBLE_EQ(busbw_factor(operation, 4).value(), 0.75);
}

TEST(BusbwFactor, OfWholeVectorsIsOne) {
  for (const Operation operation : {Operation::broadcast, Operation::reduce, Operation::send_receive})
    EXPECT_DOUBLE_EQ(busbw_factor(operation, 4).value(), 1);
}

TEST(BusbwFactor, IsNotDefinedForABarrierOrAMatrix) {
  EXPECT_FALSE(busbw_factor(Operation::barrier, 4));
  EXPECT_FALSE(busbw_factor(Operation::all_to_all_v, 4));
}

TEST(CountedBytes, AreTheWholeOrTheBusiestRowOfAMatrix) {
  EXPECT_EQ(counted_bytes({.operation = Operation::all_gather, .ranks = 4, .count = 100}, 4), 400);
  const auto matrix =
      std::make_shared<const CountsMatrix>(std::vector<std::vector<std::int64_t>>{{1, 2}, {30, 4}});
  EXPECT_EQ(counted_bytes({.operation = Operation::all_to_all_v, .ranks = 2, .counts = matrix}, 8), 272);
  EXPECT_EQ(counted_bytes({.operation = Operation::barrier, .ranks = 2, .count = 9}, 8), 0);
}

}  // namespace
}  // namespace assay::collectives
