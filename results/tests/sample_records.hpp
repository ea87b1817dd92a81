// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records with every field set, for tests; the numbers are made up and say so by their roundness.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "results/record/record.hpp"

namespace assay::results::test {

ContextRecord sample_context(const std::string& run_id = "run-1", std::int64_t process = 0);
PointRecord sample_point(const std::string& run_id = "run-1", std::int64_t sequence = 0);
PointRecord unsupported_point(const std::string& run_id = "run-1", std::int64_t sequence = 0);
EndRecord sample_end(const std::string& run_id = "run-1", std::int64_t process = 0);

/// A new empty folder, removed with everything in it when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

std::string read_text(const std::filesystem::path& file);
void write_text(const std::filesystem::path& file, const std::string& text);

}  // namespace assay::results::test
