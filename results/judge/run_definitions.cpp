// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/run_definitions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace assay::results {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& in_a,
                         const std::string& in_b) {
  throw std::runtime_error(
      fmt::format("{} is not the same in both runs: {} '{}' and '{}'", where, what, in_a, in_b));
}

/// What must be the same for two points to mean the same, as text: name and value.
std::vector<std::pair<std::string, std::string>> definition_of(const StoredPoint& point,
                                                               const PointRecord& record) {
  std::vector<std::pair<std::string, std::string>> all{
      {"bytes of an iteration", fmt::format("{}", point.work_bytes)},
      {"FLOPs of an iteration", fmt::format("{}", point.work_flops)},
      {"how bytes are counted", record.bytes_counted},
      {"quantile of the time", record.time ? fmt::format("{}", record.time->quantile) : ""}};
  for (const char* name : {"ranks", "nodes", "groups"})
    all.emplace_back(name, field_text(record.conditions, {name}));
  return all;
}

using Values = std::map<std::string, std::set<std::string>>;  // of each axis

std::map<std::string, Values> sweeps_of(const std::vector<StoredPoint>& points) {
  std::map<std::string, Values> sweeps;
  for (const StoredPoint& point : points)
    for (const auto& [axis, value] : point.axes) sweeps[point.case_name][axis].insert(scalar_text(value));
  return sweeps;
}

std::string text_of(const Values& sweep, const std::string& axis) {
  const auto found = sweep.find(axis);
  return found == sweep.end() ? "no such axis" : fmt::format("{}", fmt::join(found->second, " "));
}

bool overlap(const Values& a, const Values& b, const std::string& axis) {
  const auto in_a = a.find(axis), in_b = b.find(axis);
  if (in_a == a.end() || in_b == b.end()) return false;
  return std::ranges::any_of(in_a->second,
                             [&](const std::string& value) { return in_b->second.contains(value); });
}

}  // namespace

void refuse_other_definition(const StoredPoint& a, const PointRecord& of_a, const StoredPoint& b,
                             const PointRecord& of_b) {
  const std::string where = a.case_name + " " + a.key;
  const auto in_a = definition_of(a, of_a), in_b = definition_of(b, of_b);
  for (std::size_t i = 0; i < in_a.size(); ++i)
    if (in_a[i].second != in_b[i].second) refuse(where, in_a[i].first, in_a[i].second, in_b[i].second);
  for (const Metric& metric : of_a.metrics) {
    const auto same = std::ranges::find(of_b.metrics, metric.name, &Metric::name);
    if (same != of_b.metrics.end() && same->unit != metric.unit)
      refuse(where, "unit of " + metric.name, metric.unit, same->unit);
  }
}

void refuse_other_sweeps(const std::vector<StoredPoint>& a, const std::vector<StoredPoint>& b) {
  const auto in_a = sweeps_of(a), in_b = sweeps_of(b);
  for (const auto& [name, sweep] : in_a) {
    const auto other = in_b.find(name);
    if (other == in_b.end()) continue;
    Values axes = sweep;
    axes.insert(other->second.begin(), other->second.end());
    for (const auto& [axis, ignored] : axes)
      if (!overlap(sweep, other->second, axis))
        refuse(name, axis, text_of(sweep, axis), text_of(other->second, axis));
  }
}

}  // namespace assay::results
