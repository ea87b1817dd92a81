// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The blocks of a grid: each runs in a thread of the host, on a multiprocessor.
#include <algorithm>
#include <array>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"
#include "harness/cuda/tests/simulated/thread_block.hpp"

namespace assay::cuda::simulated {
namespace {

namespace h100 = core::simulated::h100;

constexpr std::size_t alone_from_bytes = most_shared_bytes / 2;
constexpr std::uint64_t usual_workers = 8;  // blocks at once of a grid that does not wait for all its blocks

/// Who has a multiprocessor to itself.
class Multiprocessors {
 public:
  /// Waits for one that nobody has to itself; `alone`: for the caller alone, until it is given back.
  unsigned take(bool alone) {
    std::unique_lock lock(mutex_);
    unsigned found = 0;
    given_back_.wait(lock, [&] { return find(found); });
    if (alone) {
      taken_[found] = true;
      ++gpu().resident_blocks;
    }
    return found;
  }
  void give_back(unsigned multiprocessor) {
    const std::lock_guard lock(mutex_);
    taken_[multiprocessor] = false;
    --gpu().resident_blocks;
    given_back_.notify_all();
  }

 private:
  bool find(unsigned& found) {
    for (unsigned tried = 0; tried < multiprocessors; ++tried) {
      found = next_++ % multiprocessors;
      if (!taken_[found]) return true;
    }
    return false;
  }

  std::mutex mutex_;
  std::condition_variable given_back_;
  std::array<bool, multiprocessors> taken_{};
  unsigned next_ = 0;
};

Multiprocessors& all_multiprocessors() {
  static Multiprocessors all;
  return all;
}

struct Grid {
  dim3 blocks, threads;
  std::size_t shared_bytes;
  std::function<void()> kernel;
  std::atomic<std::uint64_t> next{0};
  double began_ns = 0, clock_mhz = 0;
  std::atomic<std::uint64_t> moved_bytes{0};
  std::atomic<double> waited_ns{0};  // by any block
  std::uint64_t count() const { return std::uint64_t{blocks.x} * blocks.y * blocks.z; }
};

void run_block_of(Grid& grid, std::uint64_t index, unsigned char* shared) {
  Place& here = place();
  here.block = {static_cast<unsigned>(index % grid.blocks.x),
                static_cast<unsigned>(index / grid.blocks.x % grid.blocks.y),
                static_cast<unsigned>(index / grid.blocks.x / grid.blocks.y)};
  here.block_size = grid.threads;
  here.grid_size = grid.blocks;
  here.launched_shared_memory = shared;
  const bool alone = grid.shared_bytes >= alone_from_bytes;
  here.has_multiprocessor_to_itself = alone;
  here.clock_reads = 0;
  here.began_ns = grid.began_ns;
  here.clock_mhz = grid.clock_mhz;
  here.waited_ns = 0;
  here.moved_bytes = 0;
  const unsigned taken = all_multiprocessors().take(alone);
  here.multiprocessor = alone && gpu().blocks_share_multiprocessors ? 0 : taken;
  try {
    run_block(grid.kernel);
  } catch (const Trap&) {
    lose_gpu();
  }
  grid.moved_bytes += here.moved_bytes;
  if (here.waited_ns > grid.waited_ns) grid.waited_ns = here.waited_ns;
  if (alone) all_multiprocessors().give_back(taken);
}

void run_blocks(Grid& grid) {
  constexpr std::size_t alignment = 128;
  const std::unique_ptr<unsigned char[]> memory(new unsigned char[grid.shared_bytes + alignment]);
  void* shared = memory.get();
  std::size_t module = grid.shared_bytes + alignment;
  std::align(alignment, grid.shared_bytes, shared, module);
  for (std::uint64_t index = grid.next++; index < grid.count() && gpu_status() == cudaSuccess;
       index = grid.next++)
    run_block_of(grid, index, static_cast<unsigned char*>(shared));
}

void run_grid(Grid& grid) {
  grid.next = 0;  // a graph launches it again
  grid.moved_bytes = 0;
  grid.waited_ns = 0;
  if (time_is_virtual()) grid.began_ns = 1e9 * stream_now_s(), grid.clock_mhz = stream_clock_mhz();
  if (gpu().grids_until_loss >= 0 && gpu().grids_until_loss-- == 0) lose_gpu();
  std::vector<std::jthread> workers;
  const std::uint64_t most = grid.shared_bytes >= alone_from_bytes ? multiprocessors : usual_workers;
  for (std::uint64_t worker = 1; worker < std::min(grid.count(), most); ++worker)
    workers.emplace_back([&grid] { run_blocks(grid); });
  run_blocks(grid);
  workers.clear();  // joins them
  const double moving_s = static_cast<double>(grid.moved_bytes) / h100::memory_bytes_per_s;
  spend(h100::launch_s + std::max(moving_s, 1e-9 * grid.waited_ns));
}

std::mutex allowed_mutex;
std::map<const void*, int>& allowed_shared_bytes() {
  static std::map<const void*, int> allowed;
  return allowed;
}

std::size_t allowed_shared_bytes_of(const void* kernel) {
  constexpr int without_asking = 48 << 10;
  const std::lock_guard lock(allowed_mutex);
  const auto found = allowed_shared_bytes().find(kernel);
  return static_cast<std::size_t>(found == allowed_shared_bytes().end() ? without_asking : found->second);
}

bool is_legal(const Grid& grid) {
  const std::uint64_t threads = std::uint64_t{grid.threads.x} * grid.threads.y * grid.threads.z;
  return threads >= 1 && threads <= 1024 && grid.threads.z <= 64 && grid.count() >= 1 &&
         grid.blocks.x <= 0x7fffffffU && grid.blocks.y <= 65535 && grid.blocks.z <= 65535;
}

}  // namespace

void queue_grid(const void* kernel, dim3 blocks, dim3 threads, std::size_t shared_bytes, cudaStream_t stream,
                std::function<void()> thread) {
  if (gpu_status() != cudaSuccess) return;
  const auto grid = std::make_shared<Grid>(blocks, threads, shared_bytes, std::move(thread));
  if (!is_legal(*grid)) {
    remember(cudaErrorInvalidConfiguration);
  } else if (shared_bytes > allowed_shared_bytes_of(kernel)) {
    remember(cudaErrorInvalidValue);
  } else {
    if (grid->count() == 1 && threads.x * threads.y * threads.z == 1) ++gpu().grids_of_one_thread;
    queue_work(stream, [grid] { run_grid(*grid); });
  }
}

}  // namespace assay::cuda::simulated

extern "C" {

using namespace assay::cuda::simulated;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  return gpu_status();
}

cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value > most_shared_bytes)
    return remember(cudaErrorInvalidValue);
  const std::lock_guard lock(allowed_mutex);
  allowed_shared_bytes()[kernel] = value;
  return gpu_status();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, std::size_t) {
  *blocks = 1;
  return gpu_status();
}

}  // extern "C"
