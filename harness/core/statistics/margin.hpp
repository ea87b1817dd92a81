// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one rule for a margin: how far apart two values may lie and still count as equal, as a share.
#pragma once

namespace assay::core {

// Below the first, no benchmark repeats itself; above the second, half the speed would count as no loss.
inline constexpr double smallest_margin = 0.0001, largest_margin = 0.5;

/// False for NaN, infinity and everything outside the two bounds.
constexpr bool is_margin(double share) { return share >= smallest_margin && share <= largest_margin; }

inline constexpr const char* margin_expectation = "expected a margin from 0.01% to 50%, as 3% or 0.03";

}  // namespace assay::core
