// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The least uplinks, buffer, window or queue pairs with which a step takes no longer than stated.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace assay::model::fabric {

struct SizeTried {
  double value = 0;
  double step_us = 0;
};

struct SizeAnswer {
  std::optional<double> least;   // none: no value is enough
  std::vector<SizeTried> tried;  // in the order in which they were
  double fastest_us = 0;         // of those tried
};

/// The time of a step with the value: the median over hash seeds.
using StepOf = std::function<double(double value)>;

/// Tries the values in their order, which rises, until a step takes at most `at_most_us`. All before it are
/// tried too: shares of links may make a step slower when a link is added, so that halving the range could
/// miss the least. Throws a usage Error for no values, values that do not rise, and a time that is not above
/// 0.
SizeAnswer least_that_reaches(std::span<const double> values, double at_most_us, const StepOf& step_us);

enum class Finer {
  none,
  each,    // every whole number
  halving  // where a step never gets slower as the value rises
};

/// Looks between the least of `answer` and the value tried before it, whole numbers both; what is tried is
/// added.
void refine(SizeAnswer& answer, Finer finer, double at_most_us, const StepOf& step_us);

/// 1, 2, 4 ... up to the last power of two that is not above `most` (at least 1).
std::vector<double> powers_of_two(double most);

}  // namespace assay::model::fabric
