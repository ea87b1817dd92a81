// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Burn-ins of a stated length: what runs at each level, in how many minutes.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/front/suite/burn_in/burn_in.hpp"

namespace assay::suite {

struct Level {
  std::string_view name, about;
  double minutes = 0;
  std::int64_t rounds = 0;                     // 0: as many as fit
  std::vector<std::string_view> filters = {};  // of the plan "levels"; empty: all of it
};

std::span<const Level> levels();

/// Throws a usage Error for another name, and where the options have a plan, filter or end of their own.
const Level& find_level(const std::string& name);
void take_level(const Level& level, BurnInOptions& options);

/// One line: what will run, how long by its budgets, and the stated minutes after which no point begins.
std::string announcement(const Level& level, const PlanSize& size);

}  // namespace assay::suite
