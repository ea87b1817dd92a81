// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Two clusters compared as populations: metric by metric and as a whole, whether the candidate is as good as
// the baseline within a margin. What is said holds for units like these, so that the number of units, hosts
// or racks is what counts, and never that of samples.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/statistics/equivalence.hpp"
#include "results/judge/population/population_mix.hpp"
#include "results/judge/population/population_sides.hpp"
#include "results/judge/population/population_tail.hpp"

namespace assay::results {

struct PopulationRequest {
  double margin = 0.03;     // within 1 / (1 + margin) and 1 + margin
  std::string filter = {};  // glob over cases or case/point
  PopulationPlaces places = {};
  std::optional<PopulationMix> mix = {};
};

struct PopulationPoint {
  std::string unit_level, metric;
  std::int64_t units_of_a = 0, units_of_b = 0, runs_of_a = 0, runs_of_b = 0;
  std::string level;  // of the values that were compared: "host", "rack"
  std::int64_t values_of_a = 0, values_of_b = 0;
  std::optional<core::StudentisedShift> shift = {};  // of ln(time), b against a; none: too few values
  std::optional<JudgedTail> tail = {};               // of the slow values
  core::Equivalence verdict = core::Equivalence::not_enough_data;  // of both: higher where either is
  double probability = 1;                 // of a shift as far beyond the margin, by Holm over all metrics
  std::optional<double> detectable = {};  // difference that is shown with a probability of 80 %
  std::optional<std::int64_t> needed_units = {};  // values of that level on each side that would decide
  std::optional<std::int64_t> needed_runs = {};   // or runs of each unit
};

struct PopulationComparison {
  std::string a = {}, b = {};  // names of the stores
  double margin = 0;
  std::vector<PopulationPoint> points = {};
  std::vector<UnsharedMetric> unshared = {};
  std::optional<PopulationMix> mix = {};
  std::optional<PopulationPoint> mixed = {};  // all points of the mix, by weight
  std::vector<VerdictRow> doubts = {};        // of both
  std::vector<std::string> hardware_of_a = {}, hardware_of_b = {};
  std::string origin = "measured";

  std::int64_t count(core::Equivalence verdict) const;
};

inline constexpr double population_alpha = 0.05;

/// Throws std::runtime_error with one line: a margin that is not one, what population_sides() and shares_of()
/// refuse, no point that both have.
PopulationComparison compare_populations(const Store& a, const Store& b, const PopulationRequest& request);

/// Judges values that are taken as given; `run_share`: the part of their variance that more runs reduce;
/// `runs`: the runs of a unit. Leaves the names out.
PopulationPoint judge_shift(const PopulationShift& values, double margin, double run_share = 0,
                            double runs = 1);

/// The adjusted probabilities of Holm (1979): in the order given, and never below those before.
std::vector<double> holm(std::vector<double> probabilities);

/// The worst first.
Table to_table(const PopulationComparison& comparison);

/// A row for each point, for all of them, for the mix, and for what is missing or in doubt.
Verdicts verdicts_of(const PopulationComparison& comparison);

}  // namespace assay::results
