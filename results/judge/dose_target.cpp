// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The dose that was asked for, as words or as a TOML file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/toml_text.hpp"
#include "results/judge/dose.hpp"

namespace assay::results {
namespace {

DoseKind kind_from(std::string_view name, const std::string& where) {
  for (const DoseKind kind : dose_kinds)
    if (to_string(kind) == name) return kind;
  std::vector<std::string_view> names;
  for (const DoseKind kind : dose_kinds) names.push_back(to_string(kind));
  core::usage_error(
      fmt::format("{}: no dose is named '{}' (there are: {})", where, name, fmt::join(names, " ")));
}

DoseTargets targets_from(const toml::table& table, const std::string& where) {
  DoseTargets targets;
  for (const auto& [key, node] : table) {
    const DoseKind kind = kind_from(key.str(), where);
    const std::optional<double> target = node.value<double>();
    const bool rate = is_rate(kind);
    if (!node.is_number() || !target || !(*target > 0) || !std::isfinite(*target) || (rate && *target >= 1))
      core::usage_error(fmt::format("{}: {}: expected a number above 0{}", where, key.str(),
                                    rate ? " and below 1, such as 1e-15" : ", such as 100"));
    targets[kind] = *target;
  }
  if (targets.empty()) core::usage_error(fmt::format("{}: asks for no dose", where));
  return targets;
}

}  // namespace

DoseTargets read_dose_targets(const std::string& text_or_file) {
  const bool words = text_or_file.find('=') != std::string::npos;
  const std::string where = words ? fmt::format("--dose '{}'", text_or_file) : text_or_file;
  if (!words && !std::ifstream(text_or_file))
    core::usage_error(fmt::format(
        "--dose {}: no such file, and no dose (expected such as bit_error_rate=1e-15)", text_or_file));
  if (!words) return targets_from(core::read_toml(text_or_file, "doses"), where);
  std::string lines = text_or_file;
  std::ranges::replace(lines, ',', '\n');
  return targets_from(core::parse_toml(lines, where), where);
}

std::string to_text(const DoseTargets& targets) {
  std::vector<std::string> words;
  for (const auto& [kind, target] : targets) words.push_back(fmt::format("{}={}", to_string(kind), target));
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace assay::results
