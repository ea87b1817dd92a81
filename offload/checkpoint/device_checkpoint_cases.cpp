// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A checkpoint of a GPU's memory, in two stages during its products.
#include <fmt/core.h>

#include <memory>
#include <string_view>

#include "harness/core/units.hpp"
#include "harness/cuda/device.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/cases.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"
#include "offload/checkpoint/device_checkpoint_space.hpp"
#include "offload/checkpoint/device_gemm_steps.hpp"
#include "offload/checkpoint/device_state.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

std::vector<core::Axis> device_checkpoint_axes() {
  std::vector<core::Axis> all = checkpoint_axes();
  for (core::Axis& axis : all)
    if (axis.name == "bytes") axis.values = {4 * core::gib};
  all.push_back(snapshot_axis());
  all.push_back(
      {"gemm_n", "compute: bf16 products of n x n matrices", core::Domain::integers, {std::int64_t{8192}}});
  all.push_back(node_axis("numa", "NUMA node of the snapshot; local: any"));
  all.push_back(cuda::gpu_axis());
  return all;
}

class DeviceCheckpointCase : public TwoStageTrial {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CheckpointSettings checkpoint;
    DeviceCheckpointSize size;
    Snapshot snapshot = Snapshot::blocking;
    Site::Place place = {};
  };
  static constexpr std::string_view name = "offload.cuda.checkpoint";
  static constexpr std::string_view measures =
      "a checkpoint of device memory during its products: snapshot, then saved and committed";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static std::vector<core::Axis> axes() { return device_checkpoint_axes(); }
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
