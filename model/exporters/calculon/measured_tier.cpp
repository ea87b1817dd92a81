// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/measured_tier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "model/exporters/calculon/network_tier.hpp"
#include "model/exporters/network_rows.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::calculon {
namespace {

using Json = nlohmann::ordered_json;
using fit::CollectiveRow;
using Rows = std::vector<CollectiveRow>;

constexpr std::array operations{"all_reduce", "all_gather", "reduce_scatter"};

/// The first that was measured is the network's.
constexpr std::array dtypes{"bf16", "fp16", "fp32", "fp8_e4m3"};

Json empty_tier() {
  return {{"bandwidth", 1},
          {"efficiency", 1},
          {"size", 1},
          {"latency", 0},
          {"must_be_filled", false},
          {"processor_usage", 0},
          {"ops",
           {{"p2p", nullptr},
            {"reduce_scatter", nullptr},
            {"all_gather", nullptr},
            {"all_reduce", nullptr},
            {"all_to_all", nullptr}}}};
}

/// The fastest of each operation and size, in the first dtype there is, among the most ranks.
Rows fastest_of(const Rows& rows) {
  for (const char* dtype : dtypes) {
    std::int64_t most = 0;
    for (const CollectiveRow& row : rows)
      if (row.dtype == dtype && std::ranges::count(operations, row.operation) > 0)
        most = std::max(most, row.ranks);
    std::map<std::pair<std::string, double>, CollectiveRow> fastest;
    for (const CollectiveRow& row : rows) {
      if (row.dtype != dtype || row.ranks != most || std::ranges::count(operations, row.operation) == 0)
        continue;
      const auto [known, is_new] = fastest.try_emplace({row.operation, row.size_bytes}, row);
      if (!is_new && row.time_us < known->second.time_us) known->second = row;
    }
    Rows found;
    for (auto& [key, row] : fastest) found.push_back(std::move(row));
    if (!found.empty()) return found;
  }
  return {};
}

fit::CsvSource csv_of(const Rows& rows) {
  std::string text = "op,ranks,size_bytes,dtype,time_us\n";
  for (const CollectiveRow& row : rows)
    text +=
        fmt::format("{},{},{:.0f},{},{}\n", row.operation, row.ranks, row.size_bytes, row.dtype, row.time_us);
  return {"the fastest collectives", std::move(text)};
}

/// Bytes that a rank sends: of a message all of them.
double sent_bytes(const CollectiveRow& row) {
  return fit::is_message(row.operation) ? row.size_bytes : exporters::ring_bytes(row);
}

/// The scalar in time = latency + bytes x scalar / (bandwidth x efficiency): the median over sizes whose
/// fastest row takes twice the latency or more. Nothing is summed, so rows of all dtypes count.
template <class Counts>
std::optional<double> scalar_of(const Rows& all, const Json& tier, Counts counts) {
  const double latency_us = tier["latency"].get<double>() * 1e6;
  const double b_per_us = tier["bandwidth"].get<double>() * tier["efficiency"].get<double>() * 1e3;
  std::map<double, CollectiveRow> fastest;  // by size
  for (const CollectiveRow& row : all) {
    if (row.ranks != tier["size"].get<std::int64_t>() || !counts(row)) continue;
    const auto [known, is_new] = fastest.try_emplace(row.size_bytes, row);
    if (row.time_us < known->second.time_us) known->second = row;
  }
  std::vector<double> scalars;
  for (const auto& [size, row] : fastest)
    if (row.time_us >= 2 * latency_us)
      scalars.push_back((row.time_us - latency_us) * b_per_us / sent_bytes(row));
  if (scalars.empty()) return std::nullopt;
  return core::quantile_of(scalars, 0.5);
}

void add_moves(const Rows& all, Json& tier) {
  if (const auto scalar =
          scalar_of(all, tier, [](const auto& row) { return fit::is_message(row.operation); }))
    tier["ops"]["p2p"] = {*scalar, nullptr};
  if (const auto scalar = scalar_of(all, tier, [](const auto& row) { return row.operation == "all_to_all"; }))
    tier["ops"]["all_to_all"] = {*scalar, -1};
}

/// Network `number`, of rows of one tier.
Json measured_tier(const Rows& all, fit::Tier of, int number, std::vector<std::string>& lacking) {
  const std::string name = of == fit::Tier::unknown ? "networks" : fmt::format("networks[{}]", number);
  Json tier = empty_tier();
  const Rows rows = fastest_of(all);
  if (rows.empty()) {
    lacking.push_back(fmt::format("{}: no {} of a dtype of the model, so one processor", name,
                                  fit::with_tier("collective", of)));
    return tier;
  }
  constexpr double headroom = 2;  // the fit's efficiency may lie above the fastest row's
  tier["bandwidth"] =
      headroom * exporters::fastest_ring_b_per_us(rows) * 1e-3;  // of one rank in one direction
  tier["size"] = rows.front().ranks;
  nlohmann::json system = {{"networks", {tier}}};
  const fit::CsvSource csv = csv_of(rows);
  try {
    static_cast<void>(
        replace_network(system, "measured", {.rows = {.collectives = csv}, .headroom = headroom}));
  } catch (const core::Error& error) {
    lacking.push_back(fmt::format("{}: {}", name, error.what()));
    return empty_tier();
  }
  tier = Json(system["networks"][0]);
  add_moves(all, tier);
  for (const auto& [operation, scalar] : tier["ops"].items())
    if (scalar.is_null())
      lacking.push_back(fit::with_tier(
          fmt::format("networks[{}].ops.{}: not measured among {}", number, operation, rows.front().ranks),
          of));
  return tier;
}

/// The tier's rows, each number of ranks on the most nodes that it was measured on.
Rows rows_of(const Rows& all, fit::Tier tier) {
  Rows found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](const CollectiveRow& row) { return row.tier() == tier; });
  return fit::on_most_nodes(std::move(found));
}

Json named_tier(const Rows& rows, fit::Tier tier, int number, std::vector<std::string>& lacking) {
  Json network = measured_tier(rows, tier, number, lacking);
  network["tier"] = fit::tier_text(tier);
  return network;
}

}  // namespace

Json measured_networks(const fit::CsvSource* collectives, std::vector<std::string>& lacking) {
  const Rows all = collectives == nullptr ? Rows{} : fit::read_collective_timings(*collectives).rows;
  const Rows within = rows_of(all, fit::Tier::within), over = rows_of(all, fit::Tier::over);
  if (within.empty() && over.empty())
    return Json::array({measured_tier(all, fit::Tier::unknown, 0, lacking)});
  if (!rows_of(all, fit::Tier::unknown).empty())
    lacking.push_back("networks: collectives of an unknown number of nodes are not in the system");
  if (within.empty()) return Json::array({named_tier(over, fit::Tier::over, 0, lacking)});
  Json networks = Json::array({named_tier(within, fit::Tier::within, 0, lacking)});
  networks.push_back(named_tier(over, fit::Tier::over, 1, lacking));
  return networks;
}

}  // namespace assay::model::calculon
