// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The links that carry the most, and how uneven each tier is.
#pragma once

#include <string>
#include <vector>

#include "model/fabric/simulate/fabric_model.hpp"

namespace assay::model::fabric {

struct TierLoad {
  std::string tier;  // "leaf>spine"
  std::vector<LinkId> links;
  /// The mean of the live links whose node below the tier carries anything in it.
  double mean_bytes = 0;
  double max_over_mean = 0;  // 0 where nothing is carried
};

/// The load of the links from leaves up; without links where leaves have none.
TierLoad uplink_load(const FabricModel& model, const std::vector<double>& bytes_of_links);

/// In the order of the links.
std::vector<TierLoad> tier_loads(const FabricModel& model, const std::vector<double>& bytes_of_links);

struct BusyLink {
  LinkId link = 0;
  double bytes = 0, time_us = 0;  // bytes over its capacity
  double over_mean = 0;           // of its tier
};

/// Those that need the longest for their bytes, at most `most`; the first of equals first.
std::vector<BusyLink> busiest_links(const FabricModel& model, const std::vector<double>& bytes_of_links,
                                    const std::vector<TierLoad>& tiers, std::size_t most);

}  // namespace assay::model::fabric
