// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collective algorithms by name, as the functions that the collectives module runs too (harness/schedule):
// whom a rank sends to in a step, and how much; and their times where no flows meet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay::model::fabric {

struct PatternSize {
  int ranks = 1;  // at least 1
  std::uint64_t bytes =
      0;  // of the vector, or of all blocks of a rank together; blocks differ by a byte at most
};

struct PatternSend {
  int to = 0;
  std::uint64_t bytes = 0;
  friend bool operator==(const PatternSend&, const PatternSend&) = default;
};

struct Pattern {
  std::string_view name;
  int (*steps)(int ranks);
  /// The message of the rank (0 to ranks - 1) in the step (0 to steps - 1); nothing where it sends none.
  std::optional<PatternSend> (*send)(PatternSize size, int step, int rank);
  /// The time in us where every rank sends and receives at `bytes_per_us` without meeting others and a step
  /// costs `step_us` besides: for a power of two of ranks that divides the bytes (Thakur, Rabenseifner and
  /// Gropp 2005, "Optimization of collective communication operations in MPICH").
  double (*closed_form_us)(PatternSize size, double step_us, double bytes_per_us);
};

std::span<const Pattern> patterns();

/// Throws a usage Error naming those there are.
const Pattern& pattern(std::string_view name);

/// The sum over steps of `step_us` and the time of the step's largest message. Time: steps times ranks.
double time_without_contention_us(const Pattern& pattern, PatternSize size, double step_us,
                                  double bytes_per_us);

}  // namespace assay::model::fabric
