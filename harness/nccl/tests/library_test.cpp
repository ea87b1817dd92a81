// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/nccl/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::nccl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string complaint(const std::string& name) {
  try {
    const Library library(name);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::nccl);
    return error.what();
  }
  return "opened";
}

TEST(Library, AbsentIsReportedInTheLoadersWords) {
  EXPECT_EQ(complaint("/nonexistent/libnccl.so.2"),
            "/nonexistent/libnccl.so.2: cannot open shared object file: No such file or directory");
}

TEST(Library, WithoutTheFunctionsIsReportedInTheLoadersWords) {
  EXPECT_THAT(complaint("libm.so.6"), HasSubstr("undefined symbol: ncclGetVersion"));
}

TEST(Library, TooOldIsRefusedWithItsVersion) {
  EXPECT_EQ(complaint(NCCL_TEST_OLD_LIBRARY),
            NCCL_TEST_OLD_LIBRARY " is NCCL 2.17.5: this program needs 2.18 or newer of major version 2");
}

TEST(Library, OfTheNodeOpensWithoutAGpuOrSaysWhyNot) {
  if (const auto reason = Library::unavailable()) {
    EXPECT_THAT(*reason, HasSubstr("nccl"));
    EXPECT_THROW(Library::library(), core::Error);
    GTEST_SKIP() << *reason;
  }
  EXPECT_THAT(version_text(Library::library().calls()), StartsWith("2."));
}

TEST(Library, OfTheNodeFailsInItsOwnWords) {
  if (const auto reason = Library::unavailable()) GTEST_SKIP() << *reason;
  const Calls& calls = Library::library().calls();
  EXPECT_NO_THROW(check(calls, ncclSuccess, "do nothing"));
  try {
    check(calls, calls.all_reduce(nullptr, nullptr, 0, ncclInt32, ncclSum, nullptr, nullptr),
          "reduce on no communicator");
    FAIL() << "a failed call passed";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.code(), ncclInvalidArgument);
    EXPECT_THAT(error.what(), HasSubstr("invalid argument"));
  }
}

const char* last_error = "";
int version = 0;

Calls fake_calls() {
  Calls calls;
  calls.get_error_string = [](ncclResult_t) { return "invalid usage"; };
  calls.get_last_error = [](ncclComm_t) { return last_error; };
  calls.get_version = [](int* told) { return *told = version, ncclSuccess; };
  return calls;
}

TEST(CheckNccl, TellsNcclsTextItsLastErrorAndTheCode) {
  last_error = "the fake's own words";
  const Calls calls = fake_calls();
  EXPECT_NO_THROW(check(calls, ncclInProgress, "wait"));
  try {
    check(calls, ncclInvalidUsage, "make a communicator");
    FAIL() << "a failed call passed";
  } catch (const core::Error& error) {
    EXPECT_STREQ(error.what(), "make a communicator: invalid usage (the fake's own words)");
    EXPECT_EQ(error.code(), ncclInvalidUsage);
  }
}

TEST(CheckNccl, TakesAForcedPairThatIsNotThereForUnsupported) {
  last_error = "Error : no algorithm/protocol available for function AllReduce";
  EXPECT_THROW(check(fake_calls(), ncclInvalidUsage, "ncclAllReduce"), core::Unsupported);
}

TEST(NcclVersionText, ReadsOldAndNewNumbers) {
  version = 22809;
  EXPECT_EQ(version_text(fake_calls()), "2.28.9");
  version = 2708;
  EXPECT_EQ(version_text(fake_calls()), "2.7.8");
}

}  // namespace
}  // namespace assay::nccl
