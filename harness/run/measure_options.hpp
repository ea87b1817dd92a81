// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a planned point is measured: what the plan asks, and what the case's own figures need beyond it.
#pragma once

#include "harness/core/measure/measure.hpp"
#include "harness/plan/plan.hpp"

namespace assay::run {

core::MeasureOptions measure_options(const plan::PlannedPoint& planned);

}  // namespace assay::run
