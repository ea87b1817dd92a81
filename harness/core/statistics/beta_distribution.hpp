// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The beta distribution, as far as ranks of order statistics need it.
#pragma once

namespace assay::core {

/// Regularised incomplete beta function I_x(a, b), a and b > 0, x in [0, 1].
double incomplete_beta(double x, double a, double b);

/// The u in (0, 1) for which I_q((n+1)u, (n+1)(1-u)) equals `probability`: which fraction of the ranks of n
/// samples lies below the q-quantile with that probability.
double fractional_rank(double q, double n, double probability);

}  // namespace assay::core
