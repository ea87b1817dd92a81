// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/nccl/tests/fake_nccl.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string complaint(const std::string& name) {
  try {
    const NcclLibrary library(name);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::nccl);
    return error.what();
  }
  return "opened";
}

TEST(NcclLibrary, AbsentIsReportedInTheLoadersWords) {
  EXPECT_EQ(complaint("/nonexistent/libnccl.so.2"),
            "/nonexistent/libnccl.so.2: cannot open shared object file: No such file or directory");
}

TEST(NcclLibrary, WithoutTheFunctionsIsReportedInTheLoadersWords) {
  EXPECT_THAT(complaint("libm.so.6"), HasSubstr("undefined symbol: ncclGetVersion"));
}

TEST(NcclLibrary, TooOldIsRefusedWithItsVersion) {
  EXPECT_EQ(complaint(COLLECTIVES_OLD_NCCL),
            COLLECTIVES_OLD_NCCL " is NCCL 2.17.5: this program needs 2.18 or newer of major version 2");
}

TEST(NcclLibrary, OfTheNodeOpensWithoutAGpuOrSaysWhyNot) {
  if (const auto reason = NcclLibrary::unavailable()) {
    EXPECT_THAT(*reason, HasSubstr("nccl"));
    EXPECT_THROW(NcclLibrary::library(), core::Error);
    GTEST_SKIP() << *reason;
  }
  EXPECT_THAT(nccl_version_text(NcclLibrary::library().calls()), StartsWith("2."));
}

TEST(NcclLibrary, OfTheNodeFailsInItsOwnWords) {
  if (const auto reason = NcclLibrary::unavailable()) GTEST_SKIP() << *reason;
  const NcclCalls& calls = NcclLibrary::library().calls();
  EXPECT_NO_THROW(check_nccl(calls, ncclSuccess, "do nothing"));
  try {
    check_nccl(calls, calls.all_reduce(nullptr, nullptr, 0, ncclInt32, ncclSum, nullptr, nullptr),
               "reduce on no communicator");
    FAIL() << "a failed call passed";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.code(), ncclInvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("invalid argument"));
  }
}

TEST(CheckNccl, TellsNcclsTextItsLastErrorAndTheCode) {
  reset_fake();
  const NcclCalls calls = fake_calls();
  EXPECT_NO_THROW(check_nccl(calls, ncclInProgress, "wait"));
  try {
    check_nccl(calls, ncclInvalidUsage, "make a communicator");
    FAIL() << "a failed call passed";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "make a communicator: invalid usage (the fake's own words)");
    EXPECT_EQ(error.code(), ncclInvalidUsage);
  }
}

TEST(CheckNccl, TakesAForcedPairThatIsNotThereForUnsupported) {
  reset_fake();
  fake().last_error = "Error : no algorithm/protocol available for function AllReduce";
  EXPECT_THROW(check_nccl(fake_calls(), ncclInvalidUsage, "ncclAllReduce"), core::Unsupported);
}

TEST(NcclVersionText, ReadsOldAndNewNumbers) {
  reset_fake();
  EXPECT_EQ(nccl_version_text(fake_calls()), "2.28.9");
  fake().version = 2708;
  EXPECT_EQ(nccl_version_text(fake_calls()), "2.7.8");
}

}  // namespace
}  // namespace assay::collectives
