// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include "results/judge/fleet/fleet_row_judge.hpp"
#include "results/judge/statistics/division.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr double most_unlike = 0.1;

std::optional<FleetUnlike> far_from_core(std::span<const double> standings, const Core& core, double margin) {
  const double far = std::max(far_off_deviations * core.deviation, margin);
  FleetUnlike unlike{.places = static_cast<std::int64_t>(standings.size())};
  for (const double standing : standings) {
    unlike.unlike += std::abs(standing - core.centre) > far ? 1 : 0;
    unlike.slower += standing - core.centre < -far ? 1 : 0;
  }
  const bool many = static_cast<double>(unlike.unlike) > most_unlike * static_cast<double>(unlike.places);
  return many && unlike.unlike > 1 ? std::optional(unlike) : std::nullopt;
}

FleetUnlike divided(const Division& division, std::optional<std::size_t> run) {
  const std::size_t smaller = std::min(division.slower, division.of - division.slower);
  return {.places = static_cast<std::int64_t>(division.of),
          .unlike = static_cast<std::int64_t>(smaller),
          .slower = static_cast<std::int64_t>(division.slower),
          .run = run};
}

}  // namespace

std::optional<FleetUnlike> unlike_in(const SeriesRow& row, const Core& core, double margin,
                                     std::span<const std::span<const double>> full_runs) {
  const std::span<const double> standings = row.standings();
  if (const auto unlike = far_from_core(standings, core, margin)) return unlike;
  if (const auto division = division_of_sorted(standings, margin)) return divided(*division, std::nullopt);
  for (std::size_t run = 0; run < full_runs.size(); ++run)
    if (const auto division = full_runs[run].data() == standings.data()
                                  ? std::nullopt
                                  : division_of_sorted(full_runs[run], margin))
      return divided(*division, run + 1);
  return std::nullopt;
}

}  // namespace assay::results
