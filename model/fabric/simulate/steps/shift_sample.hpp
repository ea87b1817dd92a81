// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Some shifts of an all-to-all that stand for all of them, drawn from each kind.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/fabric/phases.hpp"

namespace assay::model::fabric {

/// Shifts of one kind, as those that stay inside racks: how many there are, and those drawn, among the
/// sample's.
struct ShiftStratum {
  int all = 0;
  std::size_t first = 0, drawn = 0;
};

struct ShiftSample {
  std::vector<Shift> shifts;  // each stands for its share of its stratum
  std::vector<ShiftStratum> strata;
};

/// `size` shifts of ranks - 1, in all. Each kind has a share by its number, and least_of_stratum or all of
/// its shifts at least; within a kind they are drawn without replacement, always the same. `kind_of`: of a
/// distance, from 0.
ShiftSample sample_shifts(int ranks, int size, const std::function<int(int distance)>& kind_of);
inline constexpr int least_of_stratum = 8;

/// Half of the 95 % interval of the sum over all shifts, from the time of each that was drawn: Cochran 1977,
/// "Sampling techniques", 5.4, by the normal distribution.
double half_width_of_sum(std::span<const ShiftStratum> strata, std::span<const double> times);

}  // namespace assay::model::fabric
