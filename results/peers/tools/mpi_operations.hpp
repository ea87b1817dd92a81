// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives of MPI as OSU and IMB name them, and what their column of sizes counts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/peers/peer_point.hpp"

namespace assay::results::peers {

struct MpiOperation {
  std::string_view osu, imb;  // "Allreduce", "All-to-All Personalized Exchange"
  std::string_view ours;      // "all_reduce"
  bool reduces = false;
  bool size_is_block = false;  // of one rank: assay's bytes are that times ranks
};

/// Null for others.
const MpiOperation* osu_operation(std::string_view name);
const MpiOperation* imb_operation(std::string_view name);

/// "fp32" of "MPI_FLOAT"; "" for others.
std::string dtype_of_mpi(std::string_view type);

/// Case and axis of bytes. Where a size is of one block and ranks are unknown, the case is the tool's own,
/// with an axis `bytes_per_block`.
void put_mpi_collective(PeerPoint& point, const MpiOperation& operation, std::string_view tool,
                        std::int64_t size);

/// The value is the mean of the slowest rank.
void put_rank_means(PeerPoint& point, double mean_us, double least_us, double most_us);

}  // namespace assay::results::peers
