// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/open_store.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"

namespace assay::answers {

results::Store open_store(const std::string& path, results::StoreMode mode,
                          std::chrono::milliseconds patience) try {
  if (const auto folder = std::filesystem::path(path).parent_path();
      mode == results::StoreMode::create && !folder.empty())
    std::filesystem::create_directories(folder);
  return results::Store(path, mode, patience);
} catch (const results::NoStore& error) {
  core::usage_error(error.what());
} catch (const std::filesystem::filesystem_error& error) {
  core::usage_error(fmt::format("store {}: its folder cannot be made: {}", path, error.code().message()));
}

results::Store open_existing_store(const std::string& path, std::chrono::milliseconds patience) {
  if (!core::is_there(path))
    core::usage_error(
        fmt::format("{}: no such store (expected one written by `assay run` or `assay import`)", path));
  return open_store(path, results::StoreMode::existing, patience);
}

}  // namespace assay::answers
