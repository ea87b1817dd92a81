// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file (docs/reference/files.md) of measurements alone: peaks are the fastest that was measured,
// tables are of what was measured below them. What was not measured has no value that a step could use, and a
// line that says so.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/rows/csv_table.hpp"

namespace assay::model::calculon {

struct Capacities {
  std::optional<double> host_bytes = {}, gpu_bytes = {};
};

/// Sources in the form that assay fit reads; null: not measured.
struct MeasuredSources {
  const fit::CsvSource* gemm = nullptr;
  const fit::CsvSource* memory = nullptr;
  const fit::CsvSource* vector = nullptr;
  const fit::CsvSource* links = nullptr;
  const fit::CsvSource* collectives = nullptr;
  const fit::CsvSource* slowdowns = nullptr;
  Capacities capacities = {};
};

struct MeasuredSystem {
  nlohmann::ordered_json system;  // null without GEMM or memory
  std::vector<std::string> not_measured;
};

/// A system of GPUs where GEMM ran on them, else of hosts. Engines: for each dtype, the layout with the most
/// shapes. Networks: the collectives within a node, and those over nodes, each of the most ranks and the
/// fastest of its size, whatever the algorithm; the sizes are those ranks. Throws a usage error for a CSV
/// that cannot be read.
MeasuredSystem measured_system(const MeasuredSources& sources);

}  // namespace assay::model::calculon
