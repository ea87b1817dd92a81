// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The noise of measurements: Student's t, fitted to what no slow element explains, so that neither a few
// outliers nor a few slow elements widen it.
#pragma once

#include <span>

namespace assay::model::fabric::locate {

struct Noise {
  double scale = 0;    // of the residuals
  double degrees = 0;  // of freedom, 2 to 30: few for heavy tails

  /// Up to a constant, log_peak(): -(degrees + 1)/2 ln(1 + (residual/scale)^2/degrees).
  double log_density(double residual) const;
  /// The constant: ln of the density of Student's t at 0.
  double log_peak() const;
};

/// Maximum likelihood with location 0, by expectation and maximisation (Lange, Little and Taylor 1989,
/// "Robust statistical modeling using the t distribution"), over a grid of degrees. The scale is at least
/// `least_scale`, which is above 0.
Noise fit_noise(std::span<const double> residuals, double least_scale);

}  // namespace assay::model::fabric::locate
