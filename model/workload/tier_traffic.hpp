// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes of each parallel dimension by the highest level of a fabric that they reach: NVLink in a server, a
// leaf, a spine above it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/training/training_step.hpp"
#include "model/fabric/simulate/fabric_model.hpp"
#include "results/table/table.hpp"

namespace assay::model::workload {

/// Ranks of a part reach one another here, unless at a lower level: on rails, GPUs of a server do.
struct FabricLevel {
  std::string name;
  std::vector<std::uint32_t> part_of_rank;
  std::uint32_t block = 0;  // parts are blocks of that many ranks in order; 0: they are not
};
/// The last holds all ranks in one part. Throws a usage Error where failures separate them.
std::vector<FabricLevel> levels_of(const fabric::FabricModel& model,
                                   const std::vector<fabric::NodeId>& host_of_rank);

/// Rings for reductions and gathers, straight messages for all-to-alls, as assay fabric simulates them by
/// default; broadcasts and reductions by binomial trees. All ranks' bytes in a step.
struct DimensionTraffic {
  std::string among;                   // the operation's kind where it names no dimension
  std::vector<double> bytes_at_level;  // the highest reached
};

enum class Counting { by_blocks, by_pairs };
/// by_blocks: by formula where levels are blocks and groups regular, else as by_pairs: message by message.
/// `levels`: of as many ranks as the step has.
std::vector<DimensionTraffic> traffic_by_level(const training::TrainingStep& step,
                                               const std::vector<FabricLevel>& levels,
                                               Counting counting = Counting::by_blocks);

results::Table tier_table(const std::vector<DimensionTraffic>& traffic,
                          const std::vector<FabricLevel>& levels);

}  // namespace assay::model::workload
