// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rates of flows between two hosts as a store has them, for whoever locates what slows them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/judge/fleet/fleet_point.hpp"

namespace assay::results {

/// One flow in one run, the way its payload goes: the median of repetitions over the same queue pairs.
struct PairRate {
  LinkEnd from, to;
  std::uint32_t round = 0;                              // flows of one number ran at once
  double gb_per_s = 0;                                  // above 0
  std::vector<core::QueuePairReport> queue_pairs = {};  // none: unknown
  std::string from_address = {}, to_address = {};       // of the adapters; empty: unknown
};

/// Rates of one metric, which compare with each other.
struct MetricRates {
  std::string metric;  // link_metric_of()
  std::vector<PairRate> rates;
  std::size_t runs = 0;  // that measured a pair, the median over pairs
  std::string origin;
};

/// The rates of flows that ran apart (FleetPoint::links), by metric; a flow that was run again alone has that
/// rate. Latencies, points that failed or are wrong, and those of a burn-in's rounds together are left out.
/// `filter` as in points_in_order(). Throws std::runtime_error where origins are mixed.
std::vector<MetricRates> pair_rates(const Store& store, const std::string& filter);

}  // namespace assay::results
