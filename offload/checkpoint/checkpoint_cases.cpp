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

/// A checkpoint as it is measured: Trial saves or restores it.
template <class Declaration, class Trial>
class CheckpointCase : public Declaration, public Trial {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CheckpointSettings checkpoint;
    std::int64_t bytes = 0;
    Site::Place place = {};
  };
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {checkpoint_settings(*around.module, point), checkpoint_bytes(point)};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto reason = why_no_io_uring()) return reason;
    return does_not_fit("the host memory of the state and of what is read back", 2 * settings.bytes,
                        host::available_memory_bytes(-1));
  }
  CheckpointCase(const Settings& settings, Site&) : Trial(settings.checkpoint, settings.bytes) {}
};

class TwoStageCase : public DeclaredTwoStages, public TwoStageTrial {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CheckpointSettings checkpoint;
    std::int64_t bytes = 0, gemm_n = 0;
    Snapshot snapshot = Snapshot::blocking;
    Site::Place place = {};
  };
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {checkpoint_settings(*around.module, point), checkpoint_bytes(point),
            within(point, "gemm_n", 1, most_gemm_n), snapshot_of(point)};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto reason = why_no_io_uring()) return reason;
    if (auto reason = why_no_gemm_steps(settings.gemm_n)) return reason;
    return does_not_fit("the host memory of the state, its snapshot, its check and the products beside it",
                        3 * settings.bytes + gemm_steps_bytes(settings.gemm_n),
                        host::available_memory_bytes(-1));
  }
  TwoStageCase(const Settings& settings, Site&)
      : TwoStageTrial(
            {.folder = settings.checkpoint.folder,
             .shards = settings.checkpoint.shards,
             .state = std::make_unique<HostState>(settings.bytes),
             .snapshot = settings.snapshot,
             .make_step = gemm_steps(settings.gemm_n, host::choose_cpus(1, -1).front()),
             .compute = fmt::format("{}, fp32, n={}, one thread", gemm_steps_library(), settings.gemm_n)}) {}
};

}  // namespace

std::vector<core::Case> checkpoint_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<CheckpointCase<DeclaredSave, SaveTrial>>(around),
          case_of<CheckpointCase<DeclaredRestore, RestoreTrial>>(around), case_of<TwoStageCase>(around)};
}

}  // namespace assay::offload
