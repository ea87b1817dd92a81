// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An H100 multiprocessor has 228 KiB of shared memory, of which a block takes at most 227 KiB and 1 KiB more
// is reserved for every block (CUDA C++ Programming Guide, compute capability 9.0): a block with the most
// there is leaves no space for another, of whichever kernel.
#include "harness/cuda/device_code.cuh"
#include "offload/interference/device/resident_kernels.hpp"
#include "offload/interference/device/tile_work.cuh"

namespace assay::offload {
namespace {

constexpr int spin_threads = 32;

enum class Order : std::uint32_t { stay, leave, limit };

// Functions that one thread of a block calls.

__device__ void arrive(const ResidentLaunch& at) {
  at.words->sm.data()[blockIdx.x] = cuda::multiprocessor();
  __threadfence();
  if (atomicAdd(&at.words->began, 1U) == gridDim.x - 1) cuda::store_system(&at.host->started, at.ticket);
}

/// Block 0 asks the host's memory, the others what block 0 handed on: one reader on the host link.
__device__ std::uint32_t load_stop(const ResidentLaunch& at) {
  return blockIdx.x == 0 ? cuda::load_system(&at.host->stop) : cuda::load_device(&at.words->stop);
}

__device__ Order order(const ResidentLaunch& at, std::uint32_t stop, std::uint64_t began_ns) {
  if (static_cast<std::int32_t>(stop - at.ticket) >= 0) {
    if (blockIdx.x == 0) cuda::store_device(&at.words->stop, at.ticket);
    return Order::leave;
  }
  return cuda::global_nanoseconds() - began_ns >= at.limit_ns ? Order::limit : Order::stay;
}

__device__ void depart(const ResidentLaunch& at, Order why) {
  if (why == Order::limit) atomicAdd(&at.words->by_limit, 1U);
  __threadfence();
  atomicAdd(&at.words->left, 1U);
}

__global__ void spin_kernel(ResidentLaunch at) {
  if (threadIdx.x != 0) return;
  const std::uint64_t began_ns = cuda::global_nanoseconds();
  arrive(at);
  Order now = Order::stay;
  while (now == Order::stay) {
    __nanosleep(2000);
    now = order(at, load_stop(at), began_ns);
  }
  depart(at, now);
}

/// Calls work(tile) for tiles of `at`, which go round; whoever is free takes the next. The claim of the next
/// tile and the question whether to leave are under way while a tile is worked on.
template <class Work>
__device__ void stay(const ResidentLaunch& at, Work work) {
  __shared__ unsigned long long shared_tile;
  __shared__ Order shared_order;
  const bool asks = threadIdx.x == 0;
  const std::uint64_t began_ns = cuda::global_nanoseconds();
  if (asks) {
    arrive(at);
    shared_tile = atomicAdd(&at.words->claimed, 1ULL);
  }
  __syncthreads();
  unsigned long long tile = shared_tile;
  Order now = Order::stay;
  while (true) {
    const bool goes_on = now == Order::stay;
    unsigned long long next = 0;
    std::uint32_t stop = 0;
    if (asks && goes_on) {
      next = atomicAdd(&at.words->claimed, 1ULL);
      stop = load_stop(at);
    }
    work(tile % at.tiles);
    if (!goes_on) break;
    __syncthreads();  // all have read what the next lines write
    if (asks) {
      shared_tile = next;
      shared_order = order(at, stop, began_ns);
    }
    __syncthreads();
    tile = shared_tile;
    now = shared_order;
  }
  __syncthreads();
  if (asks) depart(at, now);
}

__global__ void __launch_bounds__(tile_threads) triad_resident_kernel(ResidentLaunch at) {
  const auto *a = static_cast<const float4*>(at.a), *b = static_cast<const float4*>(at.b);
  auto* c = static_cast<float4*>(at.c);
  stay(at, [=](std::uint64_t tile) { triad_tile(a, b, c, tile); });
}

__global__ void __launch_bounds__(tile_threads) copy_resident_kernel(ResidentLaunch at) {
  const auto* from = static_cast<const uint4*>(at.a);
  auto* to = static_cast<uint4*>(at.c);
  stay(at, [=](std::uint64_t tile) { copy_tile(from, to, tile); });
}

__global__ void snapshot_kernel(const ResidentWords* words, ResidentSnapshot* snapshot) {
  snapshot->nanoseconds = cuda::global_nanoseconds();
  snapshot->claimed = *static_cast<const volatile unsigned long long*>(&words->claimed);
  snapshot->began = cuda::load_device(&words->began);
  snapshot->left = cuda::load_device(&words->left);
  __threadfence_system();
}

using ResidentFunction = void (*)(ResidentLaunch);

ResidentFunction function_of(ResidentKind kind) {
  switch (kind) {
    case ResidentKind::triad:
      return triad_resident_kernel;
    case ResidentKind::copy:
      return copy_resident_kernel;
    case ResidentKind::spin:
      break;
  }
  return spin_kernel;
}

}  // namespace

cudaError_t reserve_multiprocessor(ResidentKind kind, int most, int& shared_bytes) {
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, function_of(kind));
  if (status != cudaSuccess) return status;
  shared_bytes = (most - static_cast<int>(attributes.sharedSizeBytes)) / 16 * 16;
  return cudaFuncSetAttribute(function_of(kind), cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
}

cudaError_t launch_resident(const ResidentLaunch& launch, int shared_bytes, cudaStream_t stream) {
  const int threads = launch.kind == ResidentKind::spin ? spin_threads : tile_threads;
  return cuda::launch(function_of(launch.kind),
                      {launch.blocks, threads, static_cast<std::size_t>(shared_bytes)}, stream, launch);
}

cudaError_t launch_snapshot(const ResidentWords* words, ResidentSnapshot* snapshot, cudaStream_t stream) {
  return cuda::launch(snapshot_kernel, {1, 1}, stream, words, snapshot);
}

}  // namespace assay::offload
