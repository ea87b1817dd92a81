// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Early-life failures, and for how long a burn-in pays for itself.
#pragma once

#include <tuple>
#include <vector>

#include "harness/core/describe/field.hpp"

namespace assay::model::reliability {

/// Failures of a node in its first t days:
///   per_day t + early (1 - exp(-(t / scale_days)^shape)) + (t / wear_scale_days)^wear_shape,
/// a constant rate, a weak share of `early` failures a node whose times follow Weibull's distribution (1951,
/// "A statistical distribution function of wide applicability"), and wear by his hazard: with all three the
/// rate is a bathtub. All at least 0, scale_days above 0, shape in (0, 1], wear_shape above 1.
struct EarlyLife {
  double per_day = 0;
  double early = 0;
  double scale_days = 10;
  double shape = 0.7;
  double wear_scale_days = 0;  // 0: nothing wears
  double wear_shape = 3;
};
/// Keys of [early_life] in a table of rates, besides its source.
constexpr auto fields_of(core::Type<EarlyLife>) {
  using core::Field;
  constexpr core::Terms failures{.lowest = 0, .highest = 1000, .excludes_lowest = true};
  constexpr core::Terms days{.lowest = 0, .highest = 1e9, .excludes_lowest = true, .may_be_absent = true};
  constexpr core::Terms falls{
      .about = "the rate falls", .lowest = 0, .highest = 1, .excludes_lowest = true, .may_be_absent = true};
  constexpr core::Terms grows{
      .about = "the rate grows", .lowest = 1, .highest = 20, .excludes_lowest = true, .may_be_absent = true};
  return std::tuple(
      Field<"per_day", &EarlyLife::per_day>{failures.saying("failures a node-day").where_known()},
      Field<"early", &EarlyLife::early>{failures.saying("failures a node")},
      Field<"scale_days", &EarlyLife::scale_days>{days}, Field<"shape", &EarlyLife::shape>{falls},
      Field<"wear_scale_days", &EarlyLife::wear_scale_days>{days},
      Field<"wear_shape", &EarlyLife::wear_shape>{grows});
}

double expected_failures(const EarlyLife& node, double from_day, double to_day);

/// The cost of an interruption of the job, in days of the whole cluster, and the days for which the cluster
/// serves.
struct Service {
  double nodes = 1, days = 1000;
  double days_lost_each = 0;
};

/// Outcome of burning the cluster in for `days` before its service.
struct BurnInPoint {
  double days = 0;
  double found = 0;          // failures during the burn-in
  double interruptions = 0;  // failures in service
  double saved = 0;          // interruptions fewer than without a burn-in
  double days_gained = 0;    // of the whole cluster: what is saved, less the burn-in's own days
};
BurnInPoint burn_in_point(const EarlyLife& node, const Service& service, double burn_in_days);

/// The burn-in with the largest gain, from 0 to `most_days`; 0 where that is below 0.01 days.
double best_burn_in_days(const EarlyLife& node, const Service& service, double most_days);

struct BurnInChoice {
  double best_days = 0, days_lost_each = 0, service_days = 0;
  std::vector<BurnInPoint> points;  // in order of length, the best among them
};
BurnInChoice burn_in_choice(const EarlyLife& node, const Service& service);

}  // namespace assay::model::reliability
