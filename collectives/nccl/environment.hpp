// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Environment variables that a library reads while it works.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::collectives {

using Variable = std::pair<std::string, std::string>;

/// Sets those that the user did not; returns what was set.
std::vector<Variable> set_where_unset(const std::vector<Variable>& variables);

/// Sets variables for its lifetime, then as they were. Only while no other thread of assay reads any.
class ScopedEnvironment {
 public:
  explicit ScopedEnvironment(const std::vector<Variable>& variables);
  ~ScopedEnvironment();
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

}  // namespace assay::collectives
