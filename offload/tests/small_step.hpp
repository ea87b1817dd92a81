// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of a step's traffic at a small size.
#pragma once

#include <string>

#include "harness/core/measure/axis.hpp"

namespace assay::offload {

/// Without the axes that say where.
inline core::Point small_step(const std::string& holds, std::int64_t tflops) {
  using core::Value;
  return {{"holds", Value(holds)},
          {"model", Value("llama3-8b")},
          {"shrink", Value(std::int64_t{16})},
          {"layers", Value(std::int64_t{3})},
          {"tokens", Value(std::int64_t{64})},
          {"ranks", Value(std::int64_t{8})},
          {"tflops", Value(tflops)}};
}

}  // namespace assay::offload
