// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/nccl_overlap_cases.hpp"

#include <optional>
#include <string>

#include "collectives/measure/connected_ranks.hpp"
#include "collectives/mpi/mpi_transport.hpp"
#include "collectives/overlap/nccl_pass.hpp"
#include "collectives/overlap/overlap_settings.hpp"
#include "collectives/overlap/overlap_trial.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;

// A layer at 700 TFLOP/s takes 0.1 (forward, 2,048 tokens) to 0.8 ms (backward, 8,192); its weights are 32
// MiB.
std::vector<Axis> nccl_overlap_axes(Operation operation) {
  return {{"layers", "of the pass, all alike", Domain::integers, {std::int64_t{8}}},
          {"width", "of a layer: width x width weights in bf16", Domain::integers, {std::int64_t{4096}}},
          {"tokens",
           "of each product: how long a layer computes",
           Domain::integers,
           {std::int64_t{2048}, std::int64_t{8192}}},
          {"dtype", "of what is exchanged", Domain::words, {"bf16"}, {"bf16", "fp32"}},
          exchanges_axis(operation, {32 * core::mib, 64 * core::mib, 256 * core::mib})};
}

OverlapSettings nccl_overlap_settings(const core::Point& point, const CaseMaker& maker, Operation operation) {
  return overlap_settings(point, maker, operation, data_type_from(point.text("dtype")),
                          {.width = 16384, .tokens = 65536});
}

OverlapTrial::Setup nccl_overlap_setup(const OverlapSettings& settings) {
  const CaseMaker& maker = settings.maker;
  const auto open_world = [&maker, operation = settings.problems.front().operation] {
    NcclWorldOptions options = nccl_options(maker);
    options.operation = operation;
    return open_nccl(*maker.team, options);
  };
  return {.plan = settings.plan,
          .problems = settings.problems,
          .pass = make_nccl_pass(*maker.team, {.connected = connect_ranks(maker, mpi_data_calls()),
                                               .open_world = open_world,
                                               .plan = settings.plan,
                                               .shape = settings.shape,
                                               .problems = settings.problems,
                                               .content = settings.content})};
}

/// The part that both cases share.
class NcclOverlapCase : public OverlapTrial {
 public:
  using Site = core::OwnClock;
  using Settings = OverlapSettings;
  static constexpr core::Headline headline = core::Headline::time_us;

  static core::Work work(const Settings& settings) { return overlap_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return overlap_derived(settings); }
  static std::optional<std::string> not_built(const Settings&) { return nccl_not_built(); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (settings.maker.around.ranks < 2) return one_rank_exchanges_nothing;
    return why_no_nccl_pass();
  }

  NcclOverlapCase(const Settings& settings, Site&)
      : OverlapTrial(*settings.maker.team, nccl_overlap_setup(settings)) {}
};

class NcclBucketedAllReduce final : public NcclOverlapCase {
 public:
  static constexpr const char* name = "collectives.nccl_overlap.bucketed_all_reduce";
  static constexpr const char* measures =
      "a backward pass on GPUs whose gradients NCCL exchanges in buckets meanwhile";
  static std::vector<Axis> axes() { return nccl_overlap_axes(Operation::all_reduce); }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    return nccl_overlap_settings(point, maker, Operation::all_reduce);
  }
  using NcclOverlapCase::NcclOverlapCase;
};

class NcclPrefetchedAllGather final : public NcclOverlapCase {
 public:
  static constexpr const char* name = "collectives.nccl_overlap.prefetched_all_gather";
  static constexpr const char* measures = "a forward pass on GPUs whose layers' weights NCCL gathers ahead";
  static std::vector<Axis> axes() { return nccl_overlap_axes(Operation::all_gather); }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    return nccl_overlap_settings(point, maker, Operation::all_gather);
  }
  using NcclOverlapCase::NcclOverlapCase;
};

}  // namespace

std::vector<core::Case> nccl_overlap_cases(const CaseMaker& maker) {
  return {core::case_of<NcclBucketedAllReduce>(maker), core::case_of<NcclPrefetchedAllGather>(maker)};
}

}  // namespace assay::collectives
