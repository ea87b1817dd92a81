// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A healthy machine whose inputs are changed one at a time. After each change a check must not end in exit
// code 0: it fails, is inconclusive, or refuses its input.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/front/health/tests/planted_fault.hpp"

namespace assay::health {

class MutationWard {
 public:
  explicit MutationWard(const std::string& tree);
  /// Says how many mutations were tried, and that none of them passed.
  ~MutationWard();
  MutationWard(const MutationWard&) = delete;
  MutationWard& operator=(const MutationWard&) = delete;

  Patient& patient() { return patient_; }

  /// A file of the tree with this text, without it where there is none, then as it was.
  void file(const std::string& path, const std::optional<std::string>& text, const std::string& what);
  /// Several at once, as where all units have the same fault.
  void files(const std::vector<std::string>& paths, const std::optional<std::string>& text,
             const std::string& what);
  /// The table of GPUs as `change` leaves it, then as it was.
  void gpus(const std::function<void(nlohmann::json&)>& change, const std::string& what);
  /// As they are now.
  void nothing_passes(const std::string& what);
  /// A control: as they are now, a check passes.
  void all_is_well(const std::string& what);

 private:
  /// The verdict, or none where the input was refused.
  std::optional<std::string_view> verdict();
  std::string tree_;
  Patient patient_;
  int tried_ = 0;
};

}  // namespace assay::health
