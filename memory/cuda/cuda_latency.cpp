// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_latency.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/peer_access.hpp"

namespace assay::memory {
namespace {

ChaseMemory own_memory(std::uint64_t nodes) {
  auto buffer = std::make_shared<cuda::DeviceBuffer>(nodes * sizeof(ChaseNode));
  return {buffer, buffer->as<ChaseNode>()};
}

ChaseMemory host_memory(std::uint64_t nodes) {
  auto buffer = std::make_shared<cuda::PinnedBuffer>(nodes * sizeof(ChaseNode));
  return {buffer, buffer->on_device<ChaseNode>()};
}

struct PeerMemory {
  cuda::PeerAccess access;
  cuda::DeviceBuffer buffer;
};

ChaseMemory peer_memory(std::uint64_t nodes, int gpu, int peer) {
  const std::shared_ptr<PeerMemory> made(new PeerMemory{{gpu, peer}, {}});
  if (!made->access.possible())
    throw core::Unsupported(core::ErrorKind::cuda,
                            fmt::format("GPU {} does not reach the memory of GPU {}", gpu, peer));
  const cuda::DeviceGuard guard(peer);
  made->buffer = cuda::DeviceBuffer(nodes * sizeof(ChaseNode));
  return {made, made->buffer.as<ChaseNode>()};
}

}  // namespace

CudaLatency::CudaLatency(const Settings& settings, cuda::DeviceSite& site)
    : CudaChase(own_memory(settings.nodes), settings.nodes, site) {}

std::optional<std::string> CudaLinkLatency::unsupported(const Settings& settings) {
  if (!settings.of_peer) return std::nullopt;
  const int devices = cuda::device_count();
  if (settings.peer >= 0 && settings.peer < devices) return std::nullopt;
  return fmt::format("peer={}: this process sees {} GPUs, the first is 0", settings.peer, devices);
}

CudaLinkLatency::CudaLinkLatency(const Settings& settings, cuda::DeviceSite& site)
    : CudaChase(settings.of_peer ? peer_memory(settings.nodes, settings.place.gpu, settings.peer)
                                 : host_memory(settings.nodes),
                settings.nodes, site) {}

std::vector<core::Case> cuda_latency_cases(const machine::Machine&) {
  return {core::case_of<CudaLatency>(), core::case_of<CudaLinkLatency>()};
}

}  // namespace assay::memory
