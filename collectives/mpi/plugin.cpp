// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The plug-in assay_collectives_mpi.so: the only file of the module that knows MPI.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "collectives/mpi/mpi_data_calls.hpp"
#include "harness/team/mpi/mpi_error_words.hpp"

namespace assay::collectives {
namespace {

constexpr int tag = 1;
constexpr std::size_t most_bytes = std::size_t{1} << 30;  // of one MPI message: its count is an int

MPI_Comm data_communicator = MPI_COMM_NULL;
std::vector<MPI_Request> requests;  // under way
std::vector<int> peers;             // of each request
std::vector<MPI_Comm> groups;
MPI_Comm running = MPI_COMM_NULL;  // what the collective under way runs on

int start(int* rank, int* size) {
  if (data_communicator == MPI_COMM_NULL) {
    if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &data_communicator)) return code;
    MPI_Comm_set_errhandler(data_communicator, MPI_ERRORS_RETURN);
  }
  MPI_Comm_rank(data_communicator, rank);
  return MPI_Comm_size(data_communicator, size);
}

/// Calls `begin(first byte, count, request)` for each message that the bytes are cut into; one, where there
/// are none.
template <class Begin>
int in_messages(std::size_t count, int peer, const Begin& begin) {
  std::size_t first = 0;
  do {
    const std::size_t part = std::min(count - first, most_bytes);
    requests.push_back(MPI_REQUEST_NULL);
    peers.push_back(peer);
    if (const int code = begin(first, static_cast<int>(part), &requests.back())) return code;
    first += part;
  } while (first < count);
  return 0;
}

int send(const void* bytes, std::size_t count, int to) {
  return in_messages(count, to, [&](std::size_t first, int part, MPI_Request* request) {
    return MPI_Isend(static_cast<const char*>(bytes) + first, part, MPI_BYTE, to, tag, data_communicator,
                     request);
  });
}

int receive(void* bytes, std::size_t count, int from) {
  return in_messages(count, from, [&](std::size_t first, int part, MPI_Request* request) {
    return MPI_Irecv(static_cast<char*>(bytes) + first, part, MPI_BYTE, from, tag, data_communicator,
                     request);
  });
}

int wait(double limit_s, int* late_rank) {
  constexpr int looks_between_clocks = 256;
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_s);
  *late_rank = -1;
  int done = 0;
  for (int look = 1; done == 0; ++look) {
    if (const int code =
            MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE))
      return code;
    if (done != 0 || look % looks_between_clocks != 0 || Clock::now() < deadline) continue;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      int one = 0;
      MPI_Test(&requests[i], &one, MPI_STATUS_IGNORE);
      if (one == 0) *late_rank = peers[i];
    }
    if (*late_rank >= 0) return 0;
  }
  requests.clear();
  peers.clear();
  return 0;
}

int open_group(int index, int place) {
  const auto at = static_cast<std::size_t>(index);
  if (groups.size() <= at) groups.resize(at + 1, MPI_COMM_NULL);
  if (groups[at] != MPI_COMM_NULL)
    if (const int code = MPI_Comm_free(&groups[at])) return code;
  const int color = place < 0 ? MPI_UNDEFINED : 0;
  return MPI_Comm_split(data_communicator, color, place, &groups[at]);
}

MPI_Datatype mpi_type(DataType type) {
  // Indexed by DataType. MPI has no narrow floats: their bits are moved.
  const std::array types{MPI_FLOAT,   MPI_DOUBLE, MPI_UINT16_T, MPI_UINT16_T, MPI_UINT8_T,
                         MPI_UINT8_T, MPI_INT8_T, MPI_INT32_T,  MPI_INT64_T};
  return types[static_cast<std::size_t>(type)];
}

const MpiCollective* reducing = nullptr;  // the reduction under way whose operator is assay's

void combine(void* from, void* into, int* count, MPI_Datatype*) {
  reducing->reduce(reducing->type, reducing->reduction, static_cast<std::byte*>(into),
                   static_cast<const std::byte*>(from), *count);
}

MPI_Op own_operator() {
  static const MPI_Op commutes = [] {
    MPI_Op made = MPI_OP_NULL;
    MPI_Op_create(combine, 1, &made);
    return made;
  }();
  return commutes;
}

MPI_Op mpi_operator(Operator reduction) {
  const std::array by_operator{MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};  // by Operator
  return by_operator[static_cast<std::size_t>(reduction)];
}

int run_reduction(const MpiCollective& asked) {
  const void* input = asked.input == nullptr ? MPI_IN_PLACE : asked.input;
  const MPI_Datatype type = mpi_type(asked.type);
  reducing = &asked;
  const MPI_Op reduction = asked.reduce != nullptr ? own_operator() : mpi_operator(asked.reduction);
  switch (asked.operation) {
    case Operation::all_reduce:
      return MPI_Allreduce(input, asked.output, asked.count, type, reduction, running);
    case Operation::reduce:
      return MPI_Reduce(input, asked.output, asked.count, type, reduction, asked.root, running);
    default:
      break;
  }
  if (asked.receive_counts != nullptr)
    return MPI_Reduce_scatter(input, asked.output, asked.receive_counts, type, reduction, running);
  return MPI_Reduce_scatter_block(input, asked.output, asked.block, type, reduction, running);
}

void* output_of_scatter(const MpiCollective& asked) {
  return asked.in_place_scatter ? MPI_IN_PLACE : asked.output;
}

/// Blocks that differ in size.
int run_uneven(const MpiCollective& asked) {
  const void* input = asked.input == nullptr ? MPI_IN_PLACE : asked.input;
  const MPI_Datatype type = mpi_type(asked.type);
  switch (asked.operation) {
    case Operation::all_gather:
      return MPI_Allgatherv(input, asked.block, type, asked.output, asked.receive_counts,
                            asked.receive_firsts, type, running);
    case Operation::gather:
      return MPI_Gatherv(input, asked.block, type, asked.output, asked.receive_counts, asked.receive_firsts,
                         type, asked.root, running);
    case Operation::scatter:
      return MPI_Scatterv(asked.input, asked.send_counts, asked.send_firsts, type, output_of_scatter(asked),
                          asked.block, type, asked.root, running);
    default:
      return MPI_Alltoallv(input, asked.send_counts, asked.send_firsts, type, asked.output,
                           asked.receive_counts, asked.receive_firsts, type, running);
  }
}

int run_even(const MpiCollective& asked) {
  const void* input = asked.input == nullptr ? MPI_IN_PLACE : asked.input;
  const MPI_Datatype type = mpi_type(asked.type);
  switch (asked.operation) {
    case Operation::all_gather:
      return MPI_Allgather(input, asked.block, type, asked.output, asked.block, type, running);
    case Operation::gather:
      return MPI_Gather(input, asked.block, type, asked.output, asked.block, type, asked.root, running);
    case Operation::scatter:
      return MPI_Scatter(asked.input, asked.block, type, output_of_scatter(asked), asked.block, type,
                         asked.root, running);
    default:
      return MPI_Alltoall(input, asked.block, type, asked.output, asked.block, type, running);
  }
}

int run_shift(const MpiCollective& asked) {
  int rank = 0, size = 1;
  MPI_Comm_rank(running, &rank);
  MPI_Comm_size(running, &size);
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const MPI_Datatype type = mpi_type(asked.type);
  if (asked.input == nullptr)
    return MPI_Sendrecv_replace(asked.output, asked.count, type, next, tag, previous, tag, running,
                                MPI_STATUS_IGNORE);
  return MPI_Sendrecv(asked.input, asked.count, type, next, tag, asked.output, asked.count, type, previous,
                      tag, running, MPI_STATUS_IGNORE);
}

int run(const MpiCollective* asked) {
  running =
      asked->communicator < 0 ? data_communicator : groups[static_cast<std::size_t>(asked->communicator)];
  switch (asked->operation) {
    case Operation::barrier:
      return MPI_Barrier(running);
    case Operation::broadcast:
      return MPI_Bcast(asked->output, asked->count, mpi_type(asked->type), asked->root, running);
    case Operation::send_receive:
      return run_shift(*asked);
    case Operation::all_reduce:
    case Operation::reduce:
    case Operation::reduce_scatter:
      return run_reduction(*asked);
    default:
      break;
  }
  const bool uneven = asked->send_counts != nullptr || asked->receive_counts != nullptr;
  return uneven ? run_uneven(*asked) : run_even(*asked);
}

const char* library() {
  static const std::string name = [] {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> words{};
    int length = 0;
    MPI_Get_library_version(words.data(), &length);
    const std::string all(words.data(), static_cast<std::size_t>(length));
    return all.substr(0, all.find_first_of(",\n"));
  }();
  return name.c_str();
}

}  // namespace
}  // namespace assay::collectives

extern "C" const assay::collectives::MpiDataCalls* assay_mpi_data_calls() {
  using namespace assay::collectives;
  static const MpiDataCalls calls{mpi_data_calls_revision,      start,  send, receive, wait, open_group, run,
                                  assay::team::mpi_error_words, library};
  return &calls;
}
