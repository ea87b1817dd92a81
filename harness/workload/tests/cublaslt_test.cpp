// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/cublaslt.hpp"

#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

std::string complaint(const std::string& name) {
  try {
    const CublasLt library(name);
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::cublas);
    return error.what();
  }
  return "opened";
}

TEST(CublasLt, AbsentLibraryIsReportedInTheLoadersWords) {
  EXPECT_EQ(complaint("/nonexistent/libcublasLt.so.13"),
            "/nonexistent/libcublasLt.so.13: cannot open shared object file: No such file or directory");
}

TEST(CublasLt, LibraryWithoutTheFunctionsIsReportedInTheLoadersWords) {
  EXPECT_NE(complaint("libm.so.6").find("undefined symbol: cublasLtGetVersion"), std::string::npos);
}

TEST(CublasLt, AnotherMajorVersionIsRefused) {
  EXPECT_EQ(complaint(WORKLOAD_OLD_CUBLASLT), WORKLOAD_OLD_CUBLASLT
                                                  " is cuBLASLt 12.8.3: this program was built for version " +
                                                  std::to_string(CUBLAS_VER_MAJOR));
}

TEST(CublasLt, NodesOwnLibraryOpensWithoutAGpuOrSaysWhyNot) {
  if (const auto reason = CublasLt::unavailable()) {
    EXPECT_NE(reason->find("cublasLt"), std::string::npos) << *reason;
    EXPECT_THROW(CublasLt::library(), core::Error);
    GTEST_SKIP() << *reason;
  }
  EXPECT_EQ(CublasLt::library().version().rfind("cuBLASLt " + std::to_string(CUBLAS_VER_MAJOR) + ".", 0), 0u);
}

TEST(CublasLt, FailedCallThrowsTheLibrarysWordsAndCode) {
  if (const auto reason = CublasLt::unavailable()) GTEST_SKIP() << *reason;
  const CublasLt& lt = CublasLt::library();
  EXPECT_NO_THROW(lt.check(CUBLAS_STATUS_SUCCESS, "do nothing"));
  try {
    lt.check(CUBLAS_STATUS_INVALID_VALUE, "describe a matrix");
    FAIL() << "a failed call passed";
  } catch (const core::Error& error) {
    EXPECT_EQ(std::string(error.what()).rfind("describe a matrix: ", 0), 0u) << error.what();
    EXPECT_EQ(error.code(), CUBLAS_STATUS_INVALID_VALUE);
  }
}

}  // namespace
}  // namespace assay::workload
