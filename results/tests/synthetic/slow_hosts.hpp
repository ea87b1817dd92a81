// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Synthetic pairs of clusters of which some hosts are slow: how often the candidate is called as good.
#pragma once

#include <cstdint>

#include "results/tests/synthetic/comparison_noise.hpp"

namespace assay::results::synthetic {

struct SlowHosts {
  double share = 0, factor = 1;  // of hosts, and of their times
  bool drawn = false;            // each host is slow with this probability, instead of that many
};

struct SlowClusters {
  int hosts = 40;  // of either cluster
  NoiseShape shape = NoiseShape::normal;
  double host_spread = 0.01;  // of ln(time)
  SlowHosts of_a = {}, of_b = {};
};

/// As shares of all trials.
struct SlowShares {
  double median_as_good = 0;  // the median alone is shown to be within the margin
  double as_good = 0;         // and the slow quantile
  double worse = 0;           // by the slow quantile
};
SlowShares slow_shares(const SlowClusters& clusters, double margin, int trials, std::uint64_t seed);

}  // namespace assay::results::synthetic
