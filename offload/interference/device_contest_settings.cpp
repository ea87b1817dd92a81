// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device_contest_settings.hpp"

#include <fmt/core.h>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/interference/nccl_load.hpp"
#include "offload/interference/resident_kernels.hpp"
#include "offload/interference/tile.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

/// Of a side of a product: its result is kept on the host too, to be compared.
constexpr std::int64_t longest = 32768;

workload::Problem product_of(const core::Point& point) {
  const auto size = [&](const char* name) {
    const std::int64_t given = within(point, name, 0, longest);
    return given == 0 ? within(point, "m", 1, longest) : given;
  };
  return {.m = size("m"), .n = size("n"), .k = size("k"), .dtype = workload::Dtype::bf16};
}

std::int64_t bytes_of(const core::Point& point) {
  const std::int64_t bytes = within(point, "bytes", core::mib, std::int64_t{1} << 50);
  if (bytes % tile_bytes != 0)
    core::usage_error(fmt::format("bytes={}: expected a multiple of {}", bytes, tile_bytes));
  return bytes;
}

bool has(const DeviceContestSettings& settings, DeviceLoadKind kind) {
  return settings.victim == kind || (settings.blocks > 0 && settings.aggressor == kind);
}

}  // namespace

std::optional<std::string> cannot_meet(const DeviceContestSettings& settings) {
  if (settings.victim == DeviceLoadKind::nccl && settings.aggressor == DeviceLoadKind::nccl &&
      settings.blocks > 0)
    return "two collectives at once of the same GPUs may wait for each other for ever";
  if (settings.victim == settings.aggressor && is_by_engine(settings.victim) && settings.blocks > 0)
    return "one engine copies in one direction and serves a stream until its queue is empty: a load that "
           "never "
           "ends would keep the victim waiting";
  if (settings.cap_gb_per_s != unlimited && !is_by_engine(settings.aggressor))
    return fmt::format("cap_gb_per_s={}: only a copy by engine can be held back, not {}",
                       settings.cap_gb_per_s, to_string(settings.aggressor));
  return std::nullopt;
}

DeviceContestSettings device_contest_settings(const core::Point& point) {
  return {.victim = device_load_from("victim", point.text("victim")),
          .aggressor = device_load_from("aggressor", point.text("aggressor")),
          .blocks = static_cast<int>(within(point, "blocks", 0, most_resident_blocks)),
          .cap_gb_per_s = parse_cap(point.text("cap_gb_per_s")),
          .round_s = 1e-3 * static_cast<double>(within(point, "round_ms", 1, 5000)),
          .loads = {.product = product_of(point),
                    .bytes = bytes_of(point),
                    .node = static_cast<int>(within(point, "numa", -1, 1 << 20)),
                    .victim_blocks = static_cast<int>(within(point, "victim_blocks", 1, 4096))}};
}

ContestLimits contest_limits(const DeviceContestSettings& settings, int gpu) {
  const cuda::Device device = cuda::describe_device(gpu);
  const int gpus = cuda::device_count();
  // Only then: to ask a GPU makes it allocate.
  const bool with_peer = has(settings, DeviceLoadKind::nccl) && gpus > 1;
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
  if (has(settings, DeviceLoadKind::gemm)) {
    if (auto why = workload::CublasLt::unavailable()) return why;
    if (limits.compute_capability < 80) return "a product of bf16 needs compute capability 8.0";
  }
  if (has(settings, DeviceLoadKind::nccl))
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
