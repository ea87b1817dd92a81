// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder that is empty at the test's begin and gone at its end.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace assay::offload::tests {

class TemporaryFolder {
 public:
  TemporaryFolder()
      : path_(
            std::filesystem::path(testing::TempDir()) /
            (std::string("assay-offload-") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace assay::offload::tests
