// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlap_cases.hpp"

#include <optional>
#include <string>
#include <utility>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/axes.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "collectives/measure/connected_ranks.hpp"
#include "collectives/overlap/layer_products.hpp"
#include "collectives/overlap/overlap_trial.hpp"
#include "harness/core/case_of.hpp"
#include "harness/core/units.hpp"
#include "harness/core/within.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;

constexpr std::int64_t weight_bytes = 4;  // fp32

struct OverlapSettings {
  CaseMaker maker;
  LayerShape shape = {};
  PassPlan plan = {};
  double link_bytes_per_s = 0;
  const Algorithm* algorithm = nullptr;
  std::vector<Problem> problems = {};
  core::OwnClock::Place place = {};
};

/// The layers of each exchange.
std::vector<int> layers_of_exchanges(const PassPlan& plan) {
  return plan.is_backward() ? plan.bucket_layers : std::vector<int>(static_cast<std::size_t>(plan.layers), 1);
}

void add_problems(OverlapSettings& settings, Operation operation) {
  for (const int layers : layers_of_exchanges(settings.plan))
    settings.problems.push_back({.operation = operation,
                                 .ranks = settings.maker.around.ranks,
                                 .count = layers * settings.shape.width * settings.shape.width,
                                 .node_of = settings.maker.around.node_of});
}

OverlapSettings overlap_settings(const core::Point& point, const CaseMaker& maker, Operation operation) {
  OverlapSettings settings{.maker = maker};
  settings.algorithm = &algorithm(operation, point.text("algorithm"));
  settings.shape = {.width = core::within(point, "width", 1, 16384),
                    .tokens = core::within(point, "tokens", 1, std::int64_t{1} << 20),
                    .backward = operation == Operation::all_reduce};
  settings.link_bytes_per_s = 1e6 * static_cast<double>(core::within(point, "link_mb_per_s", 0, 1'000'000));
  settings.plan.layers = static_cast<int>(core::within(point, "layers", 1, 1024));
  return settings;
}

std::vector<Axis> overlap_axes(Operation operation) {
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
           {std::int64_t{0}, std::int64_t{500}}}};
}

/// What both cases have.
class OverlapCase : public OverlapTrial {
 public:
  using Site = core::OwnClock;
  using Settings = OverlapSettings;
  static constexpr core::Headline headline = core::Headline::time_us;

  static core::Work work(const Settings& settings) {
    double bytes = 0;
    for (const Problem& problem : settings.problems) bytes += counted_bytes(problem, weight_bytes);
    return {.bytes = bytes, .bytes_counted = "exchanged by a rank in a pass, once (S of algbw)"};
  }
  static std::vector<core::Fact> derived(const Settings& settings) {
    return {{"flops", settings.plan.layers * flops_of(settings.shape)}};
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    if (settings.maker.around.ranks < 2) return "one rank exchanges nothing: --ranks 2 or more";
    for (const Problem& problem : settings.problems)
      if (std::string reason = settings.algorithm->illegal(problem); !reason.empty()) return reason;
    return why_no_products(settings.shape);
  }

  explicit OverlapCase(const Settings& settings) : OverlapTrial(*settings.maker.team, setup_of(settings)) {}

 private:
  static Setup setup_of(const Settings& settings) {
    ConnectedRanks connected = connect_ranks(settings.maker, nullptr);  // MPI allows its own thread alone
    return {.post = settings.maker.post,
            .transport = std::move(connected.transport),
            .transport_name = std::move(connected.transport_name),
            .plan = settings.plan,
            .algorithm = settings.algorithm,
            .problems = settings.problems,
            .link_bytes_per_s = settings.link_bytes_per_s,
            .work = make_layer_products(settings.shape)};
  }
};

class BucketedAllReduce final : public OverlapCase {
 public:
  static constexpr const char* name = "collectives.overlap.bucketed_all_reduce";
  static constexpr const char* measures =
      "a backward pass whose gradients are exchanged in buckets meanwhile, in host memory (host twin)";
  static std::vector<Axis> axes() {
    std::vector<Axis> axes = overlap_axes(Operation::all_reduce);
    axes.push_back({"bucket_bytes",
                    "of gradients that are exchanged together",
                    Domain::sizes,
                    {core::mib, 2 * core::mib, 8 * core::mib}});
    return axes;
  }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    Settings settings = overlap_settings(point, maker, Operation::all_reduce);
    settings.plan.bucket_layers =
        buckets_of(settings.plan.layers, weight_bytes * settings.shape.width * settings.shape.width,
                   core::within(point, "bucket_bytes", 1, std::int64_t{1} << 40));
    add_problems(settings, Operation::all_reduce);
    return settings;
  }
  BucketedAllReduce(const Settings& settings, Site&) : OverlapCase(settings) {}
};

class PrefetchedAllGather final : public OverlapCase {
 public:
  static constexpr const char* name = "collectives.overlap.prefetched_all_gather";
  static constexpr const char* measures =
      "a forward pass whose layers' weights are gathered ahead, in host memory (host twin)";
  static std::vector<Axis> axes() {
    std::vector<Axis> axes = overlap_axes(Operation::all_gather);
    axes.push_back({"depth",
                    "layers whose gather may run ahead; 0: none, a control",
                    Domain::integers,
                    {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}}});
    return axes;
  }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    Settings settings = overlap_settings(point, maker, Operation::all_gather);
    settings.plan.depth = static_cast<int>(core::within(point, "depth", 0, 1024));
    add_problems(settings, Operation::all_gather);
    return settings;
  }
  PrefetchedAllGather(const Settings& settings, Site&) : OverlapCase(settings) {}
};

}  // namespace

std::vector<core::Case> overlap_cases(const CaseMaker& maker) {
  return {core::case_of<BucketedAllReduce>(maker), core::case_of<PrefetchedAllGather>(maker)};
}

}  // namespace assay::collectives
