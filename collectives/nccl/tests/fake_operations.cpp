// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>

#include "collectives/data_type.hpp"
#include "collectives/nccl/tests/fake_parts.hpp"
#include "collectives/tests/scaled_terms.hpp"

namespace assay::collectives {
namespace {

/// One call of a group: first every call of a group brings what it has, then every call takes its result.
struct Call {
  cudaStream_t stream = nullptr;
  std::function<void()> bring, take;
};
thread_local int depth = 0;
thread_local std::vector<Call> pending;

void run_group() {
  std::vector<Call> group = std::exchange(pending, {});
  if (group.empty()) return;
  queue_on(group.front().stream, [group] {
    for (const Call& call : group) call.bring();
    for (const Call& call : group) call.take();
  });
}

ncclResult_t add(Call call) {
  pending.push_back(std::move(call));
  if (depth == 0) run_group();
  return ncclSuccess;
}

DataType our_type(ncclDataType_t type) {
  using enum DataType;
  static const std::map<ncclDataType_t, DataType> types{
      {ncclFloat32, fp32}, {ncclFloat64, fp64},        {ncclBfloat16, bf16},
      {ncclFloat16, fp16}, {ncclFloat8e4m3, fp8_e4m3}, {ncclFloat8e5m2, fp8_e5m2},
      {ncclInt8, int8},    {ncclInt32, int32},         {ncclInt64, int64}};
  return types.at(type);
}

std::size_t bytes_of_type(ncclDataType_t type) {
  if (type == ncclUint8) return 1;
  return static_cast<std::size_t>(bytes_of(our_type(type)));
}

Operator our_operator(ncclRedOp_t reduction) {
  return reduction == ncclSum    ? Operator::sum
         : reduction == ncclAvg  ? Operator::avg
         : reduction == ncclProd ? Operator::prod
         : reduction == ncclMin  ? Operator::min
                                 : Operator::max;
}

Bytes copy_of(const void* from, std::size_t bytes) {
  const auto* first = static_cast<const std::byte*>(from);
  return {first, first + bytes};
}

/// All ranks' contributions to one collective; every rank must have called the same.
std::vector<Bytes> met(Meeting& meeting, std::int64_t round_number, const std::string& call) {
  std::unique_lock lock(meeting.mutex);
  Meeting::Round& round = meeting.rounds[round_number];
  meeting.changed.wait(lock, [&] { return static_cast<int>(round.brought.size()) == meeting.size; });
  std::vector<Bytes> all;
  for (const auto& [rank, one] : round.brought) {
    EXPECT_EQ(one.first, call) << "rank " << rank << " called another collective";
    all.push_back(one.second);
  }
  if (++round.left == meeting.size) meeting.rounds.erase(round_number);
  return all;
}

/// A collective in which rank r brings `bytes` from `input` (none: nothing) and then makes of all that what
/// it takes.
ncclResult_t collective(const char* function, const void* input, std::size_t bytes, const std::string& how,
                        ncclComm_t comm, cudaStream_t stream,
                        std::function<void(const std::vector<Bytes>&)> take) {
  if (const ncclResult_t failed = called(function); failed != ncclSuccess) return failed;
  const std::string call = function + (" " + how);
  auto number = std::make_shared<std::int64_t>(0);
  return add({.stream = stream,
              .bring =
                  [=] {
                    *number = comm->rounds++;
                    const std::lock_guard lock(comm->meeting->mutex);
                    comm->meeting->rounds[*number].brought[comm->rank] = {call, copy_of(input, bytes)};
                    comm->meeting->changed.notify_all();
                  },
              .take = [=, take = std::move(take)] { take(met(*comm->meeting, *number, call)); }});
}

std::string words(std::size_t count, ncclDataType_t type, int reduction, int root) {
  return std::to_string(count) + " of type " + std::to_string(type) + " by " + std::to_string(reduction) +
         " root " + std::to_string(root);
}

Bytes reduced(std::vector<Bytes> all, std::size_t count, ncclDataType_t type, ncclRedOp_t reduction) {
  const DataType ours = our_type(type);
  if (reduction == ncclAvg)
    for (Bytes& one : all) scale_terms(ours, static_cast<int>(all.size()), one);
  Bytes result = all.front();
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    reduce_into(ours, our_operator(reduction), result.data(), all[rank].data(),
                static_cast<std::int64_t>(count));
  const bool whole = ours == DataType::int8 || ours == DataType::int32 || ours == DataType::int64;
  if (reduction == ncclAvg && whole)
    average(ours, static_cast<int>(all.size()), result.data(), static_cast<std::int64_t>(count));
  if (fake().spoils) result.front() ^= std::byte{1};
  return result;
}

void put(void* to, const Bytes& from, std::size_t at, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from.data() + at, bytes);
}

ncclResult_t group_start() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t group_end() {
  if (--depth > 0) return ncclSuccess;
  const ncclResult_t result = called("group_end");
  run_group();
  return result;
}

ncclResult_t all_reduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t reduction, ncclComm_t comm, cudaStream_t stream) {
  return collective("all_reduce", from, count * bytes_of_type(type), words(count, type, reduction, 0), comm,
                    stream, [=](const std::vector<Bytes>& all) {
                      put(to, reduced(all, count, type, reduction), 0, count * bytes_of_type(type));
                    });
}

ncclResult_t all_gather(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                        cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("all_gather", from, bytes, words(count, type, 0, 0), comm, stream,
                    [=](const std::vector<Bytes>& all) {
                      for (std::size_t rank = 0; rank < all.size(); ++rank)
                        put(static_cast<std::byte*>(to) + rank * bytes, all[rank], 0, bytes);
                    });
}

ncclResult_t reduce_scatter(const void* from, void* to, std::size_t count, ncclDataType_t type,
                            ncclRedOp_t reduction, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("reduce_scatter", from, n * bytes, words(count, type, reduction, 0), comm, stream,
                    [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      put(to, reduced(all, n * count, type, reduction), rank * bytes, bytes);
                    });
}

ncclResult_t broadcast(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                       ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective(
      "broadcast", from, comm->rank == root ? bytes : 0, words(count, type, 0, root), comm, stream,
      [=](const std::vector<Bytes>& all) { put(to, all[static_cast<std::size_t>(root)], 0, bytes); });
}

ncclResult_t reduce(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t reduction,
                    int root, ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("reduce", from, bytes, words(count, type, reduction, root), comm, stream,
                    [=, at_root = comm->rank == root](const std::vector<Bytes>& all) {
                      if (at_root) put(to, reduced(all, count, type, reduction), 0, bytes);
                    });
}

ncclResult_t gather(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                    ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type);
  return collective("gather", from, bytes, words(count, type, 0, root), comm, stream,
                    [=, at_root = comm->rank == root](const std::vector<Bytes>& all) {
                      for (std::size_t rank = 0; at_root && rank < all.size(); ++rank)
                        put(static_cast<std::byte*>(to) + rank * bytes, all[rank], 0, bytes);
                    });
}

ncclResult_t scatter(const void* from, void* to, std::size_t count, ncclDataType_t type, int root,
                     ncclComm_t comm, cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("scatter", from, comm->rank == root ? n * bytes : 0, words(count, type, 0, root), comm,
                    stream, [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      put(to, all[static_cast<std::size_t>(root)], rank * bytes, bytes);
                    });
}

ncclResult_t allto_all(const void* from, void* to, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                       cudaStream_t stream) {
  const std::size_t bytes = count * bytes_of_type(type), n = static_cast<std::size_t>(comm->meeting->size);
  return collective("allto_all", from, n * bytes, words(count, type, 0, 0), comm, stream,
                    [=, rank = static_cast<std::size_t>(comm->rank)](const std::vector<Bytes>& all) {
                      for (std::size_t peer = 0; peer < n; ++peer)
                        put(static_cast<std::byte*>(to) + peer * bytes, all[peer], rank * bytes, bytes);
                    });
}

ncclResult_t send(const void* from, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                  cudaStream_t stream) {
  if (const ncclResult_t failed = called("send"); failed != ncclSuccess) return failed;
  return add({.stream = stream,
              .bring =
                  [=] {
                    const std::lock_guard lock(comm->meeting->mutex);
                    comm->meeting->messages[{comm->rank, peer}].push_back(
                        copy_of(from, count * bytes_of_type(type)));
                    comm->meeting->changed.notify_all();
                  },
              .take = [] {}});
}

ncclResult_t recv(void* to, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                  cudaStream_t stream) {
  if (const ncclResult_t failed = called("recv"); failed != ncclSuccess) return failed;
  return add({.stream = stream,
              .bring = [] {},
              .take =
                  [=] {
                    std::unique_lock lock(comm->meeting->mutex);
                    auto& messages = comm->meeting->messages[{peer, comm->rank}];
                    comm->meeting->changed.wait(lock, [&] { return !messages.empty(); });
                    EXPECT_EQ(messages.front().size(), count * bytes_of_type(type));
                    put(to, messages.front(), 0, messages.front().size());
                    messages.pop_front();
                  }});
}

ncclResult_t mem_alloc(void** memory, std::size_t bytes) {
  *memory = std::malloc(bytes);
  return called("mem_alloc");
}
ncclResult_t mem_free(void* memory) {
  std::free(memory);
  return called("mem_free");
}
ncclResult_t comm_register(ncclComm_t, void* memory, std::size_t, void** handle) {
  *handle = memory;
  return called("comm_register");
}
/// NCCL makes a window only where it can: none where that is planned to fail.
ncclResult_t register_window(ncclComm_t, void* memory, std::size_t bytes, void** window, int flags) {
  EXPECT_EQ(flags, 1);
  fake().note("window of " + std::to_string(bytes));
  *window = fake().failing.contains("make a window") ? nullptr : memory;
  return called("register_window");
}
ncclResult_t deregister_window(ncclComm_t, void*) { return called("deregister_window"); }
ncclResult_t comm_deregister(ncclComm_t, void*) { return called("comm_deregister"); }

}  // namespace

void add_operations(nccl::Calls& calls, bool complete) {
  calls.group_start = group_start;
  calls.group_end = group_end;
  calls.all_reduce = all_reduce;
  calls.all_gather = all_gather;
  calls.reduce_scatter = reduce_scatter;
  calls.broadcast = broadcast;
  calls.reduce = reduce;
  calls.send = send;
  calls.recv = recv;
  if (!complete) return;
  calls.mem_alloc = mem_alloc;
  calls.mem_free = mem_free;
  calls.comm_register = comm_register;
  calls.comm_deregister = comm_deregister;
  calls.register_window = register_window;
  calls.deregister_window = deregister_window;
  calls.allto_all = allto_all;
  calls.gather = gather;
  calls.scatter = scatter;
}

}  // namespace assay::collectives
