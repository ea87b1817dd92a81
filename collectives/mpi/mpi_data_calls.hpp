// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Functions of MPI that the collectives module needs, as plain ones that a plug-in hands out, so that the
// program starts on hosts without MPI. All that return int return 0 or MPI's error code.
#pragma once

#include <cstddef>

#include "collectives/data_type.hpp"
#include "collectives/problem.hpp"

namespace assay::collectives {

/// One call of MPI's own. Counts and firsts are by rank, in elements; null where all blocks are of one size,
/// `block`.
struct MpiCollective {
  int communicator = -1;  // that open_group opened; -1: of all ranks
  Operation operation = Operation::barrier;
  DataType type = DataType::fp32;
  Operator reduction = Operator::sum;
  /// reduce_into(), for types that MPI cannot reduce.
  decltype(&reduce_into) reduce = nullptr;
  int root = 0;
  int count = 0;                  // elements of the whole
  int block = 0;                  // elements of every block
  const void* input = nullptr;    // null: in place
  bool in_place_scatter = false;  // the root of a scatter keeps its block where it is
  void* output = nullptr;
  const int* send_counts = nullptr;
  const int* send_firsts = nullptr;
  const int* receive_counts = nullptr;
  const int* receive_firsts = nullptr;
};

struct MpiDataCalls {
  /// Counts up with every change of these structs.
  int revision;
  /// Opens a communicator of the module's own: every rank must come. MPI must run already.
  int (*start)(int* rank, int* size);
  /// Start a transfer. The buffer is MPI's until wait() has succeeded.
  int (*send)(const void* bytes, std::size_t count, int to);
  int (*receive)(void* bytes, std::size_t count, int from);
  /// Until all transfers are done, or the limit has passed: *late_rank is then a rank of one that is not,
  /// else -1.
  int (*wait)(double limit_s, int* late_rank);
  /// Opens communicator `index` (0, 1, ...), in place of one of that index before. Every rank must come, in
  /// the same order; `place` in the new one is less than 0 at a rank that stays out.
  int (*open_group)(int index, int place);
  /// Blocks as long as MPI does.
  int (*run)(const MpiCollective* collective);
  void (*describe)(int code, char* text, int capacity);
  const char* (*library)();  // name and version, one line
};

inline constexpr int mpi_data_calls_revision = 3;
inline constexpr const char* mpi_data_calls_symbol = "assay_mpi_data_calls";

using MpiDataCallsFunction = const MpiDataCalls* (*)();

}  // namespace assay::collectives
