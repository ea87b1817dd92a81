// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Without a GPU: every CUDA point is listed, and unsupported in the driver's words.
#include <gtest/gtest.h>

#include "gemm/device/device_gemm.hpp"
#include "gemm/tests/case_lists.hpp"
#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"

namespace assay::gemm {
namespace {

TEST(CudaCases, EveryPointIsUnsupportedInTheDriversWordsWithoutAGpu) {
  const auto words = cuda::device_unavailable();
  if (!words) GTEST_SKIP() << "this machine has a GPU";
  int points = 0;
  for (const core::Case& one : measured_device_gemm_cases({}))
    for (const core::Point& point : core::sweep(one.axes)) {
      ++points;
      EXPECT_EQ(one.unsupported(point).value(), *words) << point.key();
      EXPECT_GT(one.work(point).flops, 0) << point.key();
    }
  EXPECT_GE(points, 28 + 84 + 8);
}

TEST(CudaCases, WeightGradientsAreAddedInFp32AndTheirBytesCounted) {
  const Request request = on_device({.problem = {.m = 2, .n = 3, .k = 5, .pass = Pass::wgrad}});
  EXPECT_TRUE(request.problem.accumulate);
  EXPECT_DOUBLE_EQ(work(request.problem).bytes, 2 * (10 + 15) + 2 * 24);
  EXPECT_FALSE(on_device({.problem = {.m = 2, .n = 3, .k = 5, .dtype = Dtype::int8, .pass = Pass::wgrad}})
                   .problem.accumulate);
  EXPECT_FALSE(on_device({.problem = {.m = 2, .n = 3, .k = 5, .pass = Pass::dgrad}}).problem.accumulate);
}

TEST(CudaCases, BadWordsAreUsageErrorsWithAndWithoutAGpu) {
  const core::Case one = measured_device_gemm_cases({}).front();
  core::Point point = core::sweep(one.axes).front();
  point.set("dtype", "fp12");
  EXPECT_THROW(one.unsupported(point), core::Error);
}

TEST(CudaCases, PreparingWithoutAGpuThrowsTheDriversWords) {
  const auto words = cuda::device_unavailable();
  if (!words) GTEST_SKIP() << "this machine has a GPU";
  const core::Case one = measured_device_gemm_cases({}).front();
  try {
    one.prepare(core::sweep(one.axes).front());
    FAIL() << "a point was prepared without a GPU";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::cuda);
    EXPECT_NE(std::string(error.what()).find(*words), std::string::npos) << error.what();
  }
}

TEST(CudaCases, EightBitTypesRunWithKContiguousInEveryPass) {
  const core::Case one = measured_device_gemm_cases({}).front();
  core::Point point = core::sweep(one.axes).front();
  point.set("dtype", "fp8_e4m3").set("layout", "wgrad");
  EXPECT_EQ(one.derived(point).at(3), (core::Fact{"layout", std::string("TN")}));
  point.set("dtype", "bf16");
  EXPECT_EQ(one.derived(point).at(3), (core::Fact{"layout", std::string("NT")}));
}

}  // namespace
}  // namespace assay::gemm
