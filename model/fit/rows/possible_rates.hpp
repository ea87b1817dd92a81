// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates that no hardware reaches: the one place for what is refused or doubted of rows that users bring, such
// as milliseconds for microseconds, and of systems that they describe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// Per second: FLOP or bytes. From `refused` on, 100 times an H100, a row is not used; from `doubted` on,
/// twice what the newest hardware does, there is a warning.
struct RateBound {
  double refused = 0, doubted = 0;
  std::string_view unit, limit;  // "TB/s", "100 times an H100's 3.35 TB/s"
};

/// The bound of one processor's dense products, by the fewest bytes that an element of this dtype has.
const RateBound& product_rate(std::string_view dtype);
/// Bounds of one processor's memory, of what one rank sends among others, and of one adapter's messages.
const RateBound& memory_rate();
const RateBound& exchange_rate();
const RateBound& message_rate();

/// Warnings of rows, one for each rate, naming the first such row and how many are like it. Throws a usage
/// Error naming row and column for a row that is refused.
std::vector<std::string> doubts_of(const Timings<GemmRow>& timings);
std::vector<std::string> doubts_of(const Timings<CollectiveRow>& timings);
std::vector<std::string> doubts_of(const Timings<SizeRow>& timings);
std::vector<std::string> doubts_of(const Timings<VerbsRow>& timings);

/// Bytes/s that a processor's links carry in one direction, by its generation, known by its dense 16-bit
/// FLOP/s.
struct LinkLimits {
  double of_domain = 0, of_adapter = 0;  // NVLink, network adapter
};
LinkLimits link_limits(double flop_per_s);

}  // namespace assay::model::fit
