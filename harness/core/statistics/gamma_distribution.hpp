// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The gamma distribution of scale 1, as far as intervals of rates need it.
#pragma once

namespace assay::core {

/// Regularised lower incomplete gamma function P(shape, x), shape > 0 and x >= 0: by its series below shape +
/// 1, by its continued fraction above (Press et al. 2007, "Numerical recipes", 6.2).
double incomplete_gamma(double shape, double x);

/// The x with P(shape, x) = probability, in [0, 1).
double gamma_quantile(double shape, double probability);

}  // namespace assay::core
