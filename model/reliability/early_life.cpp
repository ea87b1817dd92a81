// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/early_life.hpp"

#include <cmath>

namespace assay::model::reliability {
namespace {

double until(const EarlyLife& node, double day) {
  return node.per_day * day - node.early * std::expm1(-std::pow(day / node.scale_days, node.shape));
}

}  // namespace

double expected_failures(const EarlyLife& node, double from_day, double to_day) {
  return until(node, to_day) - until(node, from_day);
}

double days_gained(const EarlyLife& node, const Service& service, double burn_in_days) {
  const double without = expected_failures(node, 0, service.days),
               with = expected_failures(node, burn_in_days, burn_in_days + service.days);
  return (without - with) * service.nodes * service.days_lost_each - burn_in_days;
}

double best_burn_in_days(const EarlyLife& node, const Service& service, double most_days) {
  // The hazard falls with age, so what a further day saves falls too: a search by thirds.
  double low = 0, high = most_days;
  while (high - low > 1e-6 * most_days) {
    const double third = (high - low) / 3;
    if (days_gained(node, service, low + third) < days_gained(node, service, high - third))
      low += third;
    else
      high -= third;
  }
  return days_gained(node, service, (low + high) / 2) > 0 ? (low + high) / 2 : 0;
}

}  // namespace assay::model::reliability
