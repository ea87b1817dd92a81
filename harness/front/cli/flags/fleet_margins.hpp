// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Margins by which a fleet is judged, as flags: the same for each command that accepts one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "results/judge/fleet/fleet_judgement.hpp"

namespace assay::cli {

struct FleetMarginFlags {
  std::string margin_flag = "--margin";
  std::string margin = "1.5%", suspects = "0.1%";
  std::string site_margin = {};  // unless given: as FleetRules has it, or the margin where that is larger
};

/// `flags.margin_flag` is what the first is called here.
void add_fleet_margins(CLI::App& app, FleetMarginFlags& flags);

/// Throws a usage Error naming the flag for what is not a share, NaN, negative, or meaninglessly large.
results::FleetRules fleet_rules_from(const FleetMarginFlags& flags);

}  // namespace assay::cli
