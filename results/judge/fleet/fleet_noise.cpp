// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_noise.hpp"

#include <algorithm>
#include <cmath>

#include "harness/core/statistics/statistics.hpp"

namespace assay::results {
namespace {

constexpr double tail_share = 0.05;
constexpr double tail_range = 3.2897;  // between these tails of a normal distribution of standard deviation 1
constexpr double least_scale = 1e-6;   // values may agree to the last digit
constexpr std::size_t enough_values = 400;  // for the shape of one metric's noise by itself
constexpr std::size_t most_values = 40000;  // that are sorted for it
constexpr double least_changing = 0.05;
constexpr double tamed_beyond = 4;  // robust standard deviations

/// The correlation between runs of one place, from what each place measured in all rounds.
struct Correlation {
  double sum = 0, sums = 0, squares = 0, places = 0, times = 0;

  void add(const std::vector<double>& runs) {
    double of_place = 0;
    for (const double value : runs) of_place += value, squares += value * value;
    sum += of_place, sums += of_place * of_place, ++places, times = static_cast<double>(runs.size());
  }
  double mean_square() const { return sum * sum / (places * places * times * times); }
  double variance() const { return squares / (places * times) - mean_square(); }
  /// 0 where it is no more than chance.
  double share() const {
    const double of_sums = sums / (places * times) - times * mean_square();
    const double found = variance() > 0 ? (of_sums / variance() - 1) / (times - 1) : 0;
    return found > std::sqrt(2 / (places * times * (times - 1))) ? found : 0;
  }
  double covariance() const { return share() * variance(); }
};

std::vector<double> thinned(const std::vector<double>& values) {
  if (values.size() <= most_values) return values;
  std::vector<double> some;
  const std::size_t every = values.size() / most_values + 1;
  for (std::size_t at = 0; at < values.size(); at += every) some.push_back(values[at]);
  return some;
}

/// A sample of one metric's own noise, before it is pooled.
class Sample {
 public:
  Sample(const FleetPart& part, std::size_t metric, const SeriesRow& row) : part_(part), metric_(metric) {
    find_core(row);
    take_full_rounds(row);
    noise_.scale = spread();
    for (double& value : values_) value /= noise_.scale;
  }

  const std::vector<double>& values() const { return values_; }
  /// The scores by this metric's own noise.
  NormalScores scores() const {
    return in_order_ ? NormalScores::of_sorted(values_) : NormalScores(thinned(values_));
  }

  MetricNoise finish(const NormalScores& scores) {
    noise_.scores = scores;
    find_what_lasts();
    return std::move(noise_);
  }

 private:
  void find_core(const SeriesRow& row) {
    noise_.places = row.standings().size();
    noise_.core = core_of_sorted(row.standings());
    for (std::size_t place = 0; place < row.size(); ++place) {
      const double at = row.standing(place);
      const bool off = !(std::abs(at - noise_.core.centre) <= far_off_deviations * noise_.core.deviation);
      // One run does not distinguish a lasting fault from noise: its tails stay, where there are enough to
      // know what is usual.
      shapes_.push_back(!off ||
                        (part_.rounds.size() < 2 && noise_.places >= enough_values && !std::isnan(at)));
    }
  }

  bool is_full(const Deviations& round) const {
    std::size_t measured = 0;
    for (std::size_t place = 0; place < round.places; ++place)
      measured += std::isnan(round.at(metric_, place)) ? 0 : 1;
    return 2 * measured >= round.places && measured > 0;
  }

  void take_full_rounds(const SeriesRow& row) {
    for (const Deviations& round : part_.rounds)
      if (is_full(round)) full_.push_back(&round);
    noise_.rounds = full_.size();
    const std::span<const double> sorted = row.standings();
    // Many values are thinned by their position, which sorting would change.
    in_order_ = part_.rounds.size() == 1 && full_.size() == 1 && sorted.size() >= enough_values &&
                sorted.size() + 2 * enough_values < most_values;
    if (in_order_) return values_.assign(sorted.begin(), sorted.end());
    for (const Deviations* round : full_)
      for (std::size_t place = 0; place < round->places; ++place)
        if (const double value = round->at(metric_, place); shapes_[place] && !std::isnan(value))
          values_.push_back(value);
    if (values_.empty()) values_.push_back(0);
  }

  double spread() const {
    const auto quantile = in_order_ ? quantile_of_sorted : core::quantile_of;
    return std::max(least_scale,
                    (quantile(values_, 1 - tail_share) - quantile(values_, tail_share)) / tail_range);
  }

  /// The correlation of one place's runs, by the variance of their sums: nought where the runs are
  /// independent, whatever the shape of the noise. By scores, which no tail moves, and by values, which see a
  /// spread of their own with heavy tails; the larger counts.
  void find_what_lasts() {
    if (full_.size() < 2) return;
    Correlation by_scores, by_values;
    std::vector<double> scores, values;
    for (std::size_t place = 0; place < shapes_.size(); ++place) {
      if (!shapes_[place]) continue;
      scores.clear(), values.clear();
      for (const Deviations* round : full_) {
        const double value = round->at(metric_, place) / noise_.scale;
        if (std::isnan(value)) break;
        scores.push_back(noise_.scores(value));
        values.push_back(std::clamp(value, -tamed_beyond, tamed_beyond));
      }
      if (scores.size() < full_.size()) continue;
      by_scores.add(scores);
      by_values.add(values);
    }
    if (by_scores.places < 2) return;
    const double share = std::clamp(by_scores.share(), 0.0, 1.0);
    noise_.lasting = noise_.scale * std::sqrt(std::max(share, by_values.covariance()));
    noise_.changing = std::max(least_changing, std::sqrt(1 - share));
    noise_.degrees = by_scores.places - 1;
    noise_.reach = lasting_reach(noise_.degrees);
  }

  const FleetPart& part_;
  std::size_t metric_;
  std::vector<bool> shapes_;  // places that shape the noise
  std::vector<const Deviations*> full_;
  std::vector<double> values_;
  bool in_order_ = false;  // the values, which are those of all places
  MetricNoise noise_;
};

}  // namespace

SeriesRow series_of(const FleetPart& part, std::size_t metric, const FleetLevel& level,
                    const FleetRounds& rounds) {
  const std::size_t widened = part.common ? 0 : metric;
  std::vector<RoundOfPlaces> measured;
  for (std::size_t round = 0; round < part.rounds.size(); ++round)
    measured.push_back({part.rounds[round].of(metric), [&rounds, &level, round, widened](std::size_t place) {
                          return rounds.widening(round, widened, level.members[place].front());
                        }});
  return SeriesRow(measured);
}

std::vector<MetricNoise> noise_of(const FleetPart& part, const std::vector<SeriesRow>& rows,
                                  const std::vector<double>& shapes) {
  std::vector<Sample> samples;
  std::vector<double> pooled;
  for (std::size_t metric = 0; metric < rows.size(); ++metric) {
    samples.emplace_back(part, metric, rows[metric]);
    if (samples.back().values().size() < enough_values)
      pooled.insert(pooled.end(), samples.back().values().begin(), samples.back().values().end());
  }
  if (pooled.size() < enough_values) pooled.insert(pooled.end(), shapes.begin(), shapes.end());
  const NormalScores of_all(pooled.empty() ? std::vector<double>{0} : thinned(pooled));
  std::vector<MetricNoise> noise;
  for (Sample& sample : samples)
    noise.push_back(sample.finish(sample.values().size() < enough_values ? of_all : sample.scores()));
  return noise;
}

std::vector<double> shape_of(const FleetPart& part, const std::vector<SeriesRow>& rows) {
  std::vector<double> values;
  for (std::size_t metric = 0; metric < rows.size() && values.size() < enough_values; ++metric) {
    const Sample sample(part, metric, rows[metric]);
    values.insert(values.end(), sample.values().begin(), sample.values().end());
  }
  return values;
}

}  // namespace assay::results
