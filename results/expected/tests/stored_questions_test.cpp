// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/stored_questions.hpp"

#include <gtest/gtest.h>

#include "results/store/store.hpp"
#include "results/tests/fixed_copies.hpp"

namespace assay::results::expected {
namespace {

TEST(StoredQuestions, LeaveOutCopiesInBothDirections) {
  Store store("");
  store.add(test::fixed_copies());
  const RunPoints run(store);
  const StoredQuestions found = questions_of(run, published_values({}), "h100-sxm", "");
  std::vector<double> between_gpus;
  for (const Question& one : found.questions)
    if (one.operation == "device_to_device") between_gpus.push_back(one.value);
  ASSERT_EQ(between_gpus.size(), 2U);  // 700 GB/s and 690 GB/s are of both directions together
  EXPECT_NEAR(between_gpus[0], 370, 10);
  EXPECT_NEAR(between_gpus[1], 360, 10);
}

}  // namespace
}  // namespace assay::results::expected
