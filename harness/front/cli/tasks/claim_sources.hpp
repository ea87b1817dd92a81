// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Commands of assay as claims name them, run in the folder of examples.
#pragma once

#include <atomic>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "harness/core/files/scratch_folder.hpp"

namespace assay::cli {

class ClaimCommands {
 public:
  /// `examples`: where the commands run.
  explicit ClaimCommands(const std::filesystem::path& examples);

  /// Commands joined by " && ". The last one's answer: what it writes with -o, else what it prints with
  /// --json (or the --format that it names); lines of JSON become a list. SCRATCH is a folder of their own.
  /// Throws core::Error where one fails.
  nlohmann::json answer(const std::string& commands);
  /// Runs a command that measures, and returns its store.
  std::filesystem::path measure(const std::string& command);

 private:
  std::filesystem::path own_folder();

  std::filesystem::path examples_;
  core::ScratchFolder scratch_{"claims"};
  std::atomic<int> folders_{0};
};

/// Files that the commands of claims name: `named`, or as installed, or in the source tree.
std::filesystem::path examples_folder(const std::string& named);

}  // namespace assay::cli
