// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/json/json_keys.hpp"
#include "model/predict/read/read.hpp"
#include "model/predict/read/read_extensions.hpp"

namespace assay::model {
namespace {

constexpr std::array<std::string_view, 2> processing_modes = {"no_overlap", "roofline"};
constexpr std::array<std::string_view, 7> network_keys = {
    "bandwidth", "efficiency", "size", "latency", "ops", "must_be_filled", "processor_usage"};
constexpr std::array<std::string_view, 4> operation_names = {"p2p", "reduce_scatter", "all_gather",
                                                             "all_reduce"};
constexpr double giga = 1e9;
constexpr double mega = 1e6;
constexpr double tera = 1e12;
constexpr double bytes_per_gib = 1024.0 * 1024 * 1024;

/// Rows [threshold, efficiency]; `unit` is amounts in one threshold, `peak` amounts a second.
Staircase read_staircase(const JsonKeys& keys, const char* key, double unit, double peak) {
  const JsonValue table = keys.at(key);
  if (!table.is_array() || table.empty()) keys.fail(key, "rows of [threshold, efficiency]", table);
  std::vector<Staircase::Step> steps;
  steps.reserve(table.size());
  for (const JsonValue row : table) {
    if (!row.is_array() || row.size() != 2 || !is_finite_number(row[0]) || !is_finite_number(row[1]))
      keys.fail(key, "rows of [threshold, efficiency]", row);
    const auto [threshold, efficiency] = std::pair(row[0].get<double>(), row[1].get<double>());
    if (threshold < 0) keys.fail(key, "thresholds of 0 or above", row);
    if (efficiency <= 0 || efficiency > 1) keys.fail(key, "efficiencies above 0 and up to 1", row);
    if (!steps.empty() && threshold * unit >= steps.back().threshold)
      keys.fail(key, "rows from the largest threshold down to 0", row);
    steps.push_back({.threshold = threshold * unit, .seconds_per_unit = 1 / (peak * efficiency)});
  }
  if (steps.back().threshold != 0) keys.fail(key, "a last row whose threshold is 0", table[table.size() - 1]);
  return Staircase(std::move(steps));
}

std::array<std::optional<Engine>, 4> read_engine(const JsonKeys& types) {
  std::array<std::optional<Engine>, 4> engines;
  for (std::size_t type = 0; type < engines.size(); ++type) {
    if (!types.has(datatype_names[type])) continue;
    const JsonKeys keys = types.object(datatype_names[type]);
    const double peak = keys.above_zero("tflops") * tera;
    engines[type] = Engine{peak, read_staircase(keys, "gflops_efficiency", giga, peak)};
  }
  return engines;
}

Memory read_memory(const JsonKeys& keys) {
  const double peak = keys.above_zero("GBps") * giga;
  return {.capacity_bytes = keys.number("GiB") * bytes_per_gib,
          .peak_b_per_s = peak,
          .by_bytes = read_staircase(keys, "MB_efficiency", mega, peak)};
}

constexpr Network::Operation not_measured{.scalar = std::numeric_limits<double>::quiet_NaN()};

Network::Operation read_operation(const JsonKeys& ops, const char* name, bool point_to_point, Model model) {
  const JsonValue pair = ops.at(name);
  if (model == Model::assay && pair.is_null()) return not_measured;
  const char* const expected = point_to_point ? "[scalar, null]" : "[scalar, offset]";
  if (!pair.is_array() || pair.size() != 2 || !is_finite_number(pair[0])) ops.fail(name, expected, pair);
  if (pair[0].get<double>() <= 0) ops.fail(name, "a scalar above 0", pair);
  if (point_to_point ? !pair[1].is_null() : !is_finite_number(pair[1])) ops.fail(name, expected, pair);
  return {.scalar = pair[0].get<double>(), .offset = point_to_point ? 0 : pair[1].get<double>()};
}

Network read_network(const JsonKeys& keys, Model model) {
  if (model == Model::calculon) keys.only(network_keys);
  const double efficiency = keys.above_zero("efficiency");
  if (efficiency > 1) keys.fail("efficiency", "a number above 0 and up to 1", keys.at("efficiency"));
  const double usage = keys.number("processor_usage");
  if (usage >= 1) keys.fail("processor_usage", "a number from 0 to below 1", keys.at("processor_usage"));
  const JsonKeys ops = keys.object("ops");
  if (model == Model::calculon) ops.only(operation_names);
  Network network{.bandwidth_b_per_s = keys.above_zero("bandwidth") * giga * efficiency,
                  .size = keys.count("size"),
                  .latency_s = keys.number("latency"),
                  .processor_usage = usage,
                  .must_be_filled = keys.flag("must_be_filled"),
                  .operations = {read_operation(ops, "p2p", true, model),
                                 read_operation(ops, "reduce_scatter", false, model),
                                 read_operation(ops, "all_gather", false, model),
                                 read_operation(ops, "all_reduce", false, model)}};
  if (model == Model::assay) read_extensions(keys, network_keys, network);
  return network;
}

}  // namespace

System read_system(const JsonValue& json, Model model) {
  const JsonKeys keys(json);
  System system;
  if (model == Model::assay) {
    only_known_keys(keys);
    system.fixes = Fixes::all();
  }
  system.matrix = read_engine(keys.object("matrix"));
  system.vector = read_engine(keys.object("vector"));
  system.mem1 = read_memory(keys.object("mem1"));
  system.mem2 = read_memory(keys.object("mem2"));
  system.roofline = keys.one_of("processing_mode", processing_modes) == 1;
  const JsonValue networks = keys.at("networks");
  if (!networks.is_array() || networks.empty())
    keys.fail("networks", "a list of at least one tier", networks);
  system.networks.reserve(networks.size());
  for (const JsonValue network : networks) {
    const Network& read = system.networks.emplace_back(read_network(JsonKeys(network), model));
    for (const Collective which : {Collective::p2p, Collective::reduce_scatter, Collective::all_gather,
                                   Collective::all_reduce, Collective::all_to_all})
      if (std::isnan(read.operation(which).scalar)) system.lacks_operations = true;
  }
  return system;
}

}  // namespace assay::model
