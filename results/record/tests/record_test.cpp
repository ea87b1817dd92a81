// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/record.hpp"

#include <gtest/gtest.h>

namespace assay::results {
namespace {

TEST(Record, EveryStatusWordIsReadBack) {
  for (const auto* word : {"ok", "unsupported", "failed", "wrong", "timeout"}) {
    ASSERT_TRUE(status_from(word)) << word;
    EXPECT_EQ(to_string(*status_from(word)), word);
  }
  EXPECT_FALSE(status_from("fine"));
  EXPECT_FALSE(status_from("OK"));
}

TEST(Record, EveryOriginWordIsReadBack) {
  for (const auto* word : {"measured", "imported", "simulated", "predicted"}) {
    ASSERT_TRUE(origin_from(word)) << word;
    EXPECT_EQ(to_string(*origin_from(word)), word);
  }
  EXPECT_FALSE(origin_from(""));
}

}  // namespace
}  // namespace assay::results
