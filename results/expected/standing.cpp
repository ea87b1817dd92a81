// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/standing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace assay::results::expected {
namespace {

/// Printed rates are rounded.
constexpr double rounding = 0.005;

bool is_same_machine(const PublishedValue& value, const Question& question) {
  return value.system == question.system && value.operation == question.operation;
}

/// Whether a value's own setting is stated, and is the question's. A rate of a device has no other ranks.
bool is_same_setting(const PublishedValue& value, const Question& question) {
  if (!value.settings.empty() || !question.settings.empty()) return false;
  if (is_collective(question.operation) && (value.gpus != question.gpus || value.nodes != question.nodes))
    return false;
  if (question.crosses_network() && !question.network.empty() && value.network != question.network)
    return false;
  return value.bytes == question.bytes && (value.bytes || !is_collective(question.operation));
}

/// Distances of sizes in powers of two; what states no size is far.
double distance_of(const PublishedValue& value, const Question& question) {
  double distance = value.settings.empty() ? 0 : 40;
  distance += value.gpus == question.gpus ? 0 : 20;
  if (!value.bytes || !question.bytes) return distance + 10;
  return distance +
         std::abs(std::log2(static_cast<double>(*value.bytes) / static_cast<double>(*question.bytes)));
}

void put_published(const Published& published, Standing& standing) {
  const Question& question = standing.question;
  for (const PublishedValue& value : published.values) {
    if (!is_same_machine(value, question)) continue;
    const bool same = is_same_setting(value, question);
    if (same && value.kind == PublishedKind::typical)
      standing.usual.push_back(value);
    else if (same && value.kind == PublishedKind::minimum)
      standing.limits.push_back(value);
    else
      standing.near.push_back(value);
  }
  std::ranges::stable_sort(standing.near, {},
                           [&](const PublishedValue& value) { return distance_of(value, question); });
  constexpr std::size_t most_near = 4;
  if (standing.near.size() > most_near) standing.near.resize(most_near);
}

/// The lowest and the highest that are usual: published, or else the site's own.
std::pair<double, double> usual_range(Standing& standing) {
  double low = std::numeric_limits<double>::infinity(), high = 0;
  for (const PublishedValue& value : standing.usual)
    low = std::min(low, value.value), high = std::max(high, value.value);
  if (high > 0) {
    standing.reference_is = "published";
    return {low, high};
  }
  if (!standing.evidence.history) return {0, 0};
  standing.reference_is = "own history";
  return {standing.evidence.history->lowest, standing.evidence.history->highest};
}

StandingKind kind_of(const Standing& standing, double high, double margin) {
  const double value = standing.question.value;
  for (const PhysicalBound& bound : standing.bounds)
    if (value > bound.value * (1 + rounding)) return StandingKind::impossible;
  if (!(standing.reference > 0)) return StandingKind::unknown;
  if (value < standing.reference * (1 - margin)) return StandingKind::below;
  return value > high * (1 + margin) ? StandingKind::above : StandingKind::usual;
}

}  // namespace

Standing standing_of(const Question& question, const Published& published, const Evidence& evidence,
                     double margin) {
  Standing standing;
  standing.question = question;
  standing.evidence = evidence;
  const System* const system = published.system(question.system);
  put_published(published, standing);
  if (system) standing.bounds = physical_bounds(question, *system);
  const auto [low, high] = usual_range(standing);
  standing.reference = low;
  standing.kind = kind_of(standing, high, margin);
  if (standing.kind == StandingKind::below)
    standing.causes = fitting_causes(question, system, 1 - question.value / standing.reference);
  return standing;
}

std::string_view to_string(StandingKind kind) {
  switch (kind) {
    case StandingKind::usual:
      return "usual";
    case StandingKind::above:
      return "above";
    case StandingKind::below:
      return "below";
    case StandingKind::impossible:
      return "impossible";
    case StandingKind::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace assay::results::expected
