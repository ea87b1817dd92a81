// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time against bytes moved for memories and host links: latency + bytes / bandwidth in pieces, never across
// two operations, conditions or cache levels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/segments.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

using SizeCurves = std::map<std::string, std::vector<Segment>>;  // by SizeRow::curve()

struct SizeFit {
  SizeCurves curves;
  std::vector<std::string> left_out;  // one line for each curve that has too few sizes
  Errors held_out;                    // each fifth of the sizes, by the pieces of the others
};

inline constexpr std::size_t fewest_sizes_of_curve = 4;

/// Throws a usage error naming the file where no curve has fewest_sizes_of_curve different sizes.
SizeFit fit_sizes(const Timings<SizeRow>& timings, std::uint64_t seed);

}  // namespace assay::model::fit
