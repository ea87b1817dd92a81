// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_mix.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/core/text/toml_text.hpp"
#include "results/judge/limits/limits_file.hpp"

namespace assay::results {
namespace {

[[noreturn]] void complain_of_mix(const std::string& file, const toml::node& at, const std::string& what) {
  core::usage_error(fmt::format("{}:{}: {}", file, at.source().begin.line, what));
}

void read_weights(const toml::node& node, PopulationMix& mix) {
  const toml::table* table = node.as_table();
  if (table == nullptr || table->empty())
    complain_of_mix(mix.file, node, "weights: expected a table [weights] of \"CASE/POINT\" = WEIGHT");
  for (const auto& [glob, value] : *table) {
    const bool is_number = value.is_integer() || value.is_floating_point();
    const double weight = value.value<double>().value_or(NAN);
    if (!is_number || !std::isfinite(weight) || weight <= 0)
      complain_of_mix(mix.file, value, fmt::format("weights.\"{}\": expected a number above 0", glob.str()));
    mix.weights.emplace_back(glob.str(), weight);
  }
}

constexpr std::array<std::string_view, 2> known_keys{"name", "weights"};

PopulationMix mix_from(const toml::table& table, const std::string& file) {
  PopulationMix mix{.name = {}, .file = file};
  for (const auto& [key, node] : table) {
    if (key == "name")
      mix.name = node.value_exact<std::string>().value_or("");
    else if (key == "weights")
      read_weights(node, mix);
    else
      complain_of_mix(file, node, fmt::format("{}: {}", key.str(), core::unknown_key(key.str(), known_keys)));
  }
  if (mix.name.empty()) complain_of_mix(file, table, "name: expected the name of the workload");
  if (mix.weights.empty())
    complain_of_mix(file, table, "weights: expected a table [weights] of \"CASE/POINT\" = WEIGHT");
  return mix;
}

}  // namespace

PopulationMix mix_in(const std::string& text, const std::string& file) {
  return mix_from(core::parse_toml(text, file), file);
}

PopulationMix read_mix(const std::string& file) {
  return mix_from(core::read_toml(file, "a workload mix (docs/reference/files.md)"), file);
}

std::vector<double> shares_of(const PopulationMix& mix, std::span<const std::string> points) {
  std::vector<const std::string*> matched(points.size(), nullptr);
  std::vector<double> shares(points.size(), 0.0);
  double all = 0;
  for (const auto& [glob, weight] : mix.weights) all += weight;
  for (const auto& [glob, weight] : mix.weights) {
    std::vector<std::size_t> of_glob;
    for (std::size_t at = 0; at < points.size(); ++at) {
      if (!core::glob_matches(glob, points[at])) continue;
      if (matched[at] != nullptr)
        throw std::runtime_error(
            fmt::format("{}: both '{}' and '{}' match {}: expected one weight for a point", mix.file,
                        *matched[at], glob, points[at]));
      matched[at] = &glob;
      of_glob.push_back(at);
    }
    if (of_glob.empty())
      throw std::runtime_error(fmt::format(
          "{}: '{}' matches no point that was measured (expected a glob over case/point)", mix.file, glob));
    for (const std::size_t at : of_glob) shares[at] = weight / all / static_cast<double>(of_glob.size());
  }
  return shares;
}

}  // namespace assay::results
