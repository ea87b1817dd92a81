// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A workload as weights of points, as the shares of a training step: a TOML file (docs/reference/files.md).
#pragma once

#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "harness/core/describe/field.hpp"

namespace assay::results {

struct PopulationMix {
  std::string name, file;
  std::vector<std::pair<std::string, double>> weights = {};  // glob over case/point, in order
};
/// Keys of the file, besides weights.
constexpr auto fields_of(core::Type<PopulationMix>) {
  return std::tuple(
      core::Field<"name", &PopulationMix::name>{core::identity.saying("the name of the workload")});
}

/// Throws a usage Error with one line naming file, line and key: what cannot be parsed, an unknown key, no
/// name, no weight, a weight that is not a positive number.
PopulationMix mix_in(const std::string& text, const std::string& file);
PopulationMix read_mix(const std::string& file);

/// The weight of each of these points, which add to 1: those that match a glob share its weight equally.
/// Throws std::runtime_error with one line for a glob that matches none, and a point that two match.
std::vector<double> shares_of(const PopulationMix& mix, std::span<const std::string> points);

}  // namespace assay::results
