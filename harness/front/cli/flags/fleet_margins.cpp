// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/fleet_margins.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/front/answers/margin.hpp"

namespace assay::cli {
void add_fleet_margins(CLI::App& app, FleetMarginFlags& flags) {
  const auto add = [&](const std::string& flag, std::string& value, const char* about) {
    app.add_option(flag, value, about)->type_name("SHARE")->capture_default_str();
  };
  add(flags.margin_flag, flags.margin, "loss up to which a unit counts as equal");
  app.add_option("--site-margin", flags.site_margin,
                 "largest loss that the site tolerates, however usual (default: 7%, or a larger margin)")
      ->type_name("SHARE");
  add("--suspects", flags.suspects, "share of units that a point may name as suspects");
}

results::FleetRules fleet_rules_from(const FleetMarginFlags& flags) {
  results::FleetRules rules;
  rules.margin = answers::margin_from(flags.margin_flag, flags.margin);
  rules.most_suspects = answers::margin_from("--suspects", flags.suspects);
  rules.site_margin = std::max(rules.site_margin, rules.margin);
  if (flags.site_margin.empty()) return rules;
  rules.site_margin = answers::margin_from("--site-margin", flags.site_margin);
  if (rules.site_margin < rules.margin)
    core::usage_error(fmt::format("--site-margin {} is below {} {}: expected at least as much",
                                  flags.site_margin, flags.margin_flag, flags.margin));
  return rules;
}

}  // namespace assay::cli
