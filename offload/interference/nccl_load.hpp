// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An all-reduce by NCCL with another GPU of the node, as one of the loads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "offload/interference/device/device_loads.hpp"

namespace assay::offload {

/// The GPU that `gpu` reduces with, of `gpus` >= 2: the next one, and the first after the last.
constexpr int nccl_peer(int gpu, int gpus) { return (gpu + 1) % gpus; }

/// The component that this build lacks; nothing where it has all.
std::optional<std::string> nccl_not_built();

/// Why NCCL cannot run on one of `gpus` GPUs of this process, in the loader's words where it is not there.
std::optional<std::string> nccl_unavailable(int gpus);

/// fp32 sums of `bytes` on this GPU, which is current, and its peer. They have been summed up once, so that
/// everything is connected and loaded. Throws core::Error.
std::unique_ptr<DeviceLoad> make_nccl_load(std::int64_t bytes, int gpu);

}  // namespace assay::offload
