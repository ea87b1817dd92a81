// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/early_life.hpp"

#include <algorithm>
#include <cmath>

namespace assay::model::reliability {
namespace {

constexpr double longest_burn_in_days = 60;
// A rate that falls from infinity makes a burn-in of seconds pay: less than this is none.
constexpr double least_gain_days = 0.01;

double until(const EarlyLife& node, double day) {
  const double worn = node.wear_scale_days > 0 ? std::pow(day / node.wear_scale_days, node.wear_shape) : 0;
  return node.per_day * day - node.early * std::expm1(-std::pow(day / node.scale_days, node.shape)) + worn;
}

}  // namespace

double expected_failures(const EarlyLife& node, double from_day, double to_day) {
  return until(node, to_day) - until(node, from_day);
}

BurnInPoint burn_in_point(const EarlyLife& node, const Service& service, double burn_in_days) {
  BurnInPoint point{
      .days = burn_in_days,
      .found = service.nodes * expected_failures(node, 0, burn_in_days),
      .interruptions = service.nodes * expected_failures(node, burn_in_days, burn_in_days + service.days)};
  point.saved = service.nodes * expected_failures(node, 0, service.days) - point.interruptions;
  point.days_gained = point.saved * service.days_lost_each - burn_in_days;
  return point;
}

double best_burn_in_days(const EarlyLife& node, const Service& service, double most_days) {
  // With wear the gain may have two maxima: the best of a grid, denser at its start, then thirds around it.
  constexpr int steps = 400;
  const auto gain_at = [&](double days) { return burn_in_point(node, service, days).days_gained; };
  const auto step_at = [&](int step) { return most_days * std::pow(static_cast<double>(step) / steps, 2); };
  int best = 0;
  for (int step = 1; step <= steps; ++step)
    if (gain_at(step_at(step)) > gain_at(step_at(best))) best = step;
  double low = step_at(std::max(best - 1, 0)), high = step_at(std::min(best + 1, steps));
  while (high - low > 1e-6 * most_days) {
    const double third = (high - low) / 3;
    if (gain_at(low + third) < gain_at(high - third))
      low += third;
    else
      high -= third;
  }
  return gain_at((low + high) / 2) > least_gain_days ? (low + high) / 2 : 0;
}

BurnInChoice burn_in_choice(const EarlyLife& node, const Service& service) {
  BurnInChoice choice{.best_days = best_burn_in_days(node, service, longest_burn_in_days),
                      .days_lost_each = service.days_lost_each,
                      .service_days = service.days,
                      .points = {}};
  std::vector<double> lengths{0, 0.5, 1, 2, 3, 5, 7, 14, 30, longest_burn_in_days};
  if (std::ranges::count(lengths, choice.best_days) == 0) lengths.push_back(choice.best_days);
  std::ranges::sort(lengths);
  for (const double days : lengths) choice.points.push_back(burn_in_point(node, service, days));
  return choice;
}

}  // namespace assay::model::reliability
