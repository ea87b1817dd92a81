// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/network_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/core/error.hpp"

namespace assay::model::exporters {
namespace {

using fit::CollectiveRow;
using Rows = std::vector<CollectiveRow>;

template <class Of>
void must_be_one(const Rows& rows, const std::string& source, const char* what, const char* flag, Of of) {
  std::set<std::string> words;
  for (const CollectiveRow& row : rows) words.insert(of(row));
  if (words.size() > 1)
    core::usage_error(
        fmt::format("{}: collectives of several {} ({}): {}", source, what, fmt::join(words, ", "), flag));
}

double factor_of(const CollectiveRow& row) { return row.operation == "all_reduce" ? 2 : 1; }

}  // namespace

double ring_steps(const CollectiveRow& row) { return factor_of(row) * static_cast<double>(row.ranks - 1); }

double ring_bytes(const CollectiveRow& row) {
  return ring_steps(row) / static_cast<double>(row.ranks) * row.size_bytes;
}

double fastest_ring_b_per_us(const Rows& rows) {
  double fastest = 0;
  for (const CollectiveRow& row : rows) fastest = std::max(fastest, ring_bytes(row) / row.time_us);
  return fastest;
}

bool is_asked_for(const ExportRequest& request, const CollectiveRow& row) {
  return row.size_bytes >= request.least_bytes && (request.ranks == 0 || row.ranks == request.ranks) &&
         (request.nodes == 0 || row.nodes == request.nodes) &&
         (request.dtype.empty() || row.dtype == request.dtype) &&
         (request.algorithm.empty() || row.algorithm == request.algorithm);
}

Rows network_rows(const ExportRequest& request, const std::string& tool,
                  std::initializer_list<const char*> operations) {
  if (!request.collectives)
    core::usage_error(
        fmt::format("{}: expected timings of collectives (--collectives, or a run with them)", tool));
  const std::string& source = request.collectives->name;
  Rows rows = fit::read_collective_timings(*request.collectives).rows;
  std::erase_if(rows, [&](const CollectiveRow& row) {
    const bool known = std::ranges::any_of(operations, [&](const char* one) { return row.operation == one; });
    return !known || !is_asked_for(request, row);
  });
  must_be_one(rows, source, "numbers of ranks", "choose one with --ranks",
              [](const CollectiveRow& row) { return std::to_string(row.ranks); });
  must_be_one(rows, source, "numbers of nodes", "choose one with --nodes",
              [](const CollectiveRow& row) { return std::to_string(row.nodes); });
  must_be_one(rows, source, "dtypes", "choose one with --dtype",
              [](const CollectiveRow& row) { return row.dtype; });
  must_be_one(rows, source, "algorithms", "choose one with --algorithm",
              [](const CollectiveRow& row) { return row.algorithm; });
  must_be_one(rows, source, "systems", "keep each in a separate file",
              [](const CollectiveRow& row) { return row.system; });
  if (rows.size() < fewest_network_rows)
    core::usage_error(fmt::format("{}: {} rows that {} has a formula for ({}); expected {} or more", source,
                                  rows.size(), tool, fmt::join(operations, ", "), fewest_network_rows));
  return rows;
}

FittedFormula fit_ring(const Rows& rows, const LinkUnits& units, std::uint64_t seed) {
  double least_us = INFINITY;
  for (const CollectiveRow& row : rows) least_us = std::min(least_us, row.time_us / ring_steps(row));
  const Formula<CollectiveRow> formula{
      .names = {units.latency_name, units.bandwidth_name},
      .start = {least_us / units.latencies_a_step / units.latency_us,
                fastest_ring_b_per_us(rows) / units.b_per_us},
      .time_us =
          [units](const CollectiveRow& row, std::span<const double> link) {
            return units.fixed_us + ring_steps(row) * units.latencies_a_step * link[0] * units.latency_us +
                   ring_bytes(row) / (link[1] * units.b_per_us);
          },
      .size = [](const CollectiveRow& row) { return row.size_bytes; }};
  return fit_formula(rows, formula, seed);
}

}  // namespace assay::model::exporters
