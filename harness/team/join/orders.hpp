// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Orders of rank 0 to the others, and how orders and answers travel as text. Private to harness/team.
#pragma once

#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"

namespace assay::team {

enum class Act { prepare, run, sampling_begins, sampling_ends, verify, report, release, dismiss };

struct Order {
  Act act = Act::dismiss;
  std::int64_t iterations = 0;  // of run
  std::string case_name = {};   // of prepare
  core::Point point = {};       // of prepare
};

std::string to_text(const Order& order);
std::string to_text(const core::Timing& timing);
std::string to_text(const core::Verification& verification);
std::string to_text(const core::Report& report);
// Each throws Error(team) on a text that does not have this form.
Order order_from(const std::string& text);
core::Timing timing_from(const std::string& text);
core::Verification verification_from(const std::string& text);
core::Report report_from(const std::string& text);

}  // namespace assay::team
