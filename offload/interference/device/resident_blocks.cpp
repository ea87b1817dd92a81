// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/resident_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"
#include "harness/cuda/timing/event_timer.hpp"

namespace assay::offload {
namespace {

constexpr double longest_start_s = 5;
constexpr std::chrono::seconds longest_stay(30), longest_leave(60);

ResidentKind kernel_of(DeviceLoadKind kind) {
  if (kind == DeviceLoadKind::stream) return ResidentKind::triad;
  return kind == DeviceLoadKind::spin ? ResidentKind::spin : ResidentKind::copy;
}

std::uint32_t read(std::uint32_t& word) {
  return std::atomic_ref<std::uint32_t>(word).load(std::memory_order_acquire);
}

}  // namespace

ResidentBlocks::ResidentBlocks(DeviceLoadKind kind, int blocks, const DeviceLoadSettings& settings,
                               const cuda::Device& device)
    : kind_(kind),
      words_(sizeof(ResidentWords)),
      host_words_(sizeof(ResidentHostWords)),
      snapshots_(2 * sizeof(ResidentSnapshot)),
      stream_(cuda::make_stream()) {
  launch_.kind = kernel_of(kind);
  launch_.blocks = blocks;
  launch_.words = words_.as<ResidentWords>();
  launch_.host = host_words_.on_device<ResidentHostWords>();
  launch_.limit_ns = static_cast<std::uint64_t>(std::chrono::nanoseconds(longest_stay).count());
  if (launch_.kind == ResidentKind::triad) {
    triad_ = std::make_unique<TriadMemory>(settings.bytes);
    const TriadArrays& arrays = triad_->arrays();
    launch_.a = arrays.a;
    launch_.b = arrays.b;
    launch_.c = arrays.c;
    launch_.tiles = arrays.tiles;
  } else if (launch_.kind == ResidentKind::copy) {
    const auto from = kind == DeviceLoadKind::sm_copy_h2d ? CopyFrom::host : CopyFrom::device;
    copy_ = std::make_unique<CopyBuffers>(from, settings.bytes, settings.node);
    launch_.a = copy_->source();
    launch_.c = copy_->target();
    launch_.tiles = static_cast<std::uint64_t>(settings.bytes / tile_bytes);
  }
  cuda::check(reserve_multiprocessor(launch_.kind, device.max_shared_bytes_per_block, shared_bytes_),
              "reserve a multiprocessor for a block");
  cuda::check(cudaMemset(words_.data(), 0, words_.size()), "clear the words of resident blocks");
  // Loaded now: it runs at the same time as blocks that a module's loading might wait for.
  mark(0, stream_.get());
  cuda::check(cudaDeviceSynchronize(), "prepare resident blocks");
}

void ResidentBlocks::mark(int which, cudaStream_t victim) {
  cuda::check(
      launch_snapshot(words_.as<ResidentWords>(), snapshots_.on_device<ResidentSnapshot>() + which, victim),
      "ask resident blocks how far they are");
}

void ResidentBlocks::start() {
  ++launch_.ticket;
  cuda::check(cudaMemsetAsync(words_.data(), 0, launch_words_bytes, stream_.get()),
              "clear the words of resident blocks");
  cuda::check(launch_resident(launch_, shared_bytes_, stream_.get()), "start resident blocks");
  running_ = true;
  try {
    await_start();
  } catch (core::Error& error) {
    abandon();
    if (cuda::context_is_lost()) error.poison();
    throw;
  }
}

void ResidentBlocks::await_start() {
  const double began_s = core::steady_seconds();
  auto& words = *host_words_.as<ResidentHostWords>();
  while (read(words.started) != launch_.ticket) {
    if (cuda::is_finished(stream_.get(), "start resident blocks") && read(words.started) != launch_.ticket)
      throw core::Error(core::ErrorKind::cuda, "resident blocks ended before all of them had started");
    if (core::steady_seconds() - began_s > longest_start_s)
      throw core::TimedOut(core::ErrorKind::cuda,
                           fmt::format("{} thread blocks did not all get a multiprocessor within {} s",
                                       launch_.blocks, longest_start_s));
    std::this_thread::sleep_for(std::chrono::microseconds(5));
  }
}

void ResidentBlocks::order_to_leave() noexcept {
  std::atomic_ref<std::uint32_t>(host_words_.as<ResidentHostWords>()->stop)
      .store(launch_.ticket, std::memory_order_release);
}

Meanwhile ResidentBlocks::stop() {
  order_to_leave();
  cuda::wait_for(stream_.get(), "stop resident blocks", longest_leave);
  running_ = false;
  ResidentWords words;
  cuda::check(cudaMemcpy(&words, words_.data(), sizeof words, cudaMemcpyDeviceToHost),
              "read the words of resident blocks");
  claimed_ = words.claimed;
  multiprocessors_ = {words.sm.begin(), words.sm.begin() + launch_.blocks};
  require_each_its_own();
  const auto* seen = snapshots_.as<ResidentSnapshot>();
  const auto blocks = static_cast<std::uint32_t>(launch_.blocks);
  if (seen[0].began != blocks || seen[1].left != 0 || words.by_limit != 0)
    throw core::Error(
        core::ErrorKind::cuda,
        fmt::format("resident blocks were not there all along: {} of {} at the beginning, {} gone "
                    "at the end, {} by their time limit of {} s",
                    seen[0].began, blocks, seen[1].left, words.by_limit, longest_stay.count()));
  const double seconds = 1e-9 * static_cast<double>(seen[1].nanoseconds - seen[0].nanoseconds);
  const auto tiles = static_cast<double>(seen[1].claimed - seen[0].claimed);
  return {.quanta_per_s = seconds > 0 ? tiles / seconds : 0};
}

void ResidentBlocks::require_each_its_own() const {
  if (static_cast<int>(multiprocessors_.size()) == launch_.blocks) return;
  throw core::Error(core::ErrorKind::cuda,
                    fmt::format("{} thread blocks that should each fill a multiprocessor were on {} of them",
                                launch_.blocks, multiprocessors_.size()));
}

void ResidentBlocks::abandon() noexcept {
  if (!running_) return;
  order_to_leave();
  running_ = false;
  if (cuda::context_is_lost()) return;
  try {
    cuda::wait_for(stream_.get(), "stop resident blocks", longest_leave);
  } catch (const core::Error&) {
    // Whoever abandons reports an error of its own; the context is marked as lost.
  }
}

double ResidentBlocks::quantum_bytes() const {
  if (triad_) return 3.0 * tile_bytes;
  return copy_ ? static_cast<double>(tile_bytes) : 0;
}

std::optional<std::string> ResidentBlocks::wrong() {
  const std::uint64_t tiles = std::min<std::uint64_t>(claimed_, launch_.tiles);
  if (triad_) return triad_->wrong(tiles);
  if (copy_) return copy_->wrong(static_cast<std::int64_t>(tiles) * tile_bytes);
  return std::nullopt;
}

std::vector<core::Fact> ResidentBlocks::facts() const {
  return {{"aggressor_multiprocessors", std::int64_t{launch_.blocks}},
          {"aggressor_tiles", static_cast<std::int64_t>(claimed_)}};
}

}  // namespace assay::offload
