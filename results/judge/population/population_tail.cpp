// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_tail.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace assay::results {
namespace {

constexpr std::int64_t most_slow_named = 5;

}  // namespace

bool JudgedTail::is_within(double margin) const { return shift.upper < std::log1p(margin); }

JudgedTail judge_tail(const PopulationTail& tail, double margin) {
  const double bound = std::log1p(margin), q = tail.shift.quantile;
  JudgedTail judged{.level = tail.level,
                    .values_of_b = std::ssize(tail.b),
                    .shift = tail.shift,
                    .beyond = core::share_beyond(tail.a, tail.b, q, bound),
                    .probability = core::probability_quantile_not_above(tail.a, tail.b, q, bound)};
  const auto named = std::min(most_slow_named, judged.beyond->count);
  judged.slow.assign(tail.names_of_b.rbegin(), tail.names_of_b.rbegin() + named);
  return judged;
}

std::string tail_text(const JudgedTail& tail, double margin) {
  const core::QuantileShift& shift = tail.shift;
  std::string text = fmt::format("{:.0f} % quantile of {}s: {:.4g} times ({} to {:.4g})",
                                 100 * shift.quantile, tail.level, std::exp(shift.shift),
                                 shift.lower ? fmt::format("{:.4g}", std::exp(*shift.lower)) : "unknown",
                                 std::exp(shift.upper));
  if (!tail.beyond) return text;
  text += fmt::format("; slower than that of the baseline by more than {:g} %: {} of {} ({:.1f} to {:.1f} %)",
                      100 * margin, tail.beyond->count, tail.values_of_b, 100 * tail.beyond->lower,
                      100 * tail.beyond->upper);
  if (!tail.slow.empty())
    text +=
        fmt::format(": {}{}", fmt::join(tail.slow, ", "), tail.beyond->count > most_slow_named ? " ..." : "");
  return text;
}

}  // namespace assay::results
