// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_mix.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "harness/core/describe/toml_fields.hpp"
#include "harness/core/text/glob.hpp"
#include "results/judge/limits/limits_file.hpp"

namespace assay::results {
namespace {

PopulationMix mix_from(const core::TomlFile& file) {
  const core::TomlSection root = file.root();
  PopulationMix mix{.name = {}, .file = file.source.file};
  core::read_fields(root, mix, {"weights"});
  const auto weights = root.table("weights");
  if (!weights || weights->keys().empty())
    root.missing("weights", "a table [weights] of \"CASE/POINT\" = WEIGHT");
  for (const std::string& glob : weights->keys()) mix.weights.emplace_back(glob, *weights->above_zero(glob));
  return mix;
}

}  // namespace

PopulationMix mix_in(const std::string& text, const std::string& file) {
  return mix_from(core::TomlFile(text, file));
}

PopulationMix read_mix(const std::string& file) {
  return mix_from(core::read_toml(file, "a workload mix (docs/reference/files.md)"));
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
