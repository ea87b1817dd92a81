// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/studentised_shift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/core/statistics/student_t.hpp"

namespace assay::core {
namespace {

constexpr double resolution = 1e-9;  // of a shift; as a logarithm, a thousandth of a millionth

struct Placements {
  double mean = 0, variance = 0;  // variance: of the mean
};

/// The share of `among` below each of `values` + `moved`; both sorted, and equals count half.
Placements placements(const std::vector<double>& values, const std::vector<double>& among, double moved) {
  const auto n = static_cast<double>(values.size()), m = static_cast<double>(among.size());
  double sum = 0, squares = 0;
  std::size_t below = 0, up_to = 0;
  for (const double value : values) {
    while (below < among.size() && among[below] < value + moved) ++below;
    while (up_to < among.size() && among[up_to] <= value + moved) ++up_to;
    const double share = static_cast<double>(below + up_to) / (2 * m) - 0.5;  // about 1/2, for precision
    sum += share;
    squares += share * share;
  }
  const double mean = sum / n;
  return {mean, std::max(0.0, squares - sum * mean) / (n - 1) / n};
}

/// The middle of each of `count` equal parts of sorted values; all of them where there are no more.
std::vector<double> quantiles(const std::vector<double>& values, std::size_t count) {
  if (values.size() <= count) return values;
  std::vector<double> chosen(count);
  for (std::size_t part = 0; part < count; ++part)
    chosen[part] = values[(2 * part + 1) * values.size() / (2 * count)];
  return chosen;
}

class SortedSamples {
 public:
  SortedSamples(std::span<const double> a, std::span<const double> b)
      : a_(a.begin(), a.end()), b_(b.begin(), b.end()) {
    std::ranges::sort(a_);
    std::ranges::sort(b_);
  }
  /// As they count in an interval.
  SortedSamples counted() const {
    SortedSamples samples = *this;
    samples.a_ = quantiles(a_, counted_shift_values(a_.size(), b_.size()));
    samples.b_ = quantiles(b_, counted_shift_values(b_.size(), a_.size()));
    return samples;
  }
  bool enough() const {
    return std::ssize(a_) >= fewest_shift_values && std::ssize(b_) >= fewest_shift_values;
  }
  double degrees() const { return static_cast<double>(std::min(a_.size(), b_.size()) - 1); }

  /// P(a < b - shift) less 1/2, over its standard error.
  double statistic(double shift) const {
    const Placements of_b = placements(b_, a_, -shift), of_a = placements(a_, b_, shift);
    const double error = std::sqrt(of_a.variance + of_b.variance);
    if (error > 0) return of_b.mean / error;
    constexpr double apart = std::numeric_limits<double>::infinity();
    return of_b.mean == 0 ? 0 : of_b.mean > 0 ? apart : -apart;
  }
  /// The shift at which the statistic, which falls as the shift grows, passes `value`.
  double shift_at(double value) const {
    double low = b_.front() - a_.back() - resolution, high = b_.back() - a_.front() + resolution;
    while (high - low > resolution) {
      const double middle = (low + high) / 2;
      (statistic(middle) > value ? low : high) = middle;
    }
    return (low + high) / 2;
  }

 private:
  std::vector<double> a_, b_;
};

}  // namespace

std::size_t counted_shift_values(std::size_t own, std::size_t others) {
  return std::min(own, most_shift_times * others);
}

std::optional<StudentisedShift> studentised_shift(std::span<const double> a, std::span<const double> b,
                                                  double alpha) {
  const SortedSamples all(a, b), samples = all.counted();
  if (!samples.enough()) return std::nullopt;
  StudentisedShift shift{.degrees = samples.degrees()};
  const double t = student_t_quantile(1 - alpha, shift.degrees);
  shift.shift = all.shift_at(0);
  shift.lower = std::min(shift.shift, samples.shift_at(t));
  shift.upper = std::max(shift.shift, samples.shift_at(-t));
  shift.error = (shift.upper - shift.lower) / (2 * t);
  return shift;
}

double probability_not_above(std::span<const double> a, std::span<const double> b, double bound) {
  const SortedSamples samples = SortedSamples(a, b).counted();
  if (!samples.enough()) return 1;
  return 1 - student_t_probability(samples.statistic(bound), samples.degrees());
}

}  // namespace assay::core
