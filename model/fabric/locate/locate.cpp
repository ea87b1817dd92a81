// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/locate/locate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "model/fabric/locate/level.hpp"
#include "model/fabric/locate/posterior.hpp"
#include "model/fabric/locate/search.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric::locate {

namespace {

/// Standard errors over their median, where all have one; else 1.
std::vector<double> scales_of(std::span<const Measurement> measurements) {
  std::vector<double> scales;
  for (const Measurement& one : measurements)
    if (one.relative_error > 0) scales.push_back(one.relative_error);
  if (scales.size() < measurements.size()) return std::vector<double>(measurements.size(), 1);
  const double middle = core::upper_median(scales);
  for (double& scale : scales) scale /= middle;
  return scales;
}

/// Losses over the level, and the noise, of what `falls` leave unexplained.
Evidence evidence_over(const Incidence& incidence, std::span<const Measurement> measurements,
                       std::vector<double> losses, std::span<const double> falls,
                       const LocateSettings& settings) {
  std::vector<double> unexplained(losses);
  for (std::size_t at = 0; at < losses.size(); ++at) unexplained[at] -= falls[at];
  const std::vector<double> level = levels(incidence, measurements, unexplained);
  std::vector<double> scales = scales_of(measurements);
  for (std::size_t at = 0; at < losses.size(); ++at) {
    unexplained[at] = (unexplained[at] - level[at]) / scales[at];
    losses[at] -= level[at];
  }
  return {incidence, std::move(losses), std::move(scales), fit_noise(unexplained, settings.least_noise)};
}

std::vector<double> losses_of(const Incidence& incidence, std::span<const Measurement> measurements) {
  std::vector<double> losses;
  for (std::size_t at = 0; at < measurements.size(); ++at)
    losses.push_back(std::log(incidence.expected()[at] / measurements[at].rate));
  return losses;
}

void describe(Evidence& evidence, std::span<const Slow> slow, const Chance& chance, double least_loss,
              Location& location) {
  for (std::size_t at = 0; at < slow.size(); ++at) {
    evidence.set_slow(without(slow, at));
    location.suspects.push_back(suspect_of(evidence, slow[at], least_loss));
    constexpr double least_credible = 1e-12;  // further out, the fitted tail says nothing
    location.suspects.back().chance =
        std::max(least_credible, chance.probability(location.suspects.back().gain));
  }
  std::ranges::stable_sort(location.suspects, std::greater(), &Suspect::gain);
}

void explain(Evidence& evidence, Location& location) {
  location.explained.assign(evidence.scales().size(), {});
  const std::vector<Slow> slow = location.slow();
  for (std::size_t suspect = 0; suspect < slow.size(); ++suspect) {
    evidence.set_slow(std::span(slow).subspan(suspect, 1));
    const std::vector<double> falls = evidence.falls();
    for (std::size_t at = 0; at < falls.size(); ++at)
      if (falls[at] > location.explained[at].fall) location.explained[at] = {suspect, falls[at]};
  }
}

}  // namespace

std::vector<Slow> Location::slow() const {
  std::vector<Slow> slow;
  for (const Suspect& one : suspects) slow.push_back({one.named.of_class, -std::log(one.named.factor)});
  return slow;
}

Location locate(const Incidence& incidence, std::span<const Measurement> measurements,
                const LocateSettings& settings) {
  if (measurements.empty()) refuse("there is no measurement to locate a slow element by");
  const std::vector<double> losses = losses_of(incidence, measurements);
  const double least_loss = -std::log1p(-settings.least_loss);
  Location location;
  location.level = std::exp(-core::upper_median(losses));
  std::vector<double> falls(losses.size());
  std::vector<Slow> slow;
  while (true) {
    Evidence evidence = evidence_over(incidence, measurements, losses, falls, settings);
    evidence.set_slow(slow);
    const Chance chance = chance_of(incidence, evidence.residuals(), evidence.scales(), evidence.noise(),
                                    settings.deals, settings.seed);
    location.chance = chance;
    location.threshold = chance.gain(settings.false_names);
    location.noise = evidence.noise();
    const std::vector<Candidate> best = best_candidates(evidence, least_loss, 1);
    location.next_gain = best.empty() ? 0 : best.front().gain.gain;
    if (location.next_gain <= location.threshold || slow.size() >= settings.most) {
      location.fit = evidence.log_likelihood();
      describe(evidence, slow, chance, least_loss, location);
      explain(evidence, location);
      return location;
    }
    slow.push_back({best.front().of_class, best.front().gain.loss});
    polish(evidence, slow, least_loss, location.threshold);
    falls = evidence.falls();
  }
}

}  // namespace assay::model::fabric::locate
