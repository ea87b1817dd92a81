// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pairs that the rdma module measured, from a store, as measurements to locate a slow element by.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/core/report.hpp"
#include "model/fabric/locate/pairs_csv.hpp"
#include "results/store/store.hpp"

namespace assay::cli {

/// A flow that the records know these queue pairs of; of an unknown path where there are none.
model::fabric::locate::MeasuredFlow measured_flow(model::fabric::NodeId source,
                                                  model::fabric::NodeId destination,
                                                  std::span<const core::QueuePairReport> queue_pairs);

/// Flows of the run's points that match the glob `cases`, the way their payload goes; that of a suspect
/// counts alone where it was run again by itself. Ranks: fabric::measured::RankHosts. Flows of a round ran
/// together where all queue pairs are known and no point was repeated; else each counts as alone. Throws a
/// usage Error where there is no flow, or ranks are more than hosts.
model::fabric::locate::MeasuredPairs stored_pairs(const results::Store& store,
                                                  const std::optional<std::string>& run,
                                                  const std::string& cases,
                                                  const model::fabric::Topology& topology,
                                                  const model::fabric::locate::NodeNames& names);

}  // namespace assay::cli
