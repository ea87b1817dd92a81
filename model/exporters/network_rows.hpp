// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The collectives that a tool has a formula for, and what a ring does for each (Thakur, Rabenseifner, Gropp
// 2005).
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "model/exporters/exported.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::exporters {

/// Messages one after the other: 2 (p - 1) of an all_reduce, p - 1 of all_gather, reduce_scatter and
/// all_to_all.
double ring_steps(const fit::CollectiveRow& row);
/// Bytes that each rank sends: size x 2 (p - 1) / p, or x (p - 1) / p. The size is nccl-tests': the whole
/// buffer.
double ring_bytes(const fit::CollectiveRow& row);

/// The most ring_bytes() a microsecond of any row; 0 without rows.
double fastest_ring_b_per_us(const std::vector<fit::CollectiveRow>& rows);

/// Whether the row has the ranks, nodes, dtype and algorithm of the request, where it names them, and is
/// large enough.
bool is_asked_for(const ExportRequest& request, const fit::CollectiveRow& row);

/// The rows of these operations, of one system, algorithm, dtype, number of ranks and of nodes; at least
/// fewest_network_rows.
std::vector<fit::CollectiveRow> network_rows(const ExportRequest& request, const std::string& tool,
                                             std::initializer_list<const char*> operations);

inline constexpr std::size_t fewest_network_rows = 4;

/// time = fixed_us + steps x latency + bytes / bandwidth, in the tool's units.
struct LinkUnits {
  double fixed_us = 0;
  double latencies_a_step = 1;  // that the tool counts
  double latency_us = 1;        // of one unit of the tool's latency
  double b_per_us = 1e3;        // of one unit of the tool's bandwidth
  const char *latency_name = "latency_us", *bandwidth_name = "gb_per_s";
};

/// Coefficients: latency, bandwidth.
FittedFormula fit_ring(const std::vector<fit::CollectiveRow>& rows, const LinkUnits& units,
                       std::uint64_t seed);

inline constexpr double gib_per_s = 1073741824 * 1e-6;  // in bytes a microsecond

}  // namespace assay::model::exporters
