// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_cases.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/host/pinned_threads.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"
#include "offload/checkpoint/checkpoint_point.hpp"
#include "offload/checkpoint/checkpoint_trials.hpp"
#include "offload/checkpoint/gemm_steps.hpp"
#include "offload/checkpoint/host_state.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

constexpr std::int64_t most_gemm_n = 1 << 15;

template <class Trial>
core::Case checkpoint_case(const RoomSettings& room, core::Case made) {
  made.unsupported = [](const core::Point&) { return why_no_io_uring(); };
  made.prepare = [&room](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<Trial>(checkpoint_settings(room, point), point.integer("bytes"));
  };
  return made;
}

std::optional<std::string> why_not_in_two_stages(const core::Point& point) {
  if (auto reason = why_no_io_uring()) return reason;
  return why_no_gemm_steps(within(point, "gemm_n", 1, most_gemm_n));
}

std::unique_ptr<core::Trial> prepare_two_stages(const RoomSettings& room, const core::Point& point) {
  const CheckpointSettings settings = checkpoint_settings(room, point);
  const std::int64_t n = within(point, "gemm_n", 1, most_gemm_n);
  return std::make_unique<TwoStageTrial>(TwoStageTrial::Setup{
      .folder = settings.folder,
      .shards = settings.shards,
      .state = std::make_unique<HostState>(point.integer("bytes")),
      .snapshot = point.text("snapshot") == "blocking" ? Snapshot::blocking : Snapshot::concurrent,
      .make_step = gemm_steps(n, host::choose_cpus(1, -1).front()),
      .compute = fmt::format("{}, fp32, n={}, one thread", gemm_steps_library(), n)});
}

core::Case two_stage_case(const RoomSettings& room) {
  core::Case made = declared_two_stages();
  made.unsupported = why_not_in_two_stages;
  made.prepare = [&room](const core::Point& point) { return prepare_two_stages(room, point); };
  return made;
}

}  // namespace

std::vector<core::Case> checkpoint_cases(const RoomSettings& settings) {
  return {checkpoint_case<SaveTrial>(settings, declared_save()),
          checkpoint_case<RestoreTrial>(settings, declared_restore()), two_stage_case(settings)};
}

}  // namespace assay::offload
