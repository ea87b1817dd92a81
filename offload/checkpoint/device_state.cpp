// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/device_state.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstring>
#include <utility>

#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "offload/arena_of.hpp"
#include "offload/incompressible.hpp"
#include "offload/storage/storage_file.hpp"

namespace assay::offload {
namespace {

constexpr std::chrono::seconds longest_copy(300);

}  // namespace

DeviceState::DeviceState(std::int64_t bytes, int gpu, int node)
    : site_(gpu),
      telemetry_(cuda::open_telemetry(site_.device.pci_address)),
      state_(static_cast<std::size_t>(bytes)),
      snapshot_(MemoryKind::huge, bytes, node) {
  const std::span<std::byte> memory = snapshot_.bytes();
  fill_incompressibly(
      {reinterpret_cast<std::uint64_t*>(memory.data()), memory.size() / sizeof(std::uint64_t)});
  copy_to_device();
}

void DeviceState::wait(const char* doing) const { cuda::wait_for(site_.stream.get(), doing, longest_copy); }

void DeviceState::copy_to_device() {
  cuda::check(cudaMemcpyAsync(state_.data(), snapshot_.bytes().data(), state_.size(), cudaMemcpyHostToDevice,
                              site_.stream.get()),
              "copy a state to the device");
  wait("copy a state to the device");
}

void DeviceState::stamp(std::int64_t number) {
  // Eight bytes of every page, each the number's last byte.
  cuda::check(cudaMemset2DAsync(state_.data(), direct_alignment, static_cast<int>(number & 0xff),
                                sizeof(std::int64_t), state_.size() / direct_alignment, site_.stream.get()),
              "change the state");
  wait("change the state");
}

void DeviceState::take_snapshot() {
  cuda::check(cudaMemcpyAsync(snapshot_.bytes().data(), state_.data(), state_.size(), cudaMemcpyDeviceToHost,
                              site_.stream.get()),
              "take a snapshot");
  wait("take a snapshot");
}

host::Arena DeviceState::content() {
  take_snapshot();
  host::Arena copy = arena_of(bytes());
  std::memcpy(copy.data(), snapshot_.bytes().data(), state_.size());
  return copy;
}

void DeviceState::restore(const std::function<void(std::span<std::byte> memory)>& read) {
  cuda::check(cudaMemsetAsync(state_.data(), 0xff, state_.size(), site_.stream.get()), "spoil the state");
  read(snapshot_.bytes());
  copy_to_device();
}

std::optional<std::size_t> DeviceState::first_difference(std::span<const std::byte> expected) {
  std::memset(snapshot_.bytes().data(), 0, state_.size());  // or it would be what restore() left there
  take_snapshot();
  return offload::first_difference(snapshot_.bytes(), expected);
}

std::vector<core::Fact> DeviceState::facts() const {
  std::vector<core::Fact> facts{{"state_in", "device memory"},
                                {"snapshot_in", "page-locked huge pages of the host, where it has them"},
                                {core::names::gpu_name, site_.device.name},
                                {core::names::gpu_pci_address, site_.device.pci_address}};
  for (core::Fact& fact : cuda::version_facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : telemetry_->facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::offload
