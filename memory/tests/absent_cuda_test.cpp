// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A build without CUDA.
#include <gtest/gtest.h>

#include "memory/tests/cases_named.hpp"

namespace assay::memory {
namespace {

TEST(AbsentCuda, IsWhyNoPointOfAGpuRuns) {
  for (const core::Case& absent : tests::cases_named("memory.cuda."))
    for (const core::Point& point : core::sweep(absent.axes))
      EXPECT_EQ(absent.unsupported(point), "built without CUDA") << absent.name;
}

}  // namespace
}  // namespace assay::memory
