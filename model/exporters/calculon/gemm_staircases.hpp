// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Measured GEMMs as the two staircases that Calculon knows them by: efficiency of the matrix engine over
// FLOP, and of the first memory over bytes. In roofline mode an operation takes the longer of the two times,
// in no_overlap their sum: the engine's efficiency is then of what the memory's time leaves.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::calculon {

/// The 95 % interval of the bootstrap.
struct Bounds {
  double lower = 0, upper = 0;
};

/// Reached amount and efficiency, the largest threshold first, the last 0.
struct EfficiencyStep {
  double threshold = 0;
  double efficiency = 1;
  std::optional<Bounds> bounds = std::nullopt;  // see add_bounds
};
using EfficiencySteps = std::vector<EfficiencyStep>;

/// The step that an amount lies in, with `steps_an_octave` steps in an octave, and its threshold.
int step_of(double amount, double steps_an_octave);
double threshold_of(int step, double steps_an_octave);
/// Makes the steps of efficiencies indexed by step, one or more; the smallest step reaches down to 0.
EfficiencySteps steps_of(const std::map<int, double>& efficiency, double steps_an_octave);

/// The efficiency of the first step whose threshold `amount` reaches.
double efficiency_at(const EfficiencySteps& steps, double amount);

struct GemmStaircases {
  EfficiencySteps by_flop, by_bytes;
  std::optional<Bounds> flop_factor = std::nullopt, bytes_factor = std::nullopt;  // on all of its steps
};

enum class ProcessingMode { roofline, no_overlap };

/// The name that Calculon writes.
std::string to_string(ProcessingMode mode);

/// The peaks that both staircases are relative to, and the memory's staircase where the rows do not determine
/// a better one.
struct GemmPeaks {
  double flop_per_s = 0, b_per_s = 0;
  double element_bytes = 2;
  EfficiencySteps by_bytes;
  ProcessingMode mode = ProcessingMode::roofline;
};

/// Seconds: the longer, or the sum, of 2mnk at the engine's and (mn + mk + nk) elements at the memory's
/// efficiency.
double seconds(const GemmPeaks& peaks, const GemmStaircases& staircases, const fit::GemmShape& shape);

/// Steps of half an octave, each at the efficiency that makes the mean of |predicted / measured - 1| least,
/// in turns until neither table changes. Rows of one dtype. Throws a usage error where a row is faster than
/// the engine's peak, or where there are fewer than fewest_staircase_rows.
GemmStaircases fit_staircases(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks);

inline constexpr std::size_t fewest_staircase_rows = 40;

/// Adds to each step of what fit_staircases() made of these rows, and to both tables as a whole, what a
/// bootstrap of whole (n, k) pairs leaves possible while everything else stays. None where fewer than
/// fewest_pairs_of_bounds pairs, or no row that feels it on both sides, say anything.
void add_bounds(GemmStaircases& staircases, const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks,
                std::uint64_t seed);

inline constexpr std::size_t fewest_pairs_of_bounds = 5;

/// Errors of each fifth of the shapes, predicted by the staircases of the others.
fit::Errors held_out_errors(const std::vector<fit::GemmRow>& rows, const GemmPeaks& peaks,
                            std::uint64_t seed);

}  // namespace assay::model::calculon
