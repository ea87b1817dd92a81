// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The little of MPI that a team needs, as plain functions: the plug-in that links MPI hands them out, so that
// programs start on hosts without MPI. All return 0 or MPI's error code; none blocks but start and finish.
#pragma once

namespace assay::team {

struct MpiCalls {
  /// Counts up with every change of this struct.
  int revision;
  int (*start)(int* rank, int* size);
  /// Collective: every rank must come.
  int (*finish)();
  int (*send)(const void* bytes, int count, int to, void** request);
  /// *message is set where one has come; receive() it then.
  int (*probe)(int from, int* count, void** message);
  int (*receive)(void* bytes, int count, void* message, void** request);
  /// Frees the request once *done.
  int (*test)(void* request, int* done);
  void (*describe)(int code, char* text, int capacity);
};

inline constexpr int mpi_calls_revision = 1;
inline constexpr const char* mpi_calls_symbol = "assay_mpi_calls";

using MpiCallsFunction = const MpiCalls* (*)();

}  // namespace assay::team
