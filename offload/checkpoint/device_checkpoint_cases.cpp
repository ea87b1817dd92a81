// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/device_checkpoint_cases.hpp"

#include <fmt/core.h>

#include <memory>

#include "harness/core/units.hpp"
#include "harness/cuda/device.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/workload/cublaslt.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"
#include "offload/checkpoint/checkpoint_point.hpp"
#include "offload/checkpoint/device_checkpoint_space.hpp"
#include "offload/checkpoint/device_gemm_steps.hpp"
#include "offload/checkpoint/device_state.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/free_device_bytes.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

std::vector<core::Axis> axes() {
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

std::optional<std::string> why_not(const ModuleSettings& module, const machine::Machine& machine,
                                   const core::Point& point) {
  checkpoint_settings(module, point);  // bad words are errors anywhere
  const DeviceCheckpointSize size = device_checkpoint_size(point);
  if (auto why = cuda::device_unavailable(point)) return why;
  if (auto why = why_no_io_uring()) return why;
  if (auto why = workload::CublasLt::unavailable()) return why;
  return why_no_space(machine, size, free_device_bytes(size.gpu), host::available_memory_bytes(size.node));
}

std::unique_ptr<core::Trial> prepare(const ModuleSettings& module, const core::Point& point) {
  const CheckpointSettings settings = checkpoint_settings(module, point);
  const DeviceCheckpointSize size = device_checkpoint_size(point);
  return std::make_unique<TwoStageTrial>(TwoStageTrial::Setup{
      .folder = settings.folder,
      .shards = settings.shards,
      .state = std::make_unique<DeviceState>(size.bytes, size.gpu, size.node),
      .snapshot = point.text("snapshot") == "blocking" ? Snapshot::blocking : Snapshot::concurrent,
      .make_step = device_gemm_steps(size.gemm_n, size.gpu),
      .compute = fmt::format("{}, bf16, n={}", device_gemm_steps_library(), size.gemm_n)});
}

}  // namespace

std::vector<core::Case> device_checkpoint_cases(const ModuleSettings& settings,
                                                const machine::Machine& machine) {
  return {
      {.name = "offload.cuda.checkpoint",
       .measures = "a checkpoint of device memory beside its products: snapshot, then saved and committed",
       .headline = core::Headline::bandwidth_gb_per_s,
       .axes = axes(),
       .work = checkpoint_work,
       .unsupported = [&settings,
                       machine](const core::Point& point) { return why_not(settings, machine, point); },
       .prepare = [&settings](const core::Point& point) { return prepare(settings, point); }}};
}

}  // namespace assay::offload
