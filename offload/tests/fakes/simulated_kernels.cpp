// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The kernels that a simulated GPU runs, by the same interfaces.
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "harness/cuda/kernels.hpp"
#include "offload/clock.hpp"
#include "offload/interference/load_formula.hpp"
#include "offload/interference/load_kernels.hpp"
#include "offload/interference/resident_kernels.hpp"
#include "offload/tests/fakes/simulated_gpu.hpp"

namespace {

using assay::offload::tests::gpu;
using assay::offload::tests::gpu_status;
using assay::offload::tests::queue_work;

void rest() { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

std::uint64_t now_ns() { return static_cast<std::uint64_t>(1e9 * assay::offload::now_s()); }

template <class Word>
Word load(Word& word) {
  return std::atomic_ref<Word>(word).load();
}

}  // namespace

namespace assay::cuda {

cudaError_t kernels_can_run() { return gpu_status(); }

cudaError_t launch_gate(GateWords* words, std::uint32_t ticket, std::uint64_t, cudaStream_t stream) {
  ++gpu().gates;
  queue_work(stream, [=] {
    while (static_cast<std::int32_t>(load(words->opened) - ticket) < 0) rest();
  });
  return gpu_status();
}

cudaError_t launch_stamp(SmStamp* stamps, int, int blocks, cudaStream_t stream) {
  queue_work(stream, [=] {
    const std::uint64_t now = now_ns();  // two cycles a nanosecond
    for (int sm = 0; sm < blocks; ++sm) stamps[sm] = {2 * now, now};
  });
  return gpu_status();
}

cudaError_t launch_stream_load(const void* source, void* target, std::size_t bytes, int, int,
                               cudaStream_t stream) {
  queue_work(stream, [=] { std::memcpy(target, source, bytes); });
  return gpu_status();
}

}  // namespace assay::cuda

namespace assay::offload {
namespace {

void triad_tile(const float* a, const float* b, float* c, std::uint64_t tile) {
  const float error = tests::gpu().triads_are_wrong ? 1 : 0;
  const auto first = static_cast<std::int64_t>(tile) * tile_floats;
  for (std::int64_t i = first; i < first + tile_floats; ++i) c[i] = a[i] + 3 * b[i] + error;
}

void work_on(const ResidentLaunch& at, std::uint64_t tile) {
  if (at.kind == ResidentKind::triad)
    triad_tile(static_cast<const float*>(at.a), static_cast<const float*>(at.b), static_cast<float*>(at.c),
               tile);
  else
    std::memcpy(static_cast<char*>(at.c) + static_cast<std::int64_t>(tile) * tile_bytes,
                static_cast<const char*>(at.a) + static_cast<std::int64_t>(tile) * tile_bytes, tile_bytes);
}

void stay(const ResidentLaunch& at, int block) {
  ResidentWords& words = *at.words;
  words.sm[static_cast<std::size_t>(block)] =
      gpu().blocks_share_multiprocessors ? 0U : static_cast<std::uint32_t>(block);
  ++gpu().resident_blocks;
  if (static_cast<int>(std::atomic_ref(words.began).fetch_add(1)) == at.blocks - 1)
    std::atomic_ref(at.host->started).store(at.ticket);
  while (load(at.host->stop) != at.ticket && gpu_status() == cudaSuccess && !gpu().blocks_leave_at_once) {
    if (at.kind != ResidentKind::spin) work_on(at, std::atomic_ref(words.claimed).fetch_add(1) % at.tiles);
    rest();
  }
  if (load(at.host->stop) != at.ticket) std::atomic_ref(words.by_limit).fetch_add(1);
  --gpu().resident_blocks;
  std::atomic_ref(words.left).fetch_add(1);
}

}  // namespace

cudaError_t launch_fill_operand(std::uint16_t*, std::int64_t, std::uint64_t, cudaStream_t) {
  return cudaErrorNotSupported;
}

cudaError_t launch_fill_triad(const TriadArrays& arrays, cudaStream_t stream) {
  queue_work(stream, [=] {
    const auto count = static_cast<std::int64_t>(arrays.tiles) * tile_floats;
    for (std::int64_t i = 0; i < count; ++i) {
      arrays.a[i] = triad_a(static_cast<std::uint64_t>(i));
      arrays.b[i] = triad_b(static_cast<std::uint64_t>(i));
      arrays.c[i] = -1;
    }
  });
  return gpu_status();
}

cudaError_t launch_triad(const TriadArrays& arrays, cudaStream_t stream) {
  queue_work(stream, [=] {
    if (gpu().triads_do_nothing) return;
    if (gpu().triads_until_loss >= 0 && gpu().triads_until_loss-- == 0) tests::lose_gpu();
    for (std::uint64_t tile = 0; tile < arrays.tiles; ++tile) triad_tile(arrays.a, arrays.b, arrays.c, tile);
  });
  return gpu_status();
}

cudaError_t reserve_multiprocessor(ResidentKind, int most, int& shared_bytes) {
  shared_bytes = most;
  return gpu_status();
}

cudaError_t launch_resident(const ResidentLaunch& launch, int, cudaStream_t stream) {
  queue_work(stream, [launch] {
    std::vector<std::jthread> blocks;
    for (int block = 0; block < launch.blocks; ++block)
      blocks.emplace_back([&launch, block] { stay(launch, block); });
  });
  return gpu_status();
}

cudaError_t launch_snapshot(const ResidentWords* words, ResidentSnapshot* snapshot, cudaStream_t stream) {
  ++gpu().snapshots;
  queue_work(stream, [=] {
    auto& seen = const_cast<ResidentWords&>(*words);
    *snapshot = {.claimed = load(seen.claimed),
                 .nanoseconds = now_ns(),
                 .began = load(seen.began),
                 .left = load(seen.left)};
  });
  return gpu_status();
}

}  // namespace assay::offload
