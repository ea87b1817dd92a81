// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/checkpoint_cases.hpp"

#include <fmt/format.h>

#include <memory>

#include "harness/host/available_memory.hpp"
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

std::optional<std::string> why_not(const ModuleSettings& module, const core::Point& point) {
  checkpoint_settings(module, point);  // bad words are errors anywhere
  if (auto reason = why_no_io_uring()) return reason;
  return does_not_fit("the host memory of the state and of what is read back", 2 * checkpoint_bytes(point),
                      host::available_memory_bytes(-1));
}

template <class Trial>
core::Case checkpoint_case(const ModuleSettings& module, core::Case made) {
  made.unsupported = [&module](const core::Point& point) { return why_not(module, point); };
  made.prepare = [&module](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<Trial>(checkpoint_settings(module, point), checkpoint_bytes(point));
  };
  return made;
}

std::optional<std::string> why_not_in_two_stages(const ModuleSettings& module, const core::Point& point) {
  checkpoint_settings(module, point);
  const std::int64_t n = within(point, "gemm_n", 1, most_gemm_n);
  if (auto reason = why_no_io_uring()) return reason;
  if (auto reason = why_no_gemm_steps(n)) return reason;
  return does_not_fit("the host memory of the state, its snapshot, its check and the products beside it",
                      3 * checkpoint_bytes(point) + gemm_steps_bytes(n), host::available_memory_bytes(-1));
}

std::unique_ptr<core::Trial> prepare_two_stages(const ModuleSettings& module, const core::Point& point) {
  const CheckpointSettings settings = checkpoint_settings(module, point);
  const std::int64_t n = within(point, "gemm_n", 1, most_gemm_n);
  return std::make_unique<TwoStageTrial>(TwoStageTrial::Setup{
      .folder = settings.folder,
      .shards = settings.shards,
      .state = std::make_unique<HostState>(checkpoint_bytes(point)),
      .snapshot = point.text("snapshot") == "blocking" ? Snapshot::blocking : Snapshot::concurrent,
      .make_step = gemm_steps(n, host::choose_cpus(1, -1).front()),
      .compute = fmt::format("{}, fp32, n={}, one thread", gemm_steps_library(), n)});
}

core::Case two_stage_case(const ModuleSettings& module) {
  core::Case made = declared_two_stages();
  made.unsupported = [&module](const core::Point& point) { return why_not_in_two_stages(module, point); };
  made.prepare = [&module](const core::Point& point) { return prepare_two_stages(module, point); };
  return made;
}

}  // namespace

std::vector<core::Case> checkpoint_cases(const ModuleSettings& settings) {
  return {checkpoint_case<SaveTrial>(settings, declared_save()),
          checkpoint_case<RestoreTrial>(settings, declared_restore()), two_stage_case(settings)};
}

}  // namespace assay::offload
