// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/plan/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/plan/built_in.hpp"

namespace assay::plan {
namespace {

constexpr std::size_t longest_plan = 16U << 20U;

using core::usage_error;

void read_measure(const core::TomlSection& section, core::MeasureOptions& options) {
  core::read_fields(section, options);
  if (options.max_samples < options.min_samples)
    usage_error(fmt::format("{}: max_samples {} is below min_samples {}", section.place(),
                            options.max_samples, options.min_samples));
}

Sweep read_sweep(const core::TomlSection& section, const core::MeasureOptions& defaults) {
  section.allow({"cases", "repetitions", "measure", "axes"});
  if (!section.has("cases")) section.missing("cases", "globs over names of cases");
  Sweep sweep{.cases = *section.scalars("cases"), .measure = defaults, .where = section.place()};
  constexpr core::Terms repetitions{.lowest = 1, .highest = core::MeasureLimits::repetitions};
  sweep.repetitions = static_cast<int>(section.whole("repetitions", repetitions).value_or(1));
  if (const auto measure = section.table("measure")) read_measure(*measure, sweep.measure);
  if (const auto axes = section.table("axes"))
    for (const std::string& axis : axes->keys()) sweep.axes.emplace_back(axis, *axes->scalars(axis));
  return sweep;
}

}  // namespace

Plan parse_plan(const std::string& toml, const std::string& file) {
  const core::TomlFile plan_file(toml, file);
  const core::TomlSection root = plan_file.root();
  root.allow({"name", "about", "measure", "sweep"});
  Plan plan{
      .name = root.word("name").value_or(file), .about = root.word("about").value_or(""), .source = toml};
  core::MeasureOptions defaults;
  if (const auto measure = root.table("measure")) read_measure(*measure, defaults);
  for (const core::TomlSection& section : root.tables("sweep"))
    plan.sweeps.push_back(read_sweep(section, defaults));
  if (plan.sweeps.empty())
    usage_error(fmt::format("{}: the plan has no [[sweep]]: there is nothing to run", file));
  return plan;
}

Plan read_plan(const std::string& path_or_name) {
  for (const BuiltIn& plan : built_in)
    if (plan.name == path_or_name)
      return parse_plan(std::string(plan.toml), std::string(plan.name) + ".toml");
  if (!core::is_there(path_or_name))
    usage_error(fmt::format(
        "plan '{}': no such file, and no built-in plan of that name (expected a file or one of: {})",
        path_or_name, fmt::join(built_in_plans(), " ")));
  return parse_plan(core::read_input(path_or_name, "a plan in TOML", longest_plan), path_or_name);
}

std::vector<std::string> built_in_plans() {
  std::vector<std::string> names;
  for (const BuiltIn& plan : built_in) names.emplace_back(plan.name);
  return names;
}

}  // namespace assay::plan
