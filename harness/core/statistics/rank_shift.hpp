// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far one sample is shifted against another, by ranks alone: exact whatever the shape of the noise, as
// long as both samples share it (Hodges and Lehmann 1963; Mann and Whitney 1947).
#pragma once

#include <optional>
#include <span>

namespace assay::core {

struct ShiftInterval {
  double lower = 0, upper = 0;
};

/// The interval of the shift of b against a: each bound is wrong with a probability of at most `alpha`. None
/// where the samples are too small for any bound: 3 and 3 values are the fewest at 5 %.
std::optional<ShiftInterval> rank_shift_interval(std::span<const double> a, std::span<const double> b,
                                                 double alpha);

/// The largest U with P(U' <= U) <= alpha, U' the Mann-Whitney statistic of two samples of these sizes from
/// one distribution; -1 where there is none. Exact up to 50 values a side, else by the normal approximation.
int rank_sum_critical(int size_of_a, int size_of_b, double alpha);

}  // namespace assay::core
