// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlap_cases.hpp"

#include <optional>
#include <string>
#include <utility>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/axes.hpp"
#include "collectives/measure/connected_ranks.hpp"
#include "collectives/overlap/host_pass.hpp"
#include "collectives/overlap/layer_products.hpp"
#include "collectives/overlap/overlap_settings.hpp"
#include "collectives/overlap/overlap_trial.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;

struct HostOverlapSettings : OverlapSettings {
  double link_bytes_per_s = 0;
  const Algorithm* algorithm = nullptr;
};

HostOverlapSettings host_settings(const core::Point& point, const CaseMaker& maker, Operation operation) {
  HostOverlapSettings settings{overlap_settings(point, maker, operation, DataType::fp32,
                                                {.width = 16384, .tokens = std::int64_t{1} << 20})};
  settings.algorithm = &algorithm(operation, point.text("algorithm"));
  settings.link_bytes_per_s = 1e6 * static_cast<double>(core::within(point, "link_mb_per_s", 0, 1'000'000));
  return settings;
}

std::vector<Axis> host_axes(Operation operation) {
  return {algorithm_axis(operation, "ring"),
          {"layers", "of the pass, all alike", Domain::integers, {std::int64_t{8}}},
          {"width", "of a layer: width x width weights in fp32", Domain::integers, {std::int64_t{512}}},
          {"tokens",
           "of each product: how long a layer computes",
           Domain::integers,
           {std::int64_t{64}, std::int64_t{256}}},
          {"link_mb_per_s",
           "most that an exchange moves (S of algbw), the rest of its time idle; 0: no cap",
           Domain::integers,
           {std::int64_t{0}, std::int64_t{500}}},
          exchanges_axis(operation, {core::mib, 2 * core::mib, 8 * core::mib})};
}

OverlapTrial::Setup host_setup(const HostOverlapSettings& settings) {
  ConnectedRanks connected = connect_ranks(settings.maker, nullptr);  // MPI allows its own thread alone
  return {.plan = settings.plan,
          .problems = settings.problems,
          .pass = std::make_unique<HostPass>(
              HostPass::Setup{.post = settings.maker.post,
                              .transport = std::move(connected.transport),
                              .transport_name = std::move(connected.transport_name),
                              .plan = settings.plan,
                              .algorithm = settings.algorithm,
                              .content = settings.content,
                              .problems = settings.problems,
                              .link_bytes_per_s = settings.link_bytes_per_s,
                              .work = make_layer_products(settings.shape)})};
}

/// The part that both cases share.
class HostOverlapCase : public OverlapTrial {
 public:
  using Site = core::OwnClock;
  using Settings = HostOverlapSettings;
  static constexpr core::Headline headline = core::Headline::time_us;

  static core::Work work(const Settings& settings) { return overlap_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return overlap_derived(settings); }
  static std::optional<std::string> not_built(const Settings&) { return products_not_built(); }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (settings.maker.around.ranks < 2) return one_rank_exchanges_nothing;
    for (const Problem& problem : settings.problems)
      if (std::string reason = settings.algorithm->illegal(problem); !reason.empty()) return reason;
    return why_no_products(settings.shape);
  }

  HostOverlapCase(const Settings& settings, Site&)
      : OverlapTrial(*settings.maker.team, host_setup(settings)) {}
};

class BucketedAllReduce final : public HostOverlapCase {
 public:
  static constexpr const char* name = "collectives.overlap.bucketed_all_reduce";
  static constexpr const char* measures =
      "a backward pass whose gradients are exchanged in buckets meanwhile, in host memory (host twin)";
  static std::vector<Axis> axes() { return host_axes(Operation::all_reduce); }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    return host_settings(point, maker, Operation::all_reduce);
  }
  using HostOverlapCase::HostOverlapCase;
};

class PrefetchedAllGather final : public HostOverlapCase {
 public:
  static constexpr const char* name = "collectives.overlap.prefetched_all_gather";
  static constexpr const char* measures =
      "a forward pass whose layers' weights are gathered ahead, in host memory (host twin)";
  static std::vector<Axis> axes() { return host_axes(Operation::all_gather); }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    return host_settings(point, maker, Operation::all_gather);
  }
  using HostOverlapCase::HostOverlapCase;
};

}  // namespace

std::vector<core::Case> overlap_cases(const CaseMaker& maker) {
  return {core::case_of<BucketedAllReduce>(maker), core::case_of<PrefetchedAllGather>(maker)};
}

}  // namespace assay::collectives
