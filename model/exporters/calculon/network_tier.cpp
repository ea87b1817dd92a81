// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/network_tier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "model/exporters/network_rows.hpp"

namespace assay::model::calculon {
namespace {

using fit::CollectiveRow;
using Rows = std::vector<CollectiveRow>;

/// Those measured, all_reduce before the others.
std::vector<std::string> operations_of(const Rows& rows) {
  std::vector<std::string> operations;
  for (const char* operation : {"all_reduce", "all_gather", "reduce_scatter"})
    if (std::ranges::count(rows, operation, &CollectiveRow::operation) > 0)
      operations.emplace_back(operation);
  return operations;
}

/// Coefficients: latency_s, then an efficiency for each operation.
exporters::Formula<CollectiveRow> formula_of(const Rows& rows, const std::vector<std::string>& operations,
                                             double b_per_us) {
  exporters::Formula<CollectiveRow> formula;
  formula.names = {"latency_s"};
  formula.start = {1e-6 * std::ranges::min(rows, {}, &CollectiveRow::time_us).time_us};
  for (const std::string& operation : operations) {
    double fastest = 0;
    for (const CollectiveRow& row : rows)
      if (row.operation == operation) fastest = std::max(fastest, exporters::ring_bytes(row) / row.time_us);
    formula.names.push_back(operation + "_efficiency");
    formula.start.push_back(fastest / b_per_us);
  }
  formula.time_us = [operations, b_per_us](const CollectiveRow& row, std::span<const double> tier) {
    const auto place = std::ranges::find(operations, row.operation) - operations.begin();
    return tier[0] * 1e6 +
           exporters::ring_bytes(row) / (b_per_us * tier[static_cast<std::size_t>(place) + 1]);
  };
  formula.size = [](const CollectiveRow& row) { return row.size_bytes; };
  return formula;
}

nlohmann::json& tier_of(nlohmann::json& system, const std::string& base, std::size_t tier) {
  nlohmann::json& networks = system["networks"];
  if (tier >= networks.size())
    core::usage_error(fmt::format("{}: networks: {} tiers, none of number {}", base, networks.size(), tier));
  return networks[tier];
}

[[noreturn]] void refuse_above_bandwidth(const std::string& base, const NetworkRequest& request,
                                         const std::string& operation, double efficiency) {
  if (request.headroom > 0)
    core::usage_error(
        fmt::format("{}: the times do not determine a bandwidth: that of {} would be {:.3g} times what the "
                    "fastest reaches; measure larger sizes or more samples",
                    base, operation, efficiency * request.headroom));
  core::usage_error(fmt::format("{}: networks[{}].bandwidth: {} reaches {:.3g} of it; raise it", base,
                                request.tier, operation, efficiency));
}

}  // namespace

std::optional<FittedNetwork> replace_network(nlohmann::json& system, const std::string& base,
                                             const NetworkRequest& request) {
  if (!request.rows.collectives) return std::nullopt;
  nlohmann::json& tier = tier_of(system, base, request.tier);
  const Rows rows =
      exporters::network_rows(request.rows, "Calculon", {"all_reduce", "all_gather", "reduce_scatter"});
  if (rows.front().ranks > tier["size"].get<std::int64_t>())
    core::usage_error(fmt::format("{}: networks[{}].size: {} processors, collectives of {} were measured",
                                  base, request.tier, tier["size"].get<std::int64_t>(), rows.front().ranks));
  const double b_per_us = tier["bandwidth"].get<double>() * 1e3;
  FittedNetwork network{.operations = operations_of(rows), .fitted = {}};
  network.fitted = fit_formula(rows, formula_of(rows, network.operations, b_per_us), request.rows.seed);
  network.latency_s = network.fitted.value(0);
  const double efficiency = network.fitted.value(1);
  for (std::size_t i = 0; i < network.operations.size(); ++i) {
    const double own = network.fitted.value(i + 1);
    if (own > 1) refuse_above_bandwidth(base, request, network.operations[i], own);
    tier["ops"][network.operations[i]] = {(network.operations[i] == "all_reduce" ? 2 : 1) * efficiency / own,
                                          -1};
  }
  tier["latency"] = network.latency_s;
  tier["efficiency"] = efficiency;
  return network;
}

}  // namespace assay::model::calculon
