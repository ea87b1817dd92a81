// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GPU of threads, for tests: a stream is one, works off what is queued in order and beside the others, in
// memory of the host; our own kernels run as they are written (device_language.hpp). It times nothing worth a
// number. Link it, and the kernels, in the place of the CUDA runtime and of what nvcc makes.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <cstddef>
#include <functional>

namespace assay::cuda::simulated {

inline constexpr unsigned multiprocessors = 40;
inline constexpr std::size_t l2_bytes = std::size_t{2} << 20;
inline constexpr std::size_t memory_bytes = std::size_t{2} << 30;
inline constexpr int most_shared_bytes = 227 << 10;  // of a block; one that takes over half is alone

struct SimulatedGpu {
  std::atomic<int> devices{1};  // which share what else is said here
  std::atomic<int> compute_major{9};
  std::atomic<bool> devices_reach_each_other{true}, page_locking_fails{false};
  std::atomic<bool> exports_fabric_handles{true}, has_imex_channel{true};
  /// Thread blocks that are there now, each of which has a multiprocessor to itself.
  std::atomic<int> resident_blocks{0};
  /// Allocated, freed or synchronised while such blocks were there: on a GPU that may wait for them.
  std::atomic<int> forbidden_calls{0};
  std::atomic<int> urgent_streams{0};       // made so far
  std::atomic<int> grids_of_one_thread{0};  // queued so far: gates, snapshots

  /// Faults. Of blocks that have a multiprocessor to themselves: all say that it is the same, and see their
  /// time limit pass at once. Of all: fused multiply-adds give 1 too much, stores past the L1 do nothing.
  /// After so many more grids (negative: never) every call fails.
  std::atomic<bool> blocks_share_multiprocessors{false}, blocks_leave_at_once{false};
  std::atomic<bool> sums_are_wrong{false}, stores_do_nothing{false};
  std::atomic<int> grids_until_loss{-1};
};
SimulatedGpu& gpu();

/// Queues work on a stream; nullptr is the default stream, which other streams do not wait for.
void queue_work(cudaStream_t stream, std::function<void()> work);

/// On a pretended node time is virtual: what runs on a stream says how long it took, and nothing else takes
/// time. Elsewhere clocks are the host's.
bool time_is_virtual();
/// Called by work of a stream: so long it would have taken an H100, launch included; noise, faults and
/// throttling are added here.
void spend(double seconds);
/// Time and clock of the stream whose work runs in this thread.
double stream_now_s();
double stream_clock_mhz();
/// Called by a product of matrices: whether the fault makes this one wrong.
bool product_is_wrong();

/// GPUs work at the same time that had work between two moments at which none had.
void work_begins(int slot);
void work_ends();
/// The seconds that work of `seconds` takes on this slot; shown in its readings.
double spend_on(int slot, double seconds);
double clock_mhz_of(int slot);
int current_slot();  // of the calling thread's current device
/// cudaErrorLaunchFailure once it is lost.
cudaError_t gpu_status();
void lose_gpu();

/// Keeps an error of the calling thread, which cudaGetLastError() returns once.
cudaError_t remember(cudaError_t status);

/// Queues thread(), a thread of `kernel`, for every thread of every block. As with <<<>>>, only the thread's
/// last error says whether that failed.
void queue_grid(const void* kernel, dim3 blocks, dim3 threads, std::size_t shared_bytes, cudaStream_t stream,
                std::function<void()> thread);

}  // namespace assay::cuda::simulated
