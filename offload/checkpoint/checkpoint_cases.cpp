// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checkpoints of host memory: saved to a folder, restored from it, and taken in two stages while a square
// product in fp32 is computed on one bound CPU, again and again.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <type_traits>

#include "harness/core/seconds_since.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/host/pinned_threads.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/arena_of.hpp"
#include "offload/checkpoint/checkpoint.hpp"
#include "offload/checkpoint/checkpoint_declarations.hpp"
#include "offload/checkpoint/host_state.hpp"
#include "offload/checkpoint/two_stage_trial.hpp"
#include "offload/incompressible.hpp"
#include "offload/interference/loads.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {

namespace {

/// One iteration saves one whole checkpoint until every shard is synced, or restores it from the device, the
/// page cache having been emptied of it.
template <class Declaration>
class CheckpointCase : public Declaration {
 public:
  using Site = core::OwnClock;
  struct Settings {
    CheckpointSettings checkpoint;
    std::int64_t bytes = 0;
    Site::Place place = {};
  };
  static Settings settings(const core::Point& point, const Surroundings& around) {
    return {checkpoint_settings(around.module->checkpoint_folder, point), checkpoint_bytes(point)};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (auto reason = why_no_io_uring()) return reason;
    return does_not_fit("the host memory of the state and of what is read back", 2 * settings.bytes,
                        host::available_memory_bytes(-1));
  }

  CheckpointCase(const Settings& settings, Site&)
      : settings_(settings.checkpoint),
        state_(arena_of(settings.bytes)),
        restored_(arena_of(settings.bytes)),
        checkpoint_(settings.checkpoint, settings.bytes) {
    fill_incompressibly(state_.as<std::uint64_t>());
    if constexpr (restores) save();
  }

  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      const double began_s = core::steady_seconds();
      const std::vector<ShardTimes> shards = restores ? restore() : save();
      timing.each_s.push_back(core::steady_seconds() - began_s);
      timing.seconds += timing.each_s.back();
      times_.push_back(*std::ranges::max_element(
          shards, {}, [](const ShardTimes& shard) { return shard.transfer_s + shard.sync_s; }));
    }
    return timing;
  }

  void sampling_begins() { times_.clear(); }

  core::Verification check() {
    using Result = core::Verification::Result;
    if constexpr (!restores) restore();
    const auto first = first_difference(restored_.as<std::byte>(), state_.as<std::byte>());
    if (!first) return {Result::right, "every byte read back, bit for bit"};
    return {Result::wrong, fmt::format("byte {} is not what was saved", *first)};
  }

  std::vector<core::Metric> metrics(const core::Measurement&) const {
    double all_s = 0, sync_s = 0;
    for (const ShardTimes& shard : times_) {
      all_s += shard.transfer_s + shard.sync_s;
      sync_s += shard.sync_s;
    }
    if (restores || all_s <= 0) return {};
    return {{"sync_share", "", sync_s / all_s}};
  }

  std::vector<core::Fact> facts() const {
    const bool direct = !times_.empty() && times_.back().direct;
    return {{"engine", "io_uring"},
            {"page_cache", page_cache_use(settings_.shards.direct, direct)},
            {"checksum", settings_.shards.checksums ? "XXH3, 64 bits" : "none"},
            {"folder", std::filesystem::absolute(settings_.folder).string()}};
  }

 private:
  static constexpr bool restores = std::is_same_v<Declaration, DeclaredRestore>;

  std::vector<ShardTimes> save() { return checkpoint_.write(state_.as<std::byte>()); }
  std::vector<ShardTimes> restore() { return checkpoint_.read(restored_.as<std::byte>()); }

  CheckpointSettings settings_;
  host::Arena state_, restored_;
  Checkpoint checkpoint_;
  std::vector<ShardTimes> times_;  // of the samples: the slowest shard of each
};

constexpr std::int64_t most_gemm_n = 1 << 15;

LoadSettings square_product(std::int64_t n) { return {.gemm_size = n, .dtype = workload::Dtype::fp32}; }

/// Everything one thread needs for its products.
struct GemmStep {
  GemmStep(std::int64_t n, int cpu) : site({cpu}), product(make_load(LoadKind::gemm, square_product(n))) {}

  host::OpenMpSite site;
  std::unique_ptr<Load> product;
};

TimedSteps::MakeStep gemm_steps(std::int64_t n, int cpu) {
  return [n, cpu] { return [step = std::make_shared<GemmStep>(n, cpu)] { step->product->quantum(); }; };
}

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
    return {checkpoint_settings(around.module->checkpoint_folder, point), checkpoint_bytes(point),
            within(point, "gemm_n", 1, most_gemm_n), snapshot_of(point)};
  }
  static core::Work work(const Settings& settings) { return checkpoint_work(settings.bytes); }
  static std::optional<std::string> not_built(const Settings& settings) {
    return offload::not_built(LoadKind::gemm, square_product(settings.gemm_n));
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    const LoadSettings product = square_product(settings.gemm_n);
    if (auto reason = why_no_io_uring()) return reason;
    if (auto reason = offload::unsupported(LoadKind::gemm, product)) return reason;
    return does_not_fit("the host memory of the state, its snapshot, its check and the products next to it",
                        3 * settings.bytes + memory_bytes(LoadKind::gemm, product),
                        host::available_memory_bytes(-1));
  }

  TwoStageCase(const Settings& settings, Site&)
      : TwoStageTrial({.folder = settings.checkpoint.folder,
                       .shards = settings.checkpoint.shards,
                       .state = std::make_unique<HostState>(settings.bytes),
                       .snapshot = settings.snapshot,
                       .make_step = gemm_steps(settings.gemm_n, host::choose_cpus(1, -1).front()),
                       .compute = fmt::format("{}, fp32, n={}, one thread",
                                              workload::host_library(workload::Dtype::fp32).version(),
                                              settings.gemm_n)}) {}
};

}  // namespace

std::vector<core::Case> checkpoint_cases(const Surroundings& around) {
  using core::case_of;
  return {case_of<CheckpointCase<DeclaredSave>>(around), case_of<CheckpointCase<DeclaredRestore>>(around),
          case_of<TwoStageCase>(around)};
}

}  // namespace assay::offload
