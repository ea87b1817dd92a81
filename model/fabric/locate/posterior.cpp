// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/posterior.hpp"

#include <algorithm>
#include <cmath>

#include "model/fabric/locate/search.hpp"

namespace assay::model::fabric::locate {

namespace {

constexpr std::size_t most_alternatives = 64;
constexpr double least_probability = 1e-3;
constexpr double interval_gain = 1.92;  // half the 95 % quantile of chi squared with 1 degree of freedom

/// ln of the width of the likelihood in ln(loss).
double log_width(const Evidence& evidence, const Candidate& one) {
  constexpr double step = 0.01;
  const double above = evidence.gain(one.of_class, one.gain.loss * std::exp(step));
  const double below = evidence.gain(one.of_class, one.gain.loss * std::exp(-step));
  const double curvature = (2 * one.gain.gain - above - below) / (step * step);
  constexpr double flattest = 1;  // a flat likelihood counts as a factor of e wide
  return -std::log(std::max(curvature, flattest)) / 2;
}

/// The loss on one side where the gain has fallen by interval_gain; `side`: a factor of the loss.
double bound(const Evidence& evidence, const Candidate& one, double side) {
  double inside = one.gain.loss, outside = inside * side;
  const double wanted = one.gain.gain - interval_gain;
  while (evidence.gain(one.of_class, outside) > wanted) {
    if (outside > greatest_loss || outside < 1e-4) return outside;
    inside = outside;
    outside *= side;
  }
  for (int round = 0; round < 12; ++round) {
    const double middle = (inside + outside) / 2;
    (evidence.gain(one.of_class, middle) > wanted ? inside : outside) = middle;
  }
  return outside;
}

std::vector<Alternative> alternatives(const Evidence& evidence, std::span<const Candidate> candidates) {
  std::vector<Alternative> all;
  double sum = 0;
  const double best = candidates.front().gain.gain;
  for (const Candidate& one : candidates) {
    const auto members = static_cast<double>(evidence.incidence().members(one.of_class).size());
    const double weight = std::exp(one.gain.gain - best + log_width(evidence, one)) * members;
    all.push_back({one.of_class, weight, std::exp(-one.gain.loss)});
    sum += weight;
  }
  for (Alternative& one : all) one.probability /= sum;
  return all;
}

}  // namespace

Suspect suspect_of(Evidence& evidence, const Slow& slow, double least_loss) {
  std::vector<Candidate> candidates = best_candidates(evidence, least_loss, most_alternatives);
  const auto named = std::ranges::find(candidates, slow.of_class, &Candidate::of_class);
  if (named == candidates.end())
    candidates.insert(candidates.begin(), {slow.of_class, evidence.refined(slow.of_class, {0, slow.loss})});
  else
    std::rotate(candidates.begin(), named, named + 1);
  const Candidate first = candidates.front();
  std::vector<Alternative> all = alternatives(evidence, candidates);
  Suspect suspect;
  suspect.named = all.front();
  suspect.gain = first.gain.gain;
  suspect.factor_low = std::exp(-bound(evidence, first, 1.2));
  suspect.factor_high = std::exp(-bound(evidence, first, 1 / 1.2));
  all.erase(all.begin());
  std::erase_if(all, [](const Alternative& one) { return one.probability < least_probability; });
  std::ranges::stable_sort(all, std::greater(), &Alternative::probability);
  suspect.others = std::move(all);
  return suspect;
}

}  // namespace assay::model::fabric::locate
