// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/core/statistics/autocorrelation.hpp"
#include "harness/core/statistics/beta_distribution.hpp"
#include "harness/core/statistics/order_statistic.hpp"

namespace assay::core {
namespace {

/// Order statistics of one sample set by selection, O(n) each; what was found before narrows the search for
/// the next.
class Ranks {
 public:
  explicit Ranks(std::span<const double> samples) : values_(samples.begin(), samples.end()) {}

  /// At a fractional, 1-based rank; ranks beyond the ends give the ends.
  double at(double rank) {
    const double clamped = std::clamp(rank, 1.0, static_cast<double>(values_.size()));
    const auto below = static_cast<std::size_t>(clamped) - 1;
    const double fraction = clamped - std::floor(clamped);
    const double value = select(below);
    return fraction == 0.0 ? value : value + fraction * (after(below) - value);
  }

 private:
  double select(std::size_t index) {
    std::size_t from = 0;
    std::size_t to = values_.size();
    for (const std::size_t known : placed_) {
      if (known == index) return values_[index];
      if (known < index)
        from = std::max(from, known + 1);
      else
        to = std::min(to, known);
    }
    placed_.push_back(index);
    return at_rank(std::span(values_).subspan(from, to - from), index - from);
  }

  /// The next order statistic after a placed one: the least of what lies between it and the next placed one.
  double after(std::size_t index) const {
    std::size_t to = values_.size() - 1;
    for (const std::size_t known : placed_)
      if (known > index) to = std::min(to, known);
    const auto at = [this](std::size_t i) { return values_.begin() + static_cast<std::ptrdiff_t>(i); };
    return *std::min_element(at(index + 1), at(to) + 1);
  }

  std::vector<double> values_;
  std::vector<std::size_t> placed_;  // indices whose value is in its sorted place
};

}  // namespace

double QuantileInterval::relative_width() const {
  if (!(estimate > 0)) return std::numeric_limits<double>::infinity();
  return (upper - lower) / estimate;
}

double quantile_of(std::span<const double> samples, double q) {
  if (samples.empty()) return std::numeric_limits<double>::quiet_NaN();
  return Ranks(samples).at(1 + q * static_cast<double>(samples.size() - 1));
}

namespace {

/// The fractions of ranks that bound the q-quantile.
struct RankBounds {
  double q = -1, n = 0, confidence = 0, lower = 0, upper = 0;
};

/// Keeps the last bounds: most samples that are compared have the same size, and so the same bounds.
const RankBounds& rank_bounds(double q, double n, double confidence) {
  thread_local RankBounds last [[gnu::tls_model("initial-exec")]];
  if (last.q == q && last.n == n && last.confidence == confidence) return last;
  const double alpha = 1 - confidence;
  last = {q, n, confidence, fractional_rank(q, n, 1 - alpha / 2), fractional_rank(q, n, alpha / 2)};
  return last;
}

// Fractional order statistics (Stigler 1977; Hutson 1999): for n independent samples the order statistic of
// fractional rank (n+1)u lies below the q-quantile with probability I_q((n+1)u, (n+1)(1-u)), whatever the
// distribution. Dependent samples carry the information of n / tau independent ones, tau being the
// autocorrelation time of "sample <= quantile", the only thing a quantile estimate averages.
QuantileInterval interval_of(std::span<const double> samples, double q, double confidence, bool independent) {
  QuantileInterval interval{.quantile = q, .confidence = confidence};
  interval.n = static_cast<std::int64_t>(samples.size());
  if (samples.empty()) return interval;
  const auto n = static_cast<double>(samples.size());
  Ranks ranks(samples);
  interval.estimate = ranks.at(1 + q * (n - 1));
  interval.n_effective = independent ? n : n / autocorrelation_time(samples, interval.estimate);
  const RankBounds& bounds = rank_bounds(q, interval.n_effective, confidence);
  const double lower = bounds.lower * (n + 1), upper = bounds.upper * (n + 1);
  interval.bounded = lower >= 1 && upper <= n;
  interval.lower = ranks.at(lower);
  interval.upper = ranks.at(upper);
  return interval;
}

}  // namespace

QuantileInterval quantile_interval(std::span<const double> samples, double q, double confidence) {
  return interval_of(samples, q, confidence, false);
}

QuantileInterval independent_quantile_interval(std::span<const double> samples, double q, double confidence) {
  return interval_of(samples, q, confidence, true);
}

std::int64_t samples_needed(double q, double confidence) {
  // The epsilon keeps an exact integer ratio from being rounded up by the last bit.
  return static_cast<std::int64_t>(std::ceil(std::log1p(-confidence) / std::log(q) - 1e-9));
}

Summary summarize(std::span<const double> samples, double confidence) {
  Summary summary;
  summary.n = static_cast<std::int64_t>(samples.size());
  if (samples.empty()) return summary;
  const auto [low, high] = std::ranges::minmax_element(samples);
  summary.min = *low;
  summary.max = *high;
  const auto n = static_cast<double>(samples.size());
  summary.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
  double squares = 0;
  for (const double sample : samples) squares += (sample - summary.mean) * (sample - summary.mean);
  summary.cv = n > 1 && summary.mean != 0 ? std::sqrt(squares / (n - 1)) / summary.mean : 0;
  summary.median = quantile_of(samples, 0.5);
  const auto supported = [&](double q) -> std::optional<double> {
    if (summary.n < samples_needed(q, confidence)) return std::nullopt;
    return quantile_of(samples, q);
  };
  summary.p95 = supported(0.95);
  summary.p99 = supported(0.99);
  summary.p999 = supported(0.999);
  return summary;
}

}  // namespace assay::core
