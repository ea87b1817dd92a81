// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The metrics that two populations share: of one name, and of one meaning.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "results/judge/population/population_sides.hpp"
#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

struct FoundMetric {
  std::pair<std::size_t, std::size_t> place;
  const std::string* definition = nullptr;
};
using FoundMetrics = std::map<std::pair<std::string, std::string>, FoundMetric>;

FoundMetrics metrics_in(const PopulationSide& side) {
  FoundMetrics found;
  const auto& definitions = side.fleets.front().definitions;
  for (std::size_t fleet = 0; fleet < side.fleets.size(); ++fleet) {
    const Fleet& first = side.fleets[fleet].first;
    for (std::size_t metric = 0; metric < first.metrics.size(); ++metric) {
      const auto definition = definitions.find(first.metrics[metric].name);
      found[{first.unit_level, first.metrics[metric].name}] = {
          {fleet, metric}, definition == definitions.end() ? nullptr : &definition->second};
    }
  }
  return found;
}

/// Whether several ranks measure a host's or GPU's metric, or more than its two ends a link's.
bool is_of_teams(const std::string& level, const std::string& definition) {
  std::istringstream parts(definition);
  std::string ranks;
  for (int part = 0; part < 5; ++part) std::getline(parts, ranks, '|');
  return std::strtoll(ranks.c_str(), nullptr, 10) > (level == "link" ? 2 : 1);
}

using AxisValues = std::map<std::string, std::set<std::string>>;

/// The axes of each case: "n=8,dtype=fp8" has two.
std::map<std::string, AxisValues> axes_in(const FoundMetrics& metrics) {
  std::map<std::string, AxisValues> cases;
  for (const auto& [name, found] : metrics) {
    const std::size_t slash = std::min(name.second.find('/'), name.second.size());
    AxisValues& axes = cases[name.second.substr(0, slash)];
    std::istringstream key(name.second.substr(std::min(slash + 1, name.second.size())));
    for (std::string axis; std::getline(key, axis, ',');)
      if (const std::size_t equals = axis.find('='); equals != std::string::npos)
        axes[axis.substr(0, equals)].insert(axis.substr(equals + 1));
  }
  return cases;
}

/// "dtype is bf16 there and fp8 here" where a case has no value of an axis in common.
std::string why_alone(const std::string& metric, const std::map<std::string, AxisValues>& of_a,
                      const std::map<std::string, AxisValues>& of_b) {
  const std::string name = metric.substr(0, metric.find('/'));
  const auto in_a = of_a.find(name), in_b = of_b.find(name);
  if (in_a == of_a.end() || in_b == of_b.end()) return "";
  for (const auto& [axis, values] : in_a->second) {
    const auto other = in_b->second.find(axis);
    if (other == in_b->second.end()) return fmt::format("; the candidate has no axis {}", axis);
    if (std::ranges::none_of(values, [&](const auto& value) { return other->second.contains(value); }))
      return fmt::format("; {} is {} in the baseline and {} in the candidate", axis, fmt::join(values, " "),
                         fmt::join(other->second, " "));
  }
  return "";
}

/// "" where both mean the same.
std::string other_meaning(const std::string& metric, const PopulationSides& sides, const FoundMetric& a,
                          const FoundMetric& b) {
  if (a.definition != nullptr && b.definition != nullptr)
    if (const auto differs = difference_of(*a.definition, *b.definition))
      return fmt::format("{} '{}' in the baseline and '{}' in the candidate", differs->part, differs->one,
                         differs->other);
  const auto& units = sides.b.fleets.front().headline_units;
  const std::string of_case = metric.substr(0, metric.find('/')) + ": ";
  for (const auto& [headline, unit] : sides.a.fleets.front().headline_units) {
    if (!headline.starts_with(of_case)) continue;
    const auto other = units.find(headline);
    if (other != units.end() && other->second != unit)
      return fmt::format("unit of {} '{}' in the baseline and '{}' in the candidate",
                         headline.substr(of_case.size()), unit, other->second);
  }
  return "";
}

}  // namespace

PopulationMetrics population_metrics(const PopulationSides& sides) {
  const FoundMetrics of_a = metrics_in(sides.a), of_b = metrics_in(sides.b);
  const auto axes_of_a = axes_in(of_a), axes_of_b = axes_in(of_b);
  PopulationMetrics metrics;
  for (const auto& [name, found] : of_a) {
    const auto other = of_b.find(name);
    if (other == of_b.end()) {
      metrics.unshared.push_back({name.first, name.second,
                                  "only the baseline has it" + why_alone(name.second, axes_of_a, axes_of_b)});
      continue;
    }
    if (std::string why = other_meaning(name.second, sides, found, other->second); !why.empty()) {
      metrics.any_of_other_settings = true;
      metrics.unshared.push_back({name.first, name.second, "it does not mean the same: " + why});
    } else {
      metrics.shared.push_back({name.first, name.second, found.place, other->second.place,
                                found.definition != nullptr && is_of_teams(name.first, *found.definition)});
    }
  }
  for (const auto& [name, found] : of_b)
    if (!of_a.contains(name))
      metrics.unshared.push_back(
          {name.first, name.second,
           "only the candidate has it" + why_alone(name.second, axes_of_a, axes_of_b)});
  return metrics;
}

}  // namespace assay::results
