// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder of its own for each test, gone with it, and CSV files in it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace assay::model::fit {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / name()) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& called, const std::string& content) const {
    std::ofstream(path_ / called) << content;
    return place(called);
  }
  std::string place(const std::string& called) const { return (path_ / called).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  static std::string name() {
    static int count = 0;
    return "assay-fit-" + std::to_string(getpid()) + "-" + std::to_string(++count);
  }

  std::filesystem::path path_;
};

}  // namespace assay::model::fit
