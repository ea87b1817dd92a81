// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/device_step_replay.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"

namespace assay::offload {
namespace {

std::size_t at_least_one(std::int64_t bytes) {
  return static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
}

}  // namespace

DeviceStepReplay::DeviceStepReplay(const training::HostStep& step, int gpu, int node)
    : step_(step),
      gpu_(gpu),
      layout_(step),
      near_(at_least_one(layout_.near_bytes())),
      far_(MemoryKind::pinned, static_cast<std::int64_t>(at_least_one(layout_.far_bytes())), node),
      streams_{cuda::make_stream(), cuda::make_stream()} {
  std::vector<std::byte> near(near_.size());
  layout_.fill(near, far_.bytes());
  cuda::check(cudaMemcpy(near_.data(), near.data(), near.size(), cudaMemcpyHostToDevice),
              "fill a GPU's memory");
}

void DeviceStepReplay::spoil() {
  for (std::size_t at = 0; at < step_.transfers.size(); ++at) {
    const auto bytes = static_cast<std::size_t>(step_.transfers[at].bytes);
    const std::int64_t to = layout_.place(at).to;
    if (step_.transfers[at].to_host)
      std::memset(far_.bytes().data() + to, 0xee, bytes);
    else
      cuda::check(cudaMemset(near_.data() + to, 0xee, bytes), "spoil a GPU's memory");
  }
  cuda::check(cudaDeviceSynchronize(), "spoil a GPU's memory");
}

void DeviceStepReplay::move_all(Direction direction, StepProgress& progress) {
  const cuda::DeviceGuard guard(gpu_);
  cudaStream_t stream = streams_[static_cast<std::size_t>(direction)].get();
  const bool out = direction == Direction::out;
  while (!progress.over(direction)) {
    const std::optional<std::size_t> at = progress.next(direction);
    if (!at) {
      std::this_thread::yield();
      continue;
    }
    const StepLayout::Place& place = layout_.place(*at);
    const auto bytes = static_cast<std::size_t>(step_.transfers[*at].bytes);
    std::byte* const far = far_.bytes().data();
    cuda::check(out ? cudaMemcpyAsync(far + place.to, near_.data() + place.from, bytes,
                                      cudaMemcpyDeviceToHost, stream)
                    : cudaMemcpyAsync(near_.data() + place.to, far + place.from, bytes,
                                      cudaMemcpyHostToDevice, stream),
                "copy a transfer of a step");
    cuda::check(cudaStreamSynchronize(stream), "wait for a transfer of a step");
    progress.ended(direction);
  }
}

HostStepTimes DeviceStepReplay::run() {
  spoil();
  StepProgress progress(step_);
  std::array<std::exception_ptr, 2> failures;
  std::vector<std::thread> movers;
  for (const Direction direction : {Direction::in, Direction::out})
    movers.emplace_back([&, direction] {
      try {
        move_all(direction, progress);
      } catch (...) {
        failures[static_cast<std::size_t>(direction)] = std::current_exception();
        progress.fail();
      }
    });
  const HostStepTimes times = progress.run();
  for (std::thread& mover : movers) mover.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  return times;
}

std::optional<std::string> DeviceStepReplay::wrong() const {
  std::vector<std::byte> near(near_.size());
  cuda::check(cudaMemcpy(near.data(), near_.data(), near.size(), cudaMemcpyDeviceToHost),
              "read a GPU's memory");
  return layout_.wrong(near, far_.bytes());
}

}  // namespace assay::offload
