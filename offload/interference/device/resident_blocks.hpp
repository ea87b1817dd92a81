// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The aggressor that is k thread blocks, each on a multiprocessor of its own from start to stop.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "harness/cuda/buffers.hpp"
#include "harness/cuda/handles.hpp"
#include "offload/interference/aggressor.hpp"
#include "offload/interference/copy_buffers.hpp"
#include "offload/interference/device/device_loads.hpp"
#include "offload/interference/device/resident_kernels.hpp"
#include "offload/interference/triad_memory.hpp"

namespace assay::offload {

class ResidentBlocks final : public Aggressor {
 public:
  /// `kind` as is_resident() says; `blocks` from 1 to most_resident_blocks, fewer than the device has
  /// multiprocessors. The device must be current. Throws core::Error.
  ResidentBlocks(DeviceLoadKind kind, int blocks, const DeviceLoadSettings& settings,
                 const cuda::Device& device);
  ~ResidentBlocks() override { abandon(); }
  ResidentBlocks(const ResidentBlocks&) = delete;
  ResidentBlocks& operator=(const ResidentBlocks&) = delete;

  void start() override;
  void mark_begin(cudaStream_t victim) override { mark(0, victim); }
  void mark_end(cudaStream_t victim) override { mark(1, victim); }
  Meanwhile stop() override;
  void abandon() noexcept override;

  /// Those that the blocks of the last start() were on; once stop() has returned.
  const std::set<std::uint32_t>& multiprocessors() const { return multiprocessors_; }

  double quantum_bytes() const override;
  std::optional<std::string> wrong() override;
  std::vector<core::Fact> facts() const override;

 private:
  void await_start();
  void mark(int which, cudaStream_t victim);
  void order_to_leave() noexcept;
  void require_each_its_own() const;

  DeviceLoadKind kind_;
  ResidentLaunch launch_;
  int shared_bytes_ = 0;
  std::unique_ptr<CopyBuffers> copy_;
  std::unique_ptr<TriadMemory> triad_;
  cuda::DeviceBuffer words_;
  cuda::PinnedBuffer host_words_, snapshots_;
  cuda::Stream stream_;
  bool running_ = false;
  std::uint64_t claimed_ = 0;
  std::set<std::uint32_t> multiprocessors_;
};

}  // namespace assay::offload
