// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/left_out.hpp"

#include "harness/core/measure/benchmark.hpp"

namespace assay::machine {

long points_of(const LeftOut& left_out) {
  long points = 0;
  for (const auto& [absence, some] : left_out) points += some;
  return points;
}

std::string built_without(Hardware hardware) {
  return core::built_without(hardware == Hardware::gpu ? "CUDA" : "libibverbs");
}

std::string to_text(const LeftOut& left_out) {
  std::string text;
  for (const auto& [absence, points] : left_out)
    text += absence + ": " + std::to_string(points) + (points == 1 ? " point" : " points") + " left out\n";
  return text;
}

}  // namespace assay::machine
