// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace assay::model::fabric::locate {

namespace {

constexpr double grid_ratio = 1.5;
constexpr double negligible = 1e-6;  // a probability

}  // namespace

Evidence::Evidence(const Incidence& incidence, std::vector<double> losses, std::vector<double> scales,
                   Noise noise)
    : incidence_(&incidence), losses_(std::move(losses)), scales_(std::move(scales)), noise_(noise) {
  for (double loss = noise_.scale / 2; loss < greatest_loss; loss *= grid_ratio) grid_.push_back(loss);
  if (grid_.empty()) grid_.push_back(greatest_loss);  // the noise is larger than any loss
  set_slow({});
}

void Evidence::set_slow(std::span<const Slow> slow) {
  falls_.assign(losses_.size(), {{1, 0}});
  for (const Slow& one : slow)
    for (const std::uint32_t row : incidence_->rows_of(one.of_class)) {
      std::vector<Fall>& falls = falls_[incidence_->rows()[row].measurement];
      std::vector<Fall> next;
      for (const Fall& before : falls) {
        double rest = before.probability;
        for (const Outcome& outcome : incidence_->response(row)) {
          const double both = before.probability * outcome.probability;
          rest -= both;
          if (both > negligible) next.push_back({both, std::max(before.fall, outcome.fall(one.loss))});
        }
        if (rest > negligible) next.push_back({rest, before.fall});
      }
      falls = std::move(next);
    }
  measure_fit();
}

void Evidence::set_losses(std::span<const double> losses) {
  losses_.assign(losses.begin(), losses.end());
  measure_fit();
}

void Evidence::measure_fit() {
  fit_.resize(losses_.size());
  for (std::uint32_t at = 0; at < losses_.size(); ++at) fit_[at] = log_density(at, falls_[at].front().fall);
}

double Evidence::gain_of_row(std::uint32_t row, double loss) const {
  const std::uint32_t measurement = incidence_->rows()[row].measurement;
  const Response& response = incidence_->response(row);
  const std::vector<Fall>& falls = falls_[measurement];
  if (falls.size() > 1 || response.size() > 1 || response.front().probability < 1)
    return mixed_gain(measurement, response, loss);
  const double before = falls.front().fall, after = response.front().fall(loss);
  return after <= before ? 0 : log_density(measurement, after) - fit_[measurement];
}

double Evidence::mixed_gain(std::uint32_t measurement, const Response& response, double loss) const {
  double with = 0, without = 0;
  for (const Fall& before : falls_[measurement]) {
    const double density = std::exp(log_density(measurement, before.fall));
    double rest = 1, slowed = 0;
    for (const Outcome& outcome : response) {
      rest -= outcome.probability;
      const double fall = std::max(before.fall, outcome.fall(loss));
      slowed += outcome.probability * std::exp(log_density(measurement, fall));
    }
    without += before.probability * density;
    with += before.probability * (std::max(0.0, rest) * density + slowed);
  }
  return std::log(with / without);
}

double Evidence::gain(std::size_t of_class, double loss) const {
  double sum = 0;
  for (const std::uint32_t row : incidence_->rows_of(of_class)) sum += gain_of_row(row, loss);
  return sum;
}

std::vector<Gain> Evidence::sweep() {
  const std::size_t width = grid_.size();
  row_gains_.resize(incidence_->rows().size() * width);
  for (std::uint32_t row = 0; row < incidence_->rows().size(); ++row)
    for (std::size_t at = 0; at < width; ++at)
      row_gains_[row * width + at] = static_cast<float>(gain_of_row(row, grid_[at]));
  std::vector<Gain> best(incidence_->classes());
  std::vector<float> sums(width);
  for (std::size_t one = 0; one < best.size(); ++one) {
    std::ranges::fill(sums, 0.0F);
    for (const std::uint32_t row : incidence_->rows_of(one)) {
      const float* const gains = row_gains_.data() + row * width;
      for (std::size_t at = 0; at < width; ++at) sums[at] += gains[at];
    }
    const auto most = std::ranges::max_element(sums);
    best[one] = {*most, grid_[static_cast<std::size_t>(most - sums.begin())]};
  }
  return best;
}

/// Golden-section search.
Gain Evidence::refined(std::size_t of_class, Gain near) const {
  constexpr double golden = 0.6180339887498949;
  double low = near.loss / grid_ratio, high = near.loss * grid_ratio;
  double left = high - golden * (high - low), right = low + golden * (high - low);
  double at_left = gain(of_class, left), at_right = gain(of_class, right);
  while (high - low > 1e-3 * near.loss) {
    if (at_left > at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = gain(of_class, left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = gain(of_class, right);
    }
  }
  const double middle = (low + high) / 2;
  return {gain(of_class, middle), middle};
}

const Evidence::Fall& Evidence::likeliest(std::uint32_t measurement) const {
  const std::vector<Fall>& falls = falls_[measurement];
  if (falls.size() == 1) return falls.front();
  return *std::ranges::max_element(falls, {}, [&](const Fall& one) {
    return std::log(one.probability) + log_density(measurement, one.fall);
  });
}

std::vector<double> Evidence::falls() const {
  std::vector<double> falls;
  for (std::uint32_t at = 0; at < losses_.size(); ++at) falls.push_back(likeliest(at).fall);
  return falls;
}

double Evidence::log_likelihood() const {
  double sum = 0;
  for (std::uint32_t at = 0; at < losses_.size(); ++at) {
    double density = 0;
    for (const Fall& one : falls_[at]) density += one.probability * std::exp(log_density(at, one.fall));
    constexpr double least = 1e-300;
    sum += std::log(std::max(density, least)) + noise_.log_peak() - std::log(scales_[at]);
  }
  return sum;
}

std::vector<double> Evidence::residuals() const {
  std::vector<double> residuals = falls();
  for (std::size_t at = 0; at < residuals.size(); ++at)
    residuals[at] = (losses_[at] - residuals[at]) / scales_[at];
  return residuals;
}

}  // namespace assay::model::fabric::locate
