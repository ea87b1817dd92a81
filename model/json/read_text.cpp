// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/json/read_text.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/core/error.hpp"

namespace assay::model {

std::string read_text(const std::string& path, const std::string& expected) {
  if (std::filesystem::is_directory(path))
    core::usage_error(fmt::format("{}: is a folder; expected {}", path, expected));
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    core::usage_error(fmt::format("{}: cannot be read; expected {}", path, expected));
  return text;
}

}  // namespace assay::model
