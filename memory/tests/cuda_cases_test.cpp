// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/tests/declaration_text.hpp"
#include "harness/cuda/device.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/tests/cases_named.hpp"

namespace assay::memory {
namespace {

using core::tests::declaration_texts;

std::vector<core::Case> all() { return tests::cases_named("memory.cuda."); }

TEST(CudaCases, AreDeclaredAlikeInABuildWithoutCuda) {
  EXPECT_EQ(declaration_texts(cuda_declarations_cases({})), declaration_texts(all()));
}

TEST(CudaCases, SayInTheDriversWordsWhyTheyCannotRun) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  for (const core::Case& benchmark : all())
    for (const core::Point& point : core::sweep(benchmark.axes)) {
      const auto reason = benchmark.unsupported(point);
      ASSERT_TRUE(reason.has_value()) << benchmark.name;
      EXPECT_EQ(*reason, *cuda::device_unavailable());
    }
}

TEST(CudaCases, PreparedWithoutADeviceThrowAClearError) {
  if (!cuda::device_unavailable()) GTEST_SKIP() << "this machine has a GPU";
  for (const core::Case& benchmark : all()) {
    const core::Point point = core::sweep(benchmark.axes).front();
    try {
      benchmark.prepare(point);
      FAIL() << benchmark.name << " was prepared without a device";
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::cuda);
      EXPECT_THAT(error.what(), testing::HasSubstr(*cuda::device_unavailable()));
      EXPECT_FALSE(error.poisons_process());
    }
  }
}

}  // namespace
}  // namespace assay::memory
