// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Random applications, executions and systems, as files: every key varies. Most could run; some do not fit,
// and some break a rule.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <random>

namespace assay::model::reference {

struct Triple {
  nlohmann::json application, execution, system;
};

/// The triple of this seed and index, on whatever machine and in whatever order it is asked for.
Triple random_triple(std::uint64_t seed, std::uint64_t index);

/// Draws that are the same with every standard library.
class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t index);

  std::uint64_t below(std::uint64_t limit);
  double real(double least, double most);
  /// Over orders of magnitude, rounded to what a file would say.
  double spread(double least, double most);
  bool chance(double probability) { return real(0, 1) < probability; }

  template <typename T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace assay::model::reference
