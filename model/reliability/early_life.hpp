// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Early-life failures, and for how long a burn-in pays for itself.
#pragma once

namespace assay::model::reliability {

/// Failures of a node in its first t days: per_day x t + early x (1 - exp(-(t / scale_days)^shape)): a
/// constant rate, and a weak share of `early` failures a node whose times follow Weibull's distribution
/// (1951, "A statistical distribution function of wide applicability"). All at least 0, scale above 0, shape
/// in (0, 1].
struct EarlyLife {
  double per_day = 0;
  double early = 0;
  double scale_days = 10;
  double shape = 0.7;
};

double expected_failures(const EarlyLife& node, double from_day, double to_day);

/// What an interruption of the job costs, in days of the whole cluster; and for how many days the cluster
/// serves.
struct Service {
  double nodes = 1, days = 1000;
  double days_lost_each = 0;
};

/// Days of the whole cluster that a burn-in of so many days saves in service, less its own days.
double days_gained(const EarlyLife& node, const Service& service, double burn_in_days);

/// The burn-in with the largest gain, from 0 to `most_days`.
double best_burn_in_days(const EarlyLife& node, const Service& service, double most_days);

}  // namespace assay::model::reliability
