// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/place_scatter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/core/statistics/beta_distribution.hpp"
#include "harness/core/statistics/order_statistic.hpp"
#include "harness/core/statistics/student_t.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

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
/// The correlation of squares of successive differences, where values are independent.
constexpr double correlation_of_squares = 0.25;

/// Wilson and Hilferty (1931), over the degrees of freedom.
double chi_squared_quantile(double probability, double degrees) {
  const double part = 2 / (9 * degrees);
  return std::pow(1 - part + core::normal_quantile(probability) * std::sqrt(part), 3);
}

/// P(F > x) of Fisher's distribution (Abramowitz and Stegun 26.6.2).
double fisher_tail(double x, double above, double below) {
  return core::incomplete_beta(below / (below + above * x), below / 2, above / 2);
}

/// Degrees of freedom of a variance of so many successive differences.
double degrees_of(double steps) { return 2 * steps * steps / (3 * steps - 1); }

/// The largest of so many squares, each the mean of `each` of standard normal values, in the middle of its
/// distribution.
double largest_of(double count, double each) {
  constexpr double middle = 0.5615;  // exp(-Euler's constant), as of the mean of Gumbel's distribution
  const double below = std::pow(middle, 1 / count);
  return each <= 1 ? std::pow(core::normal_quantile((1 - below) / 2), 2) : chi_squared_quantile(below, each);
}

/// The variance by squares of differences between one run and the next, each a sum over `each` that are
/// independent.
double variance_of_steps(std::span<const double> squares, double each) {
  const auto steps = static_cast<double>(squares.size());
  double sum = 0, largest = 0;
  for (const double one : squares) sum += one, largest = std::max(largest, one);
  const double all = sum / (2 * steps);
  if (squares.size() + 1 < steps_from) return all;
  return std::min(all, (sum - largest) / (2 * (steps - largest_of(steps, each))));
}

/// Squares of the steps of one place in one metric, or their means over all metrics: by scores and by values,
/// over the fleet's noise.
struct Steps {
  std::vector<double> by_scores, by_values;

  void clear() { by_scores.clear(), by_values.clear(); }
  void add(const PlaceSeries& series, const MetricNoise& noise) {
    const auto score = [&](std::size_t run) { return noise.score(series.values[run], series.widened[run]); };
    const auto value = [&](std::size_t run) {
      return series.values[run] / (noise.scale * noise.changing * series.widened[run]);
    };
    for (std::size_t run = 1; run < series.values.size(); ++run) {
      by_scores.push_back(std::pow(score(run) - score(run - 1), 2));
      by_values.push_back(std::pow(value(run) - value(run - 1), 2));
    }
  }
  std::size_t count() const { return by_scores.size(); }

  /// Scores do not separate values that lie beyond those of most places; values do, where noise is not
  /// heavy-tailed. `each`: independent metrics behind each square.
  PlaceVariance variance(double each) const {
    if (by_scores.empty()) return {};
    const double degrees = each * degrees_of(static_cast<double>(count()));
    double variance = std::max(least_variance, variance_of_steps(by_scores, each));
    if (const double values = variance_of_steps(by_values, each);
        values > chi_squared_quantile(1 - shown_by_values, degrees))
      variance = std::max(variance, values);
    return {variance, degrees};
  }
};

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
  const double usual = core::median_in_place(degrees), beyond = chi_squared_quantile(1 - noisy_share, usual);
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
    if (place >= all_.size() || all_[place].degrees <= 0) return std::nullopt;
    const PlaceVariance& one = all_[place];
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

/// Variances of all places, in each metric and in all together.
class Variances {
 public:
  Variances(std::span<const SeriesRow> rows, std::span<const MetricNoise> noise)
      : rows_(rows), noise_(noise), of_metric_(rows.size()), joined_(rows.front().size()) {
    for (std::size_t place = 0; place < joined_.size(); ++place) take(place);
    const double of_step = degrees_of_step();
    for (std::size_t place = 0; place < joined_.size(); ++place)
      if (mean_steps_[place].count() > 0)
        joined_[place] = mean_steps_[place].variance(of_step);
      else
        joined_[place].degrees *= of_step;
  }

  const PlaceVariances& of(std::size_t metric) const { return of_metric_[metric]; }
  const PlaceVariances& joined() const { return joined_; }

 private:
  void take(std::size_t place) {
    Steps mean;
    bool comparable = true;  // as many runs in every metric
    double sum = 0, weight = 0, most = 0;
    for (std::size_t metric = 0; metric < rows_.size(); ++metric) {
      steps_.clear();
      steps_.add(rows_[metric][place], noise_[metric]);
      const PlaceVariance one = steps_.variance(1);
      of_metric_[metric].push_back(one);
      sum += one.degrees * one.value, weight += one.degrees, most = std::max(most, one.degrees);
      if (metric == 0) mean = steps_;
      comparable = comparable && steps_.count() == mean.count();
      if (metric > 0 && comparable) add_to(mean);
    }
    if (weight > 0) joined_[place] = {sum / weight, most};
    if (comparable) compare(mean);
    const auto metrics = static_cast<double>(rows_.size());
    for (double& one : mean.by_scores) one /= metrics;
    for (double& one : mean.by_values) one /= metrics;
    mean_steps_.push_back(comparable ? std::move(mean) : Steps());
  }

  void add_to(Steps& sums) const {
    for (std::size_t step = 0; step < sums.count(); ++step) {
      sums.by_scores[step] += steps_.by_scores[step];
      sums.by_values[step] += steps_.by_values[step];
    }
  }

  /// How unlike the steps of one place are over all metrics, whatever its noise.
  void compare(const Steps& sums) {
    const std::vector<double>& squares = sums.by_scores;
    for (std::size_t step = 1; step < squares.size(); ++step)
      if (const double both = squares[step] + squares[step - 1]; both > 0)
        unlike_ += std::pow((squares[step] - squares[step - 1]) / both, 2), ++compared_;
  }

  /// Metrics that do the same count as one: the square of (a - b) / (a + b) of two sums of squares has the
  /// mean 1 / (degrees + 1).
  double degrees_of_step() const {
    if (unlike_ <= 0) return 1;
    const double degrees = (1 - correlation_of_squares) * compared_ / unlike_ - 1;
    return std::clamp(degrees, 1.0, static_cast<double>(rows_.size()));
  }

  std::span<const SeriesRow> rows_;
  std::span<const MetricNoise> noise_;
  std::vector<PlaceVariances> of_metric_;
  PlaceVariances joined_;
  std::vector<Steps> mean_steps_;  // of each place over all metrics; none where its runs differ by metric
  Steps steps_;
  double unlike_ = 0, compared_ = 0;
};

}  // namespace

PlaceScatters place_scatters(std::span<const SeriesRow> rows, std::span<const MetricNoise> noise,
                             const PlaceVariances& elsewhere) {
  PlaceScatters scatters{.of_metric = std::vector<PlaceScatter>(rows.size()), .joined = {}};
  if (rows.empty() || std::ranges::all_of(rows, [](const SeriesRow& row) { return row.rounds() < 2; }))
    return scatters;
  const Variances variances(rows, noise);
  const Moderated by_all(variances.joined()), by_others(elsewhere);
  for (std::size_t metric = 0; metric < rows.size(); ++metric) {
    const Moderated by_metric(variances.of(metric));
    for (std::size_t place = 0; place < rows[metric].size(); ++place) {
      std::optional<PlaceVariance> own = by_metric.of(place);
      for (const auto& other : {by_all.of(place), by_others.of(place)})
        if (other && (!own || other->value > own->value)) own = other;
      if (own) scatters.of_metric[metric].add(place, std::sqrt(own->value), own->degrees);
    }
  }
  scatters.joined = variances.joined();
  return scatters;
}

void PlaceScatter::add(std::size_t place, double deviation, double degrees) {
  own_.push_back(
      {static_cast<std::uint32_t>(place), static_cast<float>(deviation), static_cast<float>(degrees)});
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
  return core::student_t_probability(core::normal_quantile(of_score) / own->deviation, own->degrees);
}

}  // namespace assay::results
