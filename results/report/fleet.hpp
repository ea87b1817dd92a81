// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The report of a fleet: every point's spread over the units, the worst units and hosts, suspects, what
// failed and what was not measured. Never a line for every unit: a page of 3,000 nodes opens as one of a few
// does.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/judge/series/fleet_store.hpp"
#include "results/report/report.hpp"

namespace assay::results {

struct FleetOccasion {
  std::string first, last;  // when the first and the last run began
  std::int64_t runs = 0;
};

/// The number and dates of the store's runs. Throws std::runtime_error with one line where it has none.
FleetOccasion occasion_of(const Store& store);

/// `fleets` as read_fleet() gives them: one at least.
std::string fleet_report_html(const FleetOccasion& occasion, const std::vector<MeasuredFleet>& fleets,
                              const ReportContent& content = {});

}  // namespace assay::results
