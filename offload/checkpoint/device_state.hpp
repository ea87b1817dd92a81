// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A state in device memory; its snapshot is page-locked memory of the host, on huge pages where it has them.
#pragma once

#include <memory>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/telemetry/telemetry.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "offload/checkpoint/checkpoint_state.hpp"
#include "offload/copy/host_memory.hpp"

namespace assay::offload {

class DeviceState final : public CheckpointState {
 public:
  /// Bytes that no storage can compress. `node` -1: any. The device is current while it lives. Throws
  /// core::Error.
  DeviceState(std::int64_t bytes, int gpu, int node);

  std::int64_t bytes() const override { return static_cast<std::int64_t>(state_.size()); }
  void stamp(std::int64_t number) override;
  void take_snapshot() override;
  std::span<const std::byte> snapshot() const override { return snapshot_.bytes(); }
  host::Arena content() override;
  /// Restores by way of the snapshot's memory, which then holds what was restored.
  void restore(const std::function<void(std::span<std::byte> memory)>& read) override;
  std::optional<std::size_t> first_difference(std::span<const std::byte> expected) override;
  void sampling_begins() override { telemetry_->begin(); }
  void sampling_ends() override { telemetry_->end(); }
  std::vector<core::Fact> facts() const override;

 private:
  void wait(const char* doing) const;
  void copy_to_device();

  cuda::DeviceSite site_;
  std::unique_ptr<cuda::Telemetry> telemetry_;
  cuda::DeviceBuffer state_;
  HostMemory snapshot_;
};

}  // namespace assay::offload
