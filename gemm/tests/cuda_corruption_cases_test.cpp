// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Without a GPU: every point of the probes is listed, unsupported in the driver's words, and bad input is an
// error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gemm/device/device_corruption.hpp"
#include "gemm/tests/case_lists.hpp"
#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"

namespace assay::gemm {
namespace {

TEST(CudaCorruptionCases, AreAProbeAndItsSelfTest) {
  const std::vector<core::Case> cases = device_corruption_cases({});
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "gemm.cuda.corruption");
  EXPECT_EQ(cases[1].name, "gemm.cuda.corruption_self_test");
  const auto words = cuda::device_unavailable();
  for (const core::Case& one : cases)
    for (const core::Point& point : core::sweep(one.axes)) {
      EXPECT_EQ(one.derived(point).size(), 5u) << point.key();
      if (words) {
        EXPECT_EQ(one.unsupported(point), words) << point.key();
      }
    }
}

TEST(CudaCorruptionCases, CountTheWorkOfTheProduct) {
  const core::Case probe = device_corruption_cases({}).front();
  EXPECT_DOUBLE_EQ(probe.work(core::sweep(probe.axes).front()).flops, 2.0 * 4096 * 4096 * 4096);
}

TEST(CudaCorruptionCases, RefuseBadWordsWithAndWithoutAGpu) {
  const std::vector<core::Case> cases = device_corruption_cases({});
  EXPECT_THROW(cases[0].unsupported(core::sweep(cases[0].axes).front().set("dtype", "fp12")), core::Error);
  EXPECT_THROW(cases[1].unsupported(core::sweep(cases[1].axes).front().set("faults", std::int64_t{0})),
               core::Error);
}

TEST(CudaCorruptionCases, PreparingWithoutAGpuThrowsTheDriversWords) {
  const auto words = cuda::device_unavailable();
  if (!words) GTEST_SKIP() << "this machine has a GPU";
  for (const core::Case& one : device_corruption_cases({})) {
    try {
      one.prepare(core::sweep(one.axes).front());
      FAIL() << one.name << " was prepared without a GPU";
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::cuda);
      EXPECT_THAT(error.what(), testing::HasSubstr(*words));
    }
  }
}

}  // namespace
}  // namespace assay::gemm
