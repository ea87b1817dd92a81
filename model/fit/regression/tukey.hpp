// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Tukey's biweight of relative errors: late rows count for little or nothing.
#pragma once

#include <span>
#include <vector>

#include "model/fit/regression/segments.hpp"

namespace assay::model::fit {

std::vector<double> relative_errors(std::span<const TimedSize> points, std::span<const Segment> segments);

/// The standard deviation of errors without outliers, from their median magnitude; fitting `spent`
/// coefficients made them smaller. At least what timers repeat.
double scale_of(const std::vector<double>& errors, double spent);
/// Scale by errors below 0 where that is less: timings are late, not early.
double early_scale_of(const std::vector<double>& errors, double spent);

std::vector<double> tukey_weights(const std::vector<double>& errors, double scale);

/// About half the square of small errors twice over, and at most a constant of each late one.
double tukey_loss(const std::vector<double>& errors, double scale);

/// The error variance that an estimate with these weights has, in units of scale squared (Huber 1981, 7.6).
double tukey_variance(const std::vector<double>& errors, double scale);

}  // namespace assay::model::fit
