// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/environment.hpp"

#include <cstdlib>

namespace assay::collectives {

std::vector<Variable> set_where_unset(const std::vector<Variable>& variables) {
  std::vector<Variable> set;
  for (const auto& [name, value] : variables) {
    if (std::getenv(name.c_str()) != nullptr) continue;
    static_cast<void>(setenv(name.c_str(), value.c_str(), 0));
    set.emplace_back(name, value);
  }
  return set;
}

ScopedEnvironment::ScopedEnvironment(const std::vector<Variable>& variables) {
  for (const auto& [name, value] : variables) {
    const char* before = std::getenv(name.c_str());
    before_.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
    static_cast<void>(setenv(name.c_str(), value.c_str(), 1));
  }
}

ScopedEnvironment::~ScopedEnvironment() {
  for (const auto& [name, value] : before_)
    static_cast<void>(value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str()));
}

}  // namespace assay::collectives
