// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_contest_limits.hpp"

#include <fmt/core.h>

#include "harness/cuda/device.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/interference/device/device_loads.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

ContestLimits contest_limits(const DeviceContestSettings& settings, int gpu) {
  const cuda::Device device = cuda::describe_device(gpu);
  const int gpus = cuda::device_count();
  // Only then: to ask a GPU makes it allocate.
  const bool with_peer = settings.has(DeviceLoadKind::nccl) && gpus > 1;
  return {.sm_count = device.sm_count,
          .compute_capability = 10 * device.compute_major + device.compute_minor,
          .l2_bytes = device.l2_bytes,
          .free_device_bytes = free_device_bytes(gpu),
          .available_host_bytes = host::available_memory_bytes(settings.loads.node),
          .gpus = gpus,
          .free_peer_bytes = with_peer ? free_device_bytes(nccl_peer(gpu, gpus)) : 0};
}

std::optional<std::string> cannot_contest(const DeviceContestSettings& settings,
                                          const ContestLimits& limits) {
  if (settings.taken() >= limits.sm_count)
    return fmt::format("blocks={}: this GPU has {} multiprocessors, and the victim needs one",
                       settings.blocks, limits.sm_count);
  if (settings.has(DeviceLoadKind::gemm)) {
    if (auto why = workload::CublasLt::unavailable()) return why;
    if (limits.compute_capability < 80) return "a product of bf16 needs compute capability 8.0";
  }
  if (settings.has(DeviceLoadKind::nccl))
    if (auto why = nccl_unavailable(limits.gpus)) return why;
  LoadMemory needed = memory_of(settings.victim, settings.loads, limits.l2_bytes);
  if (settings.blocks > 0) {
    const LoadMemory more = memory_of(settings.aggressor, settings.loads, limits.l2_bytes);
    needed.device_bytes += more.device_bytes;
    needed.host_bytes += more.host_bytes;
    needed.peer_bytes += more.peer_bytes;
  }
  if (auto why = does_not_fit("the device memory of the peer", needed.peer_bytes, limits.free_peer_bytes))
    return why;
  if (auto why = does_not_fit("the device memory of the victim and its aggressor", needed.device_bytes,
                              limits.free_device_bytes))
    return why;
  return does_not_fit("the host memory of the victim and its aggressor, and of their check",
                      needed.host_bytes, limits.available_host_bytes);
}

}  // namespace assay::offload
