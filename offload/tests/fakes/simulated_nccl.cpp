// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library as NCCL's for two ranks on the simulated GPU, opened at run time as NCCL is: what each rank
// queues waits for the other's, on the stream it is queued on.
#include "offload/tests/fakes/simulated_nccl.hpp"

#include <nccl.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

using assay::cuda::simulated::gpu;
using assay::cuda::simulated::gpu_status;
using assay::cuda::simulated::queue_work;
using assay::offload::tests::nccl;

struct ncclComm {
  int rank = 0;
};

namespace {

struct Part {
  int rank = 0;
  const float* from = nullptr;
  float* to = nullptr;
  std::size_t count = 0;
  cudaStream_t stream = nullptr;
};

/// Parts that a group of calls of this thread queues.
thread_local std::vector<Part> group;
thread_local int joined = 0;  // communicators made within it

struct Reduction {
  std::vector<Part> parts;
  std::atomic<std::size_t> there{0};
};

void reduce(Reduction& at, const Part& part) {
  ++at.there;
  while (at.there < at.parts.size() && gpu_status() == cudaSuccess)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  const float error = nccl().reductions_are_wrong ? 1 : 0;
  for (std::size_t i = 0; i < part.count; ++i) {
    float sum = error;
    for (const Part& other : at.parts) sum += other.from[i];
    part.to[i] = sum;
  }
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) { return "invalid usage"; }
const char* ncclGetLastError(ncclComm_t) { return "the simulated library's own words"; }
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id, 0, sizeof *id);
  return ncclSuccess;
}

ncclResult_t ncclGroupStart() { return ncclSuccess; }

ncclResult_t ncclGroupEnd() {
  if (std::exchange(joined, 0) == 1) return ncclInvalidUsage;  // the other rank never came
  if (group.empty()) return ncclSuccess;
  const auto all = std::make_shared<Reduction>();
  all->parts = std::exchange(group, {});
  if (all->parts.size() != 2 || all->parts[0].rank == all->parts[1].rank) return ncclInvalidUsage;
  for (const Part& part : all->parts) queue_work(part.stream, [all, part] { reduce(*all, part); });
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId, int rank,
                                    ncclConfig_t* config) {
  int device = -1;
  static_cast<void>(cudaGetDevice(&device));
  if (nccl().communicators_fail || ranks != 2 || config->blocking != 1 || device >= gpu().devices)
    return ncclInvalidUsage;
  *comm = new ncclComm{rank};
  ++nccl().communicators;
  ++joined;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  --nccl().communicators;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }

ncclResult_t ncclAllReduce(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t sum, ncclComm_t comm, cudaStream_t stream) {
  if (type != ncclFloat32 || sum != ncclSum) return ncclInvalidArgument;
  group.push_back({comm->rank, static_cast<const float*>(from), static_cast<float*>(to), count, stream});
  return ncclSuccess;
}

// Asked for when the library is opened, and never called.
ncclResult_t ncclCommSplit(ncclComm_t, int, int, ncclComm_t*, ncclConfig_t*) { return ncclInvalidUsage; }
ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t*) { return ncclInvalidUsage; }
ncclResult_t ncclAllGather(const void*, void*, std::size_t, ncclDataType_t, ncclComm_t, cudaStream_t) {
  return ncclInvalidUsage;
}
ncclResult_t ncclReduceScatter(const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t,
                               cudaStream_t) {
  return ncclInvalidUsage;
}
ncclResult_t ncclBroadcast(const void*, void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclInvalidUsage;
}
ncclResult_t ncclReduce(const void*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, int, ncclComm_t,
                        cudaStream_t) {
  return ncclInvalidUsage;
}
ncclResult_t ncclSend(const void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclInvalidUsage;
}
ncclResult_t ncclRecv(void*, std::size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t) {
  return ncclInvalidUsage;
}

}  // extern "C"
