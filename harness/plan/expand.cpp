// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From what was asked to the points to run: globs matched, axes overridden, each point once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/core/error.hpp"
#include "harness/core/parse_limits.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/plan/plan.hpp"

namespace assay::plan {
namespace {

using core::Axis;
using core::Case;
using core::usage_error;

/// True when the glob can name a case of this module: its part before the first dot matches the module's
/// name.
bool speaks_of(const std::string& glob, const std::string& module) {
  return core::glob_matches(glob.substr(0, glob.find('.')), module);
}

std::vector<const Case*> matched_cases(const Sweep& sweep, const std::string& module,
                                       const std::vector<Case>& cases) {
  std::vector<const Case*> matched;
  for (const std::string& glob : sweep.cases) {
    if (!speaks_of(glob, module)) continue;
    const std::size_t before = matched.size();
    bool any = false;
    for (const Case& candidate : cases)
      if (core::glob_matches(glob, candidate.name)) {
        any = true;
        if (std::ranges::find(matched, &candidate) == matched.end()) matched.push_back(&candidate);
      }
    // A pattern over several modules or back ends may match nothing here; a name or a pattern in this module
    // may not.
    if (!any && before == matched.size() && glob.find('*') == std::string::npos) {
      std::vector<std::string> names;
      for (const Case& candidate : cases) names.push_back(candidate.name);
      usage_error(
          fmt::format("{}: no case is named '{}' (there are: {})", sweep.where, glob, fmt::join(names, " ")));
    }
  }
  return matched;
}

std::vector<core::Value> values_of(const Axis& axis, const std::vector<std::string>& words,
                                   const std::string& where) {
  std::vector<core::Value> values;
  try {
    for (const std::string& word : words)
      for (core::Value& value : core::parse_values(axis, word)) values.push_back(std::move(value));
  } catch (const core::Error& error) {
    usage_error(fmt::format("{}: {}", where, error.what()));
  }
  return values;
}

std::vector<Axis> overridden(const Case& benchmark, const Sweep& sweep) {
  std::vector<Axis> axes = benchmark.axes;
  const auto apply = [&](const auto& overrides, const std::string& where) {
    for (const auto& [name, words] : overrides) {
      const auto axis = std::ranges::find(axes, name, &Axis::name);
      if (axis != axes.end())
        axis->values = values_of(*axis, words, fmt::format("{}: {}", where, benchmark.name));
    }
  };
  apply(sweep.axes, sweep.where);
  apply(sweep.overrides, "--axis");
  return axes;
}

void refuse_axes_nobody_has(const Sweep& sweep, const std::vector<const Case*>& matched) {
  for (const auto& [name, words] : sweep.axes) {
    const auto has = [&axis = name](const Case* benchmark) {
      return std::ranges::find(benchmark->axes, axis, &Axis::name) != benchmark->axes.end();
    };
    if (std::ranges::any_of(matched, has)) continue;
    std::set<std::string> known;
    for (const Case* benchmark : matched)
      for (const Axis& axis : benchmark->axes) known.insert(axis.name);
    usage_error(fmt::format("{}: no case of this sweep has an axis '{}' (there are: {})", sweep.where, name,
                            fmt::join(known, " ")));
  }
}

void refuse_long_plan(double points, const Sweep& sweep) {
  if (points <= static_cast<double>(core::ParseLimits::points)) return;
  usage_error(fmt::format("{}: up to here the plan has {:.3g} points (expected at most {})", sweep.where,
                          points, core::ParseLimits::points));
}

/// The points of these axes; those that one stands for, once.
std::vector<core::Point> points_of(const Case& benchmark, const std::vector<Axis>& axes) {
  std::vector<core::Point> points = core::sweep(axes);
  if (benchmark.representative) std::ranges::transform(points, points.begin(), benchmark.representative);
  return points;
}

}  // namespace

std::string override_axis(Plan& plan, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    usage_error(fmt::format("--axis '{}': expected NAME=VALUES, e.g. bytes=64MiB", text));
  std::vector<std::string> words;
  for (std::size_t begin = equals + 1; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  const std::string axis = text.substr(0, equals);
  for (Sweep& sweep : plan.sweeps) sweep.overrides.emplace_back(axis, words);
  return axis;
}

std::vector<PlannedPoint> expand(const Plan& plan, const std::string& module, const std::vector<Case>& cases,
                                 const std::function<bool(const Case&)>& wanted) {
  std::vector<PlannedPoint> points;
  std::set<std::string> seen;
  double counted = 0;
  for (const Sweep& sweep : plan.sweeps) {
    std::vector<const Case*> matched = matched_cases(sweep, module, cases);
    if (matched.empty()) continue;
    refuse_axes_nobody_has(sweep, matched);
    std::erase_if(matched, [&](const Case* benchmark) { return !wanted(*benchmark); });
    std::vector<std::vector<Axis>> axes;
    for (const Case* benchmark : matched) {
      counted += core::points_in_sweep(axes.emplace_back(overridden(*benchmark, sweep))) * sweep.repetitions;
      refuse_long_plan(counted, sweep);
    }
    for (std::size_t i = 0; i < matched.size(); ++i)
      for (const core::Point& point : points_of(*matched[i], axes[i]))
        for (int repetition = 0; repetition < sweep.repetitions; ++repetition)
          if (seen.insert(fmt::format("{}/{}#{}", matched[i]->name, point.key(), repetition)).second)
            points.push_back({matched[i], point, sweep.measure, repetition});
  }
  return points;
}

}  // namespace assay::plan
