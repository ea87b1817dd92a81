// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/peers/tools/mpi_operations.hpp"

#include <algorithm>
#include <array>

namespace assay::results::peers {
namespace {

constexpr std::array mpi_operations{
    MpiOperation{"Allreduce", "Allreduce", "all_reduce", true},
    MpiOperation{"Allgather", "Allgather", "all_gather", false, true},
    MpiOperation{"Allgatherv", "Allgatherv", "all_gather_v", false, true},
    MpiOperation{"All-to-All Personalized Exchange", "Alltoall", "all_to_all", false, true},
    MpiOperation{"Alltoall", "Alltoall", "all_to_all", false, true},
    MpiOperation{"Broadcast", "Bcast", "broadcast"},
    MpiOperation{"Reduce_scatter", "Reduce_scatter", "reduce_scatter", true},
    MpiOperation{"Reduce", "Reduce", "reduce", true},
    MpiOperation{"Gather", "Gather", "gather", false, true},
    MpiOperation{"Scatter", "Scatter", "scatter", false, true},
};

struct MpiType {
  std::string_view mpi, ours;
};
constexpr std::array mpi_types{MpiType{"MPI_FLOAT", "fp32"}, MpiType{"MPI_DOUBLE", "fp64"},
                               MpiType{"MPI_INT", "int32"},  MpiType{"MPI_CHAR", "int8"},
                               MpiType{"MPI_BYTE", "int8"},  MpiType{"MPI_INT8_T", "int8"},
                               MpiType{"MPI_LONG", "int64"}};

}  // namespace

const MpiOperation* osu_operation(std::string_view name) {
  const auto* const found = std::ranges::find(mpi_operations, name, &MpiOperation::osu);
  return found == mpi_operations.end() ? nullptr : found;
}

const MpiOperation* imb_operation(std::string_view name) {
  const auto* const found = std::ranges::find(mpi_operations, name, &MpiOperation::imb);
  return found == mpi_operations.end() ? nullptr : found;
}

std::string dtype_of_mpi(std::string_view type) {
  const auto* const found = std::ranges::find(mpi_types, type, &MpiType::mpi);
  return found == mpi_types.end() ? "" : std::string(found->ours);
}

void put_mpi_collective(PeerPoint& point, const MpiOperation& operation, std::string_view tool,
                        std::int64_t size) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 50;
  const bool scaled =
      operation.size_is_block && point.ranks && size <= most_bytes / std::max<std::int64_t>(1, *point.ranks);
  const bool ours = !operation.ours.ends_with("_v") && (!operation.size_is_block || scaled);
  point.case_name =
      (ours ? "collectives.mpi." : "peers." + std::string(tool) + ".") + std::string(operation.ours);
  if (operation.size_is_block && !scaled) {
    point.axes.emplace_back("bytes_per_block", size);
    add_doubt(point.doubts,
              {DoubtKind::bytes_unknown, "the size is of one rank's block, and ranks are unknown"});
  } else {
    point.axes.emplace_back("bytes", scaled ? size * *point.ranks : size);
  }
}

void put_rank_means(PeerPoint& point, double mean_us, double least_us, double most_us) {
  point.value = most_us;
  point.statistic = "mean over iterations, of the slowest rank";
  point.metrics = {{"rank_mean_avg_us", "us", mean_us},
                   {"rank_mean_min_us", "us", least_us},
                   {"rank_mean_max_us", "us", most_us}};
}

}  // namespace assay::results::peers
