// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From what the loop measured to what is written down.
#pragma once

#include <string>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/plan/plan.hpp"
#include "results/record/record.hpp"

namespace assay::run {

/// The identity of a planned point, before anything ran: module, case, axis values, derived values, declared
/// work.
results::PointRecord planned_record(const std::string& module, const plan::PlannedPoint& planned);

/// Adds what was measured: times, headline first among the metrics, verification, conditions, samples.
/// Status becomes `wrong` when verification says so.
void add_measurement(results::PointRecord& record, const core::Case& benchmark, const core::Work& work,
                     const core::Measurement& measurement);
/// After add_measurement: adds what the trial reports. A metric that the record has, as the headline, stays:
/// it has an interval.
void add_report(results::PointRecord& record, core::Report report);

/// The case's own rate with its interval: a rate's lower bound comes from the time's upper bound.
results::Metric headline_metric(const core::Case& benchmark, const core::Work& work,
                                const core::QuantileInterval& interval);

}  // namespace assay::run
