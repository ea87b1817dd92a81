// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What sections of the report's page are put together from. Private to the report.
#pragma once

#include <string>

#include "results/table/table.hpp"

namespace assay::results {

std::string section(const std::string& id, const std::string& title, const std::string& content);

/// The place of a chart that results/report/main.ts draws; "" in a build without charts.
std::string figure(const std::string& name, const std::string& title, const std::string& caption);

/// The numbers of a chart as a table, shut where the chart is there.
std::string numbers(const std::string& what, const Table& table);

}  // namespace assay::results
