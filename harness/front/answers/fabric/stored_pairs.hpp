// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Pairs and collectives of a store, as measurements to locate a slow element by.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "harness/core/measure/report.hpp"
#include "model/fabric/file/fabric_file.hpp"
#include "model/fabric/locate/pairs_csv.hpp"
#include "results/store/store.hpp"

namespace assay::answers {

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

/// Whether the run, or the latest, is another tool's.
bool is_of_imported_pairs(const results::Store& store, const std::optional<std::string>& run);
/// Pairs of logs of perftest and of sendrecv of nccl-tests, which were run one by one: of all imported runs,
/// or of one, the largest size of each. The first host that the path names sends, or reads. Throws a usage
/// Error where there is none, and for a host that the fabric lacks.
model::fabric::locate::MeasuredPairs imported_pairs(const results::Store& store,
                                                    const std::optional<std::string>& run,
                                                    const std::string& cases,
                                                    const model::fabric::locate::NodeNames& names);

/// Collectives of all runs, or of one, whose steps all have the same messages (rings, shifts, an all-to-all
/// at once): the slowest decides. Of each case and algorithm the largest message, over paths that are
/// unknown. A point on as many hosts is a kind; those measured fewer than least_of_a_kind times are left out,
/// since what a sound one takes is unknown. Throws a usage Error where none is left.
model::fabric::locate::MeasuredPairs stored_collectives(const results::Store& store,
                                                        const std::optional<std::string>& run,
                                                        const std::string& cases,
                                                        const model::fabric::FabricFile& fabric,
                                                        const model::fabric::Topology& topology,
                                                        const model::fabric::locate::NodeNames& names);
inline constexpr std::size_t least_of_a_kind = 16;

}  // namespace assay::answers
