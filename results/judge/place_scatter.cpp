// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/place_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/core/beta_distribution.hpp"
#include "harness/core/student_t.hpp"
#include "results/judge/robust_statistics.hpp"
#include "results/store/median.hpp"

namespace assay::results {
namespace {

/// A sound place's own noise counts this often though it is the usual one.
constexpr double shown_noisy = 0.01, shown_by_values = 0.001;
constexpr double least_variance = 1e-6;  // runs may agree to the last digit

/// The share of places of one noise beyond this quantile, and what it may exceed by the approximation, and by
/// chance in standard errors.
constexpr double noisy_share = 0.05, share_unexplained = 0.02, share_errors = 3;
constexpr double least_places = 16;
constexpr std::size_t steps_from = 3;  // runs from which a step differs from noise
/// Of squares of successive differences of independent values.
constexpr double correlation_of_squares = 0.25;

/// Wilson and Hilferty (1931), over the degrees of freedom.
double chi_squared_quantile(double probability, double degrees) {
  const double part = 2 / (9 * degrees);
  return std::pow(1 - part + normal_quantile(probability) * std::sqrt(part), 3);
}

/// P(F > x) of Fisher's distribution (Abramowitz and Stegun 26.6.2).
double fisher_tail(double x, double above, double below) {
  return core::incomplete_beta(below / (below + above * x), below / 2, above / 2);
}

/// Degrees of freedom of a variance of so many successive differences.
double degrees_of(double steps) { return 2 * steps * steps / (3 * steps - 1); }

/// The largest of so many squares of standard normal values, in the middle of its distribution.
double largest_square(double count) {
  constexpr double middle = 0.5615;  // exp(-Euler's constant), as of the mean of Gumbel's distribution
  return std::pow(normal_quantile((1 - std::pow(middle, 1 / count)) / 2), 2);
}

/// Squares of differences between one run and the next.
class Steps {
 public:
  void add(double value) {
    if (const double square = (value - before_) * (value - before_); count_++ > 0)
      sum_ += square, largest_ = std::max(largest_, square);
    before_ = value;
  }

  double variance() const {
    const auto steps = static_cast<double>(count_ - 1);
    const double all = sum_ / (2 * steps);
    if (count_ < steps_from) return all;
    return std::min(all, (sum_ - largest_) / (2 * (steps - largest_square(steps))));
  }
  double degrees() const { return degrees_of(static_cast<double>(count_ - 1)); }

 private:
  double before_ = 0, sum_ = 0, largest_ = 0;
  std::size_t count_ = 0;
};

/// Scores do not separate values that lie beyond those of most places; values do, where noise is not
/// heavy-tailed.
PlaceVariance variance_of(const PlaceSeries& series, const MetricNoise& noise) {
  if (series.values.size() < 2) return {};
  Steps scores, values;
  for (std::size_t run = 0; run < series.values.size(); ++run) {
    scores.add(noise.score(series.values[run], series.widened[run]));
    values.add(series.values[run] / (noise.scale * noise.changing * series.widened[run]));
  }
  double variance = std::max(least_variance, scores.variance());
  if (values.variance() > chi_squared_quantile(1 - shown_by_values, values.degrees()))
    variance = std::max(variance, values.variance());
  return {variance, scores.degrees()};
}

/// Degrees of freedom of what places have in common: fewer than infinitely many where more of them are noisy
/// than chance explains. Quiet ones show nothing.
std::optional<double> common_degrees(const PlaceVariances& all) {
  double count = 0, noisy = 0;
  std::vector<double> degrees;
  for (const PlaceVariance& one : all) {
    if (one.degrees <= 0) continue;
    ++count, degrees.push_back(one.degrees);
    if (one.value > chi_squared_quantile(1 - noisy_share, one.degrees)) ++noisy;
  }
  const double error = std::sqrt(noisy_share * (1 - noisy_share) / std::max(1.0, count));
  const double share = noisy / std::max(1.0, count);
  if (count < least_places || share <= noisy_share + share_unexplained + share_errors * error)
    return std::nullopt;
  const double usual = median_in_place(degrees), beyond = chi_squared_quantile(1 - noisy_share, usual);
  double low = 0.1, high = 1e4;  // the tail falls as the degrees rise
  for (int time = 0; time < 40; ++time) {
    const double middle = std::sqrt(low * high);
    (fisher_tail(beyond, usual, middle) > share ? low : high) = middle;
  }
  return high;
}

/// Estimates of the noise of places, each from 1 and with its degrees of freedom.
class Moderated {
 public:
  explicit Moderated(const PlaceVariances& all) : all_(all), common_(common_degrees(all)) {}

  /// Nothing where the usual noise stands.
  std::optional<PlaceVariance> of(std::size_t place) const {
    const PlaceVariance& one = all_[place];
    if (one.degrees <= 0) return std::nullopt;
    if (common_)
      return PlaceVariance{std::max(1.0, (*common_ + one.degrees * one.value) / (*common_ + one.degrees)),
                           *common_ + one.degrees};
    if (one.value <= chi_squared_quantile(1 - shown_noisy, one.degrees)) return std::nullopt;
    return one;
  }

 private:
  const PlaceVariances& all_;
  std::optional<double> common_;
};

}  // namespace

PlaceVariances variances_of(const SeriesRow& row, const MetricNoise& noise) {
  PlaceVariances all;
  for (std::size_t place = 0; place < row.size(); ++place) all.push_back(variance_of(row[place], noise));
  return all;
}

namespace {

/// Of one place, the mean over all metrics of the squares of each step; nothing where metrics have unlike
/// runs.
std::vector<double> joined_squares(std::span<const SeriesRow> rows, std::span<const MetricNoise> noise,
                                   std::size_t place) {
  std::vector<double> squares;
  for (std::size_t metric = 0; metric < rows.size(); ++metric) {
    const PlaceSeries series = rows[metric][place];
    if (metric == 0) squares.assign(std::max<std::size_t>(1, series.values.size()) - 1, 0);
    if (series.values.size() != squares.size() + 1) return {};
    for (std::size_t run = 1; run < series.values.size(); ++run) {
      const double step = noise[metric].score(series.values[run], series.widened[run]) -
                          noise[metric].score(series.values[run - 1], series.widened[run - 1]);
      squares[run - 1] += step * step;
    }
  }
  return squares;
}

/// Metrics that do the same count as one: by how unlike the steps of one place are, whatever its noise. The
/// square of (a - b) / (a + b) of two such sums has the mean 1 / (degrees + 1).
double degrees_of_step(std::span<const SeriesRow> rows, std::span<const MetricNoise> noise) {
  double sum = 0, count = 0;
  for (std::size_t place = 0; place < rows.front().size(); ++place) {
    const std::vector<double> squares = joined_squares(rows, noise, place);
    for (std::size_t step = 1; step < squares.size(); ++step)
      if (const double both = squares[step] + squares[step - 1]; both > 0)
        sum += std::pow((squares[step] - squares[step - 1]) / both, 2), ++count;
  }
  if (sum <= 0) return 1;
  return std::clamp((1 - correlation_of_squares) * count / sum - 1, 1.0, static_cast<double>(rows.size()));
}

}  // namespace

PlaceVariances joined_variances(const std::vector<PlaceVariances>& metrics, std::span<const SeriesRow> rows,
                                std::span<const MetricNoise> noise) {
  PlaceVariances all(metrics.empty() ? 0 : metrics.front().size());
  const double of_step = all.empty() ? 1 : degrees_of_step(rows, noise);
  for (std::size_t place = 0; place < all.size(); ++place) {
    double sum = 0, degrees = 0, most = 0;
    for (const PlaceVariances& metric : metrics) {
      sum += metric[place].degrees * metric[place].value;
      degrees += metric[place].degrees;
      most = std::max(most, metric[place].degrees);
    }
    if (degrees > 0) all[place] = {sum / degrees, of_step * most};
  }
  return all;
}

PlaceScatter::PlaceScatter(const PlaceVariances& metric, const PlaceVariances& all_metrics) {
  const Moderated by_metric(metric), by_all(all_metrics);
  for (std::size_t place = 0; place < metric.size(); ++place) {
    std::optional<PlaceVariance> noise = by_metric.of(place);
    if (const auto other = by_all.of(place); other && (!noise || other->value > noise->value)) noise = other;
    if (noise)
      own_.push_back({static_cast<std::uint32_t>(place), static_cast<float>(std::sqrt(noise->value)),
                      static_cast<float>(noise->degrees)});
  }
}

const PlaceScatter::Own* PlaceScatter::find(std::size_t place) const {
  const auto found = std::ranges::lower_bound(own_, place, {}, &Own::place);
  return found != own_.end() && found->place == place ? &*found : nullptr;
}

double PlaceScatter::joined(std::size_t place, double score) const {
  const Own* const own = find(place);
  if (own == nullptr) return score;
  const double beyond = -core::student_t_quantile(core::normal_probability(-std::abs(score)), own->degrees);
  return std::copysign(own->deviation * beyond, score);
}

double PlaceScatter::probability(std::size_t place, double of_score) const {
  const Own* const own = find(place);
  if (own == nullptr || of_score <= 0 || of_score >= 1) return of_score;
  return core::student_t_probability(normal_quantile(of_score) / own->deviation, own->degrees);
}

}  // namespace assay::results
