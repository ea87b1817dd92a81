// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/device.hpp"

namespace assay::cuda {
namespace {

using testing::HasSubstr;

TEST(Check, LetsSuccessPass) { EXPECT_NO_THROW(check(cudaSuccess, "do nothing")); }

TEST(Check, SaysWhatWasDoneTheNameTheTextAndTheCode) {
  try {
    check(cudaErrorInvalidValue, "copy the operands");
    FAIL() << "no error was thrown";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "copy the operands: invalid argument (cudaErrorInvalidValue, 1)");
    EXPECT_EQ(error.kind(), core::ErrorKind::cuda);
    EXPECT_EQ(error.code(), 1);
    EXPECT_FALSE(error.poisons_process());
    EXPECT_THAT(error.where().file_name(), HasSubstr("check_test.cpp"));
  }
}

TEST(Check, KnowsWhichErrorsLoseTheContext) {
  EXPECT_TRUE(loses_context(cudaErrorIllegalAddress));
  EXPECT_TRUE(loses_context(cudaErrorLaunchFailure));
  EXPECT_TRUE(loses_context(cudaErrorECCUncorrectable));
  EXPECT_TRUE(loses_context(static_cast<cudaError_t>(226))) << "an error was contained";
  EXPECT_TRUE(loses_context(cudaErrorMpsClientTerminated));
  EXPECT_TRUE(loses_context(cudaErrorExternalDevice));
  EXPECT_FALSE(loses_context(cudaErrorMemoryAllocation));
  EXPECT_FALSE(loses_context(cudaErrorInvalidValue));
  EXPECT_FALSE(loses_context(cudaErrorNoDevice));
}

TEST(DeviceBuffer, OfNothingOwnsNothing) {
  const DeviceBuffer buffer;
  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_EQ(buffer.size(), 0U);
}

TEST(DeviceBuffer, ThatCannotBeHadNamesItsBytes) {
  const std::size_t impossible = std::size_t{1} << 60;
  try {
    const DeviceBuffer buffer(impossible);
    FAIL() << "no error was thrown";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("1152921504606846976 bytes"));
    EXPECT_EQ(error.kind(), core::ErrorKind::cuda);
    EXPECT_NE(error.code(), 0);
    EXPECT_FALSE(error.poisons_process());
  }
}

TEST(Device, IsUnavailableInTheDriversOwnWords) {
  const auto reason = device_unavailable();
  if (!reason) GTEST_SKIP() << "this machine has a GPU: the refusal cannot be seen here";
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  EXPECT_EQ(*reason, cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status));
  EXPECT_EQ(device_unavailable(core::Point{}), reason);
}

TEST(Device, ThatIsNotThereHasNoDescription) { EXPECT_THROW(describe_device(1'000'000), core::Error); }

}  // namespace
}  // namespace assay::cuda
