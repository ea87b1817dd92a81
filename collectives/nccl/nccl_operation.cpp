// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_operation.hpp"

#include <array>

namespace assay::collectives {
namespace {

constexpr std::array nccl_types{ncclFloat32,    ncclFloat64, ncclBfloat16, ncclFloat16, ncclFloat8e4m3,
                                ncclFloat8e5m2, ncclInt8,    ncclInt32,    ncclInt64};  // by DataType

/// An fp8 that is only moved is a byte, which every version knows.
ncclDataType_t nccl_type(DataType type, Operation operation) {
  if (is_fp8(type) && !reduces(operation)) return ncclUint8;
  return nccl_types[static_cast<std::size_t>(type)];
}
constexpr std::array nccl_operators{ncclSum, ncclProd, ncclMin, ncclMax, ncclAvg};  // by Operator
constexpr std::array nccl_functions{"ncclAllReduce",
                                    "ncclAllGather",
                                    "ncclReduceScatter",
                                    "ncclBroadcast",
                                    "ncclReduce",
                                    "ncclGather",
                                    "ncclScatter",
                                    "ncclAlltoAll",
                                    "",
                                    "",
                                    "ncclAllReduce of one int32"};  // by Operation

}  // namespace

NcclOperation::NcclOperation(const nccl::Calls& calls, Communicator& communicator, const Problem& problem,
                             const Content& content, int rank)
    : calls_(calls),
      communicator_(communicator),
      problem_(problem),
      rank_(rank),
      element_bytes_(bytes_of(content.type)),
      type_(nccl_type(content.type, problem.operation)),
      reduction_(nccl_operators[static_cast<std::size_t>(content.reduction)]),
      kind_(kind_of_calls()) {}

NcclOperation::Calls NcclOperation::kind_of_calls() const {
  const auto where = [&](bool there) {
    return there && is_even() ? Calls::collective : Calls::sends_and_receives;
  };
  switch (problem_.operation) {
    case Operation::gather:
      return where(calls_.gather != nullptr);
    case Operation::scatter:
      return where(calls_.scatter != nullptr);
    case Operation::all_to_all:
      return where(calls_.allto_all != nullptr);
    case Operation::all_to_all_v:
    case Operation::send_receive:
      return Calls::sends_and_receives;
    default:
      return Calls::collective;
  }
}

void NcclOperation::enqueue(const std::byte* input, std::byte* output, cudaStream_t stream) {
  if (kind_ == Calls::collective)
    communicator_.check(collective(input, output, stream), function());
  else
    exchange(input, output, stream);
}

ncclResult_t NcclOperation::collective(const std::byte* input, std::byte* output, cudaStream_t stream) {
  const auto count = static_cast<std::size_t>(problem_.count);
  const std::size_t block = count / static_cast<std::size_t>(problem_.ranks);
  const int root = problem_.root;
  const ncclComm_t comm = communicator_.get();
  switch (problem_.operation) {
    case Operation::all_reduce:
      return calls_.all_reduce(input, output, count, type_, reduction_, comm, stream);
    case Operation::all_gather:
      return calls_.all_gather(input, output, block, type_, comm, stream);
    case Operation::reduce_scatter:
      return calls_.reduce_scatter(input, output, block, type_, reduction_, comm, stream);
    case Operation::broadcast:
      return calls_.broadcast(rank_ == root ? input : output, output, count, type_, root, comm, stream);
    case Operation::reduce:
      return calls_.reduce(input, output, count, type_, reduction_, root, comm, stream);
    case Operation::gather:
      return calls_.gather(input, output, block, type_, root, comm, stream);
    case Operation::scatter:
      return calls_.scatter(input, output, block, type_, root, comm, stream);
    case Operation::all_to_all:
      return calls_.allto_all(input, output, block, type_, comm, stream);
    case Operation::barrier:
      return calls_.all_reduce(output, output, 1, ncclInt32, ncclSum, comm, stream);
    default:
      return ncclInvalidUsage;
  }
}

void NcclOperation::exchange(const std::byte* input, std::byte* output, cudaStream_t stream) {
  NcclGroup group(calls_, communicator_);
  const int n = problem_.ranks;
  switch (problem_.operation) {
    case Operation::send_receive:
      send(input, problem_.count, (rank_ + 1) % n, stream);
      receive(output, problem_.count, (rank_ + n - 1) % n, stream);
      break;
    case Operation::gather:
    case Operation::scatter:
      exchange_with_root(input, output, stream);
      break;
    default:
      exchange_with_all(input, output, stream);
  }
  group.end();
}

/// The root receives all blocks of a gather, and sends those of a scatter; its own too, unless that lies in
/// place.
void NcclOperation::exchange_with_root(const std::byte* input, std::byte* output, cudaStream_t stream) {
  const Blocks blocks = problem_.blocks();
  const bool gathers = problem_.operation == Operation::gather;
  const bool at_root = rank_ == problem_.root;
  if (!at_root || !problem_.in_place) {
    if (gathers) send(input, blocks.size(rank_), problem_.root, stream);
    if (!gathers) receive(output, blocks.size(rank_), problem_.root, stream);
  }
  if (!at_root) return;
  for (int peer = 0; peer < problem_.ranks; ++peer) {
    if (peer == rank_ && problem_.in_place) continue;
    const std::int64_t at = bytes(blocks.first(peer));
    if (gathers) receive(output + at, blocks.size(peer), peer, stream);
    if (!gathers) send(input + at, blocks.size(peer), peer, stream);
  }
}

void NcclOperation::exchange_with_all(const std::byte* input, std::byte* output, cudaStream_t stream) {
  for (int peer = 0; peer < problem_.ranks; ++peer) {
    const std::int64_t sent = problem_.between(rank_, peer), received = problem_.between(peer, rank_);
    send(input, sent, peer, stream);
    receive(output, received, peer, stream);
    input += bytes(sent);
    output += bytes(received);
  }
}

void NcclOperation::send(const std::byte* from, std::int64_t elements, int peer, cudaStream_t stream) {
  if (elements == 0) return;
  communicator_.check(
      calls_.send(from, static_cast<std::size_t>(elements), type_, peer, communicator_.get(), stream),
      "ncclSend");
}

void NcclOperation::receive(std::byte* into, std::int64_t elements, int peer, cudaStream_t stream) {
  if (elements == 0) return;
  communicator_.check(
      calls_.recv(into, static_cast<std::size_t>(elements), type_, peer, communicator_.get(), stream),
      "ncclRecv");
}

std::string NcclOperation::function() const {
  if (kind_ == Calls::sends_and_receives) return "ncclSend and ncclRecv in a group";
  return nccl_functions[static_cast<std::size_t>(problem_.operation)];
}

NcclGroup::NcclGroup(const nccl::Calls& calls, Communicator& communicator)
    : calls_(calls), communicator_(communicator) {
  communicator_.check(calls_.group_start(), "ncclGroupStart");
  open_ = true;
}

NcclGroup::~NcclGroup() {
  if (open_) static_cast<void>(calls_.group_end());
}

void NcclGroup::end() {
  open_ = false;
  communicator_.check(calls_.group_end(), "ncclGroupEnd");
}

}  // namespace assay::collectives
