// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether the values of equals are those of two groups, of which neither is the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace assay::results {

struct Division {
  std::size_t slower = 0, of = 0;
};

/// Whether values are those of two groups: with a gap between them that is wider than the margin and than
/// either group spreads, each more than a tenth of all. Of two such groups neither is the rest. No NaN among
/// the values; `margin`: a shift above 0.
std::optional<Division> division_of(std::vector<double> values, double margin);
/// As division_of(), for values that are in order.
std::optional<Division> division_of_sorted(std::span<const double> values, double margin);

}  // namespace assay::results
