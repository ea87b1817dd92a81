// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// AdamW (Loshchilov and Hutter 2019) with a linear warm-up of the learning rate; all parameters decay.
#pragma once

#include <cstdint>
#include <span>

#include "collectives/training/aligned_floats.hpp"

namespace assay::collectives {

class AdamW {
 public:
  /// The learning rate is 3e-3, beyond a `width` of 512 less in proportion.
  AdamW(std::int64_t parameters, std::int64_t width);

  /// Forgets all steps.
  void restart();
  /// A step by `gradients` times `scale`.
  void update(std::span<float> weights, std::span<const float> gradients, float scale);

 private:
  AlignedFloats mean_, square_;
  double rate_;
  std::int64_t steps_ = 0;
};

}  // namespace assay::collectives
