// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Configurations of Calculon's model and of assay's, always the same ones.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <random>

#include "model/predict/answer/prediction.hpp"
#include "model/predict/step/stats.hpp"

namespace assay::model {

/// Infinite at most where a block of a roofline may leave no time without memory.
bool is_number_or_unbounded(const Configuration& configuration, const Stat& stat);

/// Random configurations that misfit() has nothing against.
class RandomConfigurations {
 public:
  Configuration next();
  /// A configuration with all fixes and whatever only assay's model knows, at random.
  Configuration next_extended();

 private:
  std::int64_t pick(std::initializer_list<std::int64_t> from) {
    return from.begin()[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(engine_)];
  }
  bool coin() { return pick({0, 1}) == 1; }
  double real(double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(engine_);
  }
  Application application();
  Execution execution();
  System system();
  void extend(Configuration& configuration);

  std::mt19937_64 engine_{20261121};
};

}  // namespace assay::model
