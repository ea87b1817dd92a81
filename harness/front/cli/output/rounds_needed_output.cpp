// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/rounds_needed_output.hpp"

#include <unistd.h>

#include <iostream>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/status_line.hpp"

namespace assay::cli {

int print_rounds_needed(const std::vector<results::PlannedFleet>& fleets, const results::FleetRules& rules,
                        const results::PlanningRules& planning, std::optional<double> minutes_per_round,
                        const std::string& format) {
  bool decided = true;
  for (const results::PlannedFleet& planned : fleets) {
    const results::RoundsNeeded needed = answers::or_bad_input([&] {
      StatusLine status(std::cerr, isatty(STDERR_FILENO) == 1, "simulating fleets");
      return results::rounds_needed(planned, rules, planning, [&](int rounds) {
        status.show(static_cast<std::size_t>(rounds), static_cast<std::size_t>(planning.most_rounds));
      });
    });
    std::cout << render_table(to_table(needed, planned, rules, planning, minutes_per_round), format);
    decided = decided && needed.rounds;
  }
  return decided ? core::exit_code::pass : core::exit_code::inconclusive;
}

}  // namespace assay::cli
