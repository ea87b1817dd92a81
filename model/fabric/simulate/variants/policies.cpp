// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/variants/policies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fabric {

namespace {

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

double switch_capacity(const Topology& topology) {
  double sum = 0;
  for (LinkId link = 0; link < topology.links() / 2; ++link)
    if (topology.between_switches(link)) sum += 1e-3 * topology.capacity(link);
  return sum;
}

std::array<double, 4> costs_of(const Policy& one) {
  return {core::quantile_of(one.time_us, 0.5), core::quantile_of(one.time_us, 0.95),
          static_cast<double>(one.queue_pairs), one.switch_capacity_gb_per_s};
}

bool beats(const Policy& one, const Policy& other) {
  const auto mine = costs_of(one), theirs = costs_of(other);
  bool better = false;
  for (std::size_t at = 0; at < mine.size(); ++at) {
    if (mine[at] > theirs[at]) return false;
    better = better || mine[at] < theirs[at];
  }
  return better;
}

Policy simulate_policy(const PolicyQuestion& question, const std::vector<KeyValue>& values) {
  std::vector<KeyValue> replaced = question.replaced;
  replaced.insert(replaced.end(), values.begin(), values.end());
  const Scenario scenario(parse_fabric(question.fabric_toml, question.fabric_file, replaced),
                          question.workload);
  Simulation simulation = simulate_connected(scenario, question.simulation);
  if (question.see) question.see(scenario, simulation, replaced);
  return {.values = values,
          .time_us = std::move(simulation.time_us),
          .even_us = simulation.even_us,
          .rules = std::move(simulation.rules),
          .queue_pairs = scenario.model().file().routing.queue_pairs,
          .switch_capacity_gb_per_s = switch_capacity(scenario.model().topology())};
}

}  // namespace

VariedKey varied_key(const std::string& text) {
  const KeyValue pair = key_value(text, "--vary");
  VariedKey varied{.key = pair.key, .values = {}};
  std::size_t begin = 0;
  for (std::size_t comma = 0; comma != std::string::npos; begin = comma + 1) {
    comma = pair.value.find(',', begin);
    const std::string value = pair.value.substr(begin, comma - begin);
    if (value.empty()) core::usage_error(fmt::format("--vary '{}': expected KEY=VALUE,VALUE", text));
    varied.values.push_back(value);
  }
  return varied;
}

std::vector<std::vector<KeyValue>> combinations_of(std::span<const VariedKey> varied) {
  std::vector<std::vector<KeyValue>> all = {{}};
  for (const VariedKey& one : varied) {
    if (all.size() * one.values.size() > most_policies)
      core::usage_error(
          fmt::format("--vary: more than {} combinations; expected fewer values", most_policies));
    std::vector<std::vector<KeyValue>> next;
    for (const std::vector<KeyValue>& values : all)
      for (const std::string& value : one.values) {
        next.push_back(values);
        next.back().push_back({one.key, value, "--vary"});
      }
    all = std::move(next);
  }
  return all;
}

std::vector<Policy> compare_policies(const PolicyQuestion& question) {
  std::vector<Policy> policies;
  for (const std::vector<KeyValue>& values : combinations_of(question.varied))
    policies.push_back(simulate_policy(question, values));
  const std::vector<double> first = policies.front().time_us;
  for (Policy& one : policies) {
    one.gain = gains_of(first, one.time_us);
    one.equivalence = core::judge_equivalence(logarithms(first), logarithms(one.time_us), question.margin);
    one.pareto = std::ranges::none_of(policies, [&](const Policy& other) { return beats(other, one); });
  }
  return policies;
}

}  // namespace assay::model::fabric
