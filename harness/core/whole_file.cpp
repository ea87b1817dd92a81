// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/whole_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"

namespace assay::core {

void write_whole_file(const std::string& file, std::string_view bytes) {
  const std::string unfinished = fmt::format("{}.{}", file, getpid());
  std::ofstream stream(unfinished, std::ios::binary);
  stream << bytes;
  stream.close();
  std::error_code failed;
  if (stream) std::filesystem::rename(unfinished, file, failed);
  if (stream && !failed) return;
  std::error_code ignored;
  std::filesystem::remove(unfinished, ignored);
  usage_error(file + ": cannot be written");
}

}  // namespace assay::core
