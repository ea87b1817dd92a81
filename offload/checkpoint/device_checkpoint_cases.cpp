// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint of a GPU's memory, in two stages during its products.
#include <fmt/core.h>

#include <memory>

#include "harness/cuda/device.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/checkpoint/device_checkpoint_declarations.hpp"
#include "offload/checkpoint/device_checkpoint_space.hpp"
#include "offload/checkpoint/device_gemm_steps.hpp"
#include "offload/checkpoint/device_state.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/free_device_bytes.hpp"

namespace assay::offload {
namespace {

class DeviceCheckpointCase : public DeclaredDeviceCheckpoint, public TwoStageTrial {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CheckpointSettings checkpoint;
    DeviceCheckpointSize size;
    Snapshot snapshot = Snapshot::blocking;
    Site::Place place = {};
  };
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {checkpoint_settings(around.module->checkpoint_folder, point), device_checkpoint_size(point),
            snapshot_of(point)};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.size.bytes); }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    if (auto why = cuda::device_unavailable(settings.size.gpu)) return why;
    if (auto why = why_no_io_uring()) return why;
    if (auto why = workload::CublasLt::unavailable()) return why;
    return why_no_space(around.machine, settings.size, free_device_bytes(settings.size.gpu),
                        host::available_memory_bytes(settings.size.node));
  }
  DeviceCheckpointCase(const Settings& settings, Site&)
      : TwoStageTrial(
            {.folder = settings.checkpoint.folder,
             .shards = settings.checkpoint.shards,
             .state =
                 std::make_unique<DeviceState>(settings.size.bytes, settings.size.gpu, settings.size.node),
             .snapshot = settings.snapshot,
             .make_step = device_gemm_steps(settings.size.gemm_n, settings.size.gpu),
             .compute = fmt::format("{}, bf16, n={}", device_gemm_steps_library(), settings.size.gemm_n)}) {}
};

}  // namespace

std::vector<core::Case> device_checkpoint_cases(const Surroundings& around) {
  return {core::case_of<DeviceCheckpointCase>(around)};
}

}  // namespace assay::offload
