// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in assay_team_mpi.so: the only file that knows MPI.
#include <mpi.h>

#include <algorithm>
#include <array>

#include "harness/team/mpi/mpi_calls.hpp"
#include "harness/team/mpi/mpi_error_words.hpp"

namespace assay::team {
namespace {

constexpr int tag = 1;
MPI_Comm team_communicator = MPI_COMM_NULL;  // separate, so that no other messages come in between

int start(int* rank, int* size) {
  int initialised = 0;
  if (const int code = MPI_Initialized(&initialised)) return code;
  int threads = MPI_THREAD_FUNNELED;  // a benchmark has threads of its own, which do not call MPI
  if (initialised == 0)
    if (const int code = MPI_Init_thread(nullptr, nullptr, threads, &threads)) return code;
  if (threads < MPI_THREAD_FUNNELED) return MPI_ERR_OTHER;
  if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &team_communicator)) return code;
  MPI_Comm_set_errhandler(team_communicator, MPI_ERRORS_RETURN);
  MPI_Comm_rank(team_communicator, rank);
  return MPI_Comm_size(team_communicator, size);
}

int finish() { return MPI_Finalize(); }

int send(const void* bytes, int count, int to, void** request) {
  auto* handle = new MPI_Request(MPI_REQUEST_NULL);
  *request = handle;
  return MPI_Isend(bytes, count, MPI_BYTE, to, tag, team_communicator, handle);
}

int probe(int from, int* count, void** message) {
  int found = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  *message = nullptr;
  if (const int code = MPI_Improbe(from, tag, team_communicator, &found, &handle, &status)) return code;
  if (found == 0) return 0;
  *message = new MPI_Message(handle);
  return MPI_Get_count(&status, MPI_BYTE, count);
}

int receive(void* bytes, int count, void* message, void** request) {
  auto* handle = static_cast<MPI_Message*>(message);
  auto* started = new MPI_Request(MPI_REQUEST_NULL);
  *request = started;
  const int code = MPI_Imrecv(bytes, count, MPI_BYTE, handle, started);
  delete handle;
  return code;
}

int test(void* request, int* done) {
  auto* handle = static_cast<MPI_Request*>(request);
  const int code = MPI_Test(handle, done, MPI_STATUS_IGNORE);
  if (code != 0) *done = 1;
  if (*done != 0) delete handle;
  return code;
}

}  // namespace
}  // namespace assay::team

extern "C" const assay::team::MpiCalls* assay_mpi_calls() {
  using namespace assay::team;
  static const MpiCalls calls{mpi_calls_revision, start, finish, send, probe, receive, test, mpi_error_words};
  return &calls;
}
