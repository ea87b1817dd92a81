// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "harness/core/statistics/binomial.hpp"
#include "results/planning/rounds_needed.hpp"

namespace assay::results {
namespace {

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

Number percent_of(const Share& share) {
  const core::ShareInterval interval = core::share_interval(share.of, share.count);
  return {100 * share.value(), 100 * interval.lower, 100 * interval.upper};
}

std::string noise_text(const PlannedFleet& planned) {
  const auto [quietest, noisiest] = std::ranges::minmax(planned.points, {}, &PointNoise::changing);
  const double lasting = std::ranges::max(planned.points, {}, &PointNoise::lasting).lasting;
  return fmt::format("noise of a round {}{}{}", percent(quietest.changing),
                     noisiest.changing > quietest.changing ? " to " + percent(noisiest.changing) : "",
                     lasting > 0 ? fmt::format(", lasting spread up to {}", percent(lasting)) : "");
}

std::string fleet_text(const PlannedFleet& planned) {
  const std::string units =
      planned.unit_level == "host"
          ? fmt::format("{} hosts", planned.hosts)
          : fmt::format("{} hosts of {} {}s", planned.hosts, planned.units_per_host, planned.unit_level);
  return fmt::format("{}, {} points, {}; Student's t with 5 degrees of freedom, independent", units,
                     planned.points.size(), noise_text(planned));
}

std::string answer_text(const RoundsNeeded& needed, const PlannedFleet& planned,
                        const PlanningRules& planning, std::optional<double> minutes_per_round) {
  const std::string what =
      fmt::format("in {} of fleets: a sound one passes, and one {} that is {} slow in one point fails",
                  percent(planning.power), planned.unit_level, percent(planning.loss));
  if (!needed.rounds) return fmt::format("No number up to {} rounds decides {}.", planning.most_rounds, what);
  const std::string minutes =
      minutes_per_round ? fmt::format(" ({:.0f} minutes)", *needed.rounds * *minutes_per_round) : "";
  return fmt::format("{} rounds{} decide {}.", *needed.rounds, minutes, what);
}

}  // namespace

Table to_table(const RoundsNeeded& needed, const PlannedFleet& planned, const FleetRules& rules,
               const PlanningRules& planning, std::optional<double> minutes_per_round) {
  Table table;
  table.title = fmt::format("Rounds that decide within a margin of {}", percent(rules.margin));
  table.origin = "simulated";
  table.notes = {answer_text(needed, planned, planning, minutes_per_round), fleet_text(planned)};
  table.columns = {{"rounds", "", Column::Kind::count},
                   {"sound fleets that pass", "%", Column::Kind::number},
                   {fmt::format("with a slow {}: fail", planned.unit_level), "%", Column::Kind::number},
                   {"with it: pass", "%", Column::Kind::number},
                   {"simulated", "", Column::Kind::count}};
  if (minutes_per_round)
    table.columns.insert(table.columns.begin() + 1, {"time", "min", Column::Kind::number});
  for (const TriedRounds& tried : needed.tried) {
    std::vector<Cell> row{std::int64_t{tried.rounds}, percent_of(tried.sound_passes),
                          percent_of(tried.slow_fails), percent_of(tried.slow_passes),
                          std::int64_t{tried.sound_passes.of}};
    if (minutes_per_round) row.insert(row.begin() + 1, Number{tried.rounds * *minutes_per_round});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace assay::results
