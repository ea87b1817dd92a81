// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without liburing.
#include <gtest/gtest.h>

#include "offload/checkpoint/checkpoint_cases.hpp"

namespace assay::offload {
namespace {

TEST(AbsentCheckpoint, IsListedAndSaysWhatWasNotFound) {
  const ModuleSettings settings;
  const std::vector<core::Case> cases = checkpoint_cases(settings);
  ASSERT_EQ(cases.size(), 3U);
  for (const core::Case& absent : cases)
    EXPECT_EQ(absent.unsupported({}), "liburing with xxHash was not found when this program was built");
}

}  // namespace
}  // namespace assay::offload
