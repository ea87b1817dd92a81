// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/exporters/calculon/stated_intervals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/predict/read/read.hpp"

namespace assay::model::calculon {
namespace {

class Intervals {
 public:
  explicit Intervals(nlohmann::json& system) : system_(system) {
    if (!system_.contains(intervals_key)) system_[intervals_key] = nlohmann::json::object();
  }

  /// Removes the intervals of keys with this beginning.
  void forget(const std::string& beginning) {
    nlohmann::json kept = nlohmann::json::object();
    for (const auto& [key, interval] : system_[intervals_key].items())
      if (!key.starts_with(beginning)) kept[key] = interval;
    system_[intervals_key] = std::move(kept);
  }
  /// Rounding must not leave the value outside.
  void state(const std::string& key, double value, const Bounds& bounds) {
    system_[intervals_key][key] = {std::min(bounds.lower, value), std::max(bounds.upper, value)};
  }

 private:
  nlohmann::json& system_;
};

void state_steps(Intervals& intervals, const std::string& table, const EfficiencySteps& steps) {
  intervals.forget(table);
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].bounds)
      intervals.state(fmt::format("{}[{}][1]", table, i), steps[i].efficiency, *steps[i].bounds);
}

/// A value that was not measured stands for a table that was, which is relative to it.
void state_factor(Intervals& intervals, const std::string& key, double value,
                  const std::optional<Bounds>& factor) {
  intervals.forget(key);
  if (factor) intervals.state(key, value, {value * factor->lower, value * factor->upper});
}

}  // namespace

void state_intervals(nlohmann::json& system, const std::string& datatype, const GemmStaircases& staircases) {
  Intervals intervals(system);
  const std::string engine = "matrix." + datatype;
  state_steps(intervals, engine + ".gflops_efficiency", staircases.by_flop);
  state_steps(intervals, "mem1.MB_efficiency", staircases.by_bytes);
  state_factor(intervals, engine + ".tflops", system["matrix"][datatype]["tflops"].get<double>(),
               staircases.flop_factor);
  state_factor(intervals, "mem1.GBps", system["mem1"]["GBps"].get<double>(), staircases.bytes_factor);
}

void state_intervals(nlohmann::json& system, std::size_t tier, const FittedNetwork& network) {
  Intervals intervals(system);
  const std::string key = fmt::format("networks[{}].", tier);
  for (const char* replaced : {"latency", "bandwidth", "efficiency", "ops."})
    intervals.forget(key + replaced);
  const nlohmann::json& tier_json = system["networks"][tier];
  const auto& fitted = network.fitted.coefficients;
  const double bandwidth = tier_json["bandwidth"].get<double>(), efficiency = fitted[1].value;
  if (fitted[0].supported)
    intervals.state(key + "latency", fitted[0].value, {fitted[0].lower, fitted[0].upper});
  if (fitted[1].supported)
    intervals.state(key + "bandwidth", bandwidth,
                    {bandwidth * fitted[1].lower / efficiency, bandwidth * fitted[1].upper / efficiency});
  for (std::size_t i = 1; i < network.operations.size(); ++i) {
    const fit::Coefficient& own = fitted[i + 1];
    const double scalar = tier_json["ops"][network.operations[i]][0].get<double>();
    if (own.supported)
      intervals.state(fmt::format("{}ops.{}[0]", key, network.operations[i]), scalar,
                      {scalar * own.value / own.upper, scalar * own.value / own.lower});
  }
}

}  // namespace assay::model::calculon
