// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_loads.hpp"

#include <algorithm>

#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "offload/interference/copy_buffers.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/interference/triad_memory.hpp"

namespace assay::offload {
namespace {

/// Small enough that a capped copy is spread over time, large enough for an engine's full rate.
constexpr std::int64_t largest_piece = 4 * core::mib;

CopyFrom source_of(DeviceLoadKind kind) {
  const bool from_host = kind == DeviceLoadKind::copy_h2d || kind == DeviceLoadKind::sm_copy_h2d;
  return from_host ? CopyFrom::host : CopyFrom::device;
}

class StreamLoad final : public DeviceLoad {
 public:
  explicit StreamLoad(std::int64_t bytes) : memory_(bytes) {
    enqueue(nullptr);
    cuda::check(cudaDeviceSynchronize(), "run a triad alone");
  }
  void enqueue(cudaStream_t stream) override {
    cuda::check(launch_triad(memory_.arrays(), stream), "start a triad");
  }
  void spoil(cudaStream_t stream) override { memory_.spoil(stream); }
  double quantum_bytes() const override {
    return 3.0 * tile_bytes * static_cast<double>(memory_.arrays().tiles);
  }
  std::optional<std::string> wrong() override { return memory_.wrong(memory_.arrays().tiles); }

 private:
  TriadMemory memory_;
};

class EngineCopy final : public DeviceLoad {
 public:
  EngineCopy(CopyFrom from, const DeviceLoadSettings& settings, CopyQuantum quantum)
      : buffers_(from, settings.bytes, settings.node),
        piece_(quantum == CopyQuantum::all ? settings.bytes : std::min(settings.bytes, largest_piece)) {}
  void enqueue(cudaStream_t stream) override {
    buffers_.enqueue(next_, piece_, stream);
    copied_ = std::max(copied_, next_ + piece_);
    next_ = next_ + 2 * piece_ > buffers_.bytes() ? 0 : next_ + piece_;
  }
  void spoil(cudaStream_t stream) override {
    buffers_.spoil(stream);
    next_ = copied_ = 0;
  }
  double quantum_bytes() const override { return static_cast<double>(piece_); }
  std::optional<std::string> wrong() override { return buffers_.wrong(copied_); }

 private:
  CopyBuffers buffers_;
  std::int64_t piece_, next_ = 0, copied_ = 0;
};

class BlocksCopy final : public DeviceLoad {
 public:
  BlocksCopy(CopyFrom from, const DeviceLoadSettings& settings)
      : buffers_(from, settings.bytes, settings.node), blocks_(settings.victim_blocks) {
    enqueue(nullptr);
    cuda::check(cudaDeviceSynchronize(), "run a copy alone");
  }
  void enqueue(cudaStream_t stream) override {
    cuda::check(cuda::launch_stream_load(buffers_.source(), buffers_.target(),
                                         static_cast<std::size_t>(buffers_.bytes()), 1, blocks_, stream),
                "start a copy by multiprocessors");
  }
  void spoil(cudaStream_t stream) override { buffers_.spoil(stream); }
  double quantum_bytes() const override { return static_cast<double>(buffers_.bytes()); }
  std::optional<std::string> wrong() override { return buffers_.wrong(buffers_.bytes()); }
  std::vector<core::Fact> facts() const override { return {{"blocks", std::int64_t{blocks_}}}; }

 private:
  CopyBuffers buffers_;
  int blocks_;
};

}  // namespace

LoadMemory memory_of(DeviceLoadKind kind, const DeviceLoadSettings& settings, std::int64_t l2_bytes) {
  switch (kind) {
    case DeviceLoadKind::gemm:
      return {.device_bytes = gemm_bytes(settings.product, l2_bytes),
              .host_bytes = 2 * settings.product.output_bytes()};
    case DeviceLoadKind::stream:
      return {.device_bytes = settings.bytes, .host_bytes = settings.bytes / 3};
    case DeviceLoadKind::copy_h2d:
    case DeviceLoadKind::copy_d2h:
    case DeviceLoadKind::sm_copy_h2d:
    case DeviceLoadKind::sm_copy_d2h:
      return {.device_bytes = settings.bytes, .host_bytes = 2 * settings.bytes};
    case DeviceLoadKind::nccl:
      return {
          .device_bytes = 2 * settings.bytes, .host_bytes = settings.bytes, .peer_bytes = 2 * settings.bytes};
    case DeviceLoadKind::spin:
      break;
  }
  return {};
}

std::unique_ptr<DeviceLoad> make_device_load(DeviceLoadKind kind, const DeviceLoadSettings& settings,
                                             const cuda::Device& device, CopyQuantum quantum) {
  if (kind == DeviceLoadKind::gemm) return make_gemm_load(settings.product, device);
  if (kind == DeviceLoadKind::stream) return std::make_unique<StreamLoad>(settings.bytes);
  if (kind == DeviceLoadKind::nccl) return make_nccl_load(settings.bytes, device.index);
  if (is_by_engine(kind)) return std::make_unique<EngineCopy>(source_of(kind), settings, quantum);
  return std::make_unique<BlocksCopy>(source_of(kind), settings);
}

}  // namespace assay::offload
