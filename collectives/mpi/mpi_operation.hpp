// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// MPI's own collectives on host memory: one problem, ready to be run many times.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "collectives/measure/runner.hpp"
#include "collectives/mpi/mpi_data_calls.hpp"

namespace assay::collectives {

/// Why MPI cannot run a problem as this module defines it; empty where it can.
std::string why_not_mpi(const Problem& problem);

class MpiOperation final : public Runner {
 public:
  /// `calls` must outlive it. `rank` is that within the communicator: all of MPI's, or one of
  /// open_mpi_group.
  MpiOperation(const MpiDataCalls& calls, const Problem& problem, DataType type, Operator reduction, int rank,
               int communicator = -1);

  MpiOperation(const MpiOperation&) = delete;
  MpiOperation& operator=(const MpiOperation&) = delete;

  /// The whole operation once; every rank calls it. Buffers as shape_of() says.
  void run(std::span<const std::byte> input, std::span<std::byte> output) override;

  std::vector<core::Fact> facts() const override;
  std::string function() const;  // "MPI_Allgatherv"

 private:
  void cut_into_blocks(const Problem& problem);
  void cut_all_to_all(const Problem& problem, int rank);

  const MpiDataCalls& calls_;
  MpiCollective collective_;
  bool in_place_;
  bool at_root_;
  int averaged_over_ = 0;  // ranks; 0: no mean
  std::vector<int> send_counts_, send_firsts_, receive_counts_, receive_firsts_;
};

}  // namespace assay::collectives
