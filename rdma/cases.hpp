// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the rdma module measures, from the CASES in its CMakeLists.txt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/machine.hpp"
#include "harness/team/team.hpp"

namespace assay::rdma {

/// Who measures. The machine and the team must outlive the cases.
struct Surroundings {
  const machine::Machine* machine = nullptr;
  int ranks = 2;
  team::Team* team = nullptr;  // none: the cases are only declared
};

std::vector<core::Case> cases(const Surroundings& around);

/// Why this build runs none of them, only lists and plans them; nothing where it runs them.
std::optional<std::string> why_none_runs();

/// Listed and planned for a team of `ranks`, without any device or peer. Their prepare is team::lead's to
/// make.
inline std::vector<core::Case> declared_cases(const machine::Machine& machine, int ranks) {
  return cases({.machine = &machine, .ranks = ranks});
}

/// The cases that one rank of a standing team runs.
inline std::vector<core::Case> cases(const machine::Machine& machine, team::Team& team) {
  return cases({.machine = &machine, .ranks = team.size(), .team = &team});
}

}  // namespace assay::rdma
