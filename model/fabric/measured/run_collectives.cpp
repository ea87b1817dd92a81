// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/core/names.hpp"
#include "model/fabric/measured/run_operations.hpp"
#include "results/points/kinds/collective_points.hpp"

namespace assay::model::fabric::measured {

namespace {

using results::CollectivePoint;

/// An algorithm as records name it, and the keys of the same in a workload.
struct KnownAlgorithm {
  std::string_view collective, recorded, keys;
};

constexpr std::array known_algorithms{
    KnownAlgorithm{"all_reduce", "ring", "collective = 'all_reduce'\nalgorithm = 'ring'"},
    KnownAlgorithm{"all_reduce", "recursive_doubling", "collective = 'all_reduce'\nalgorithm = 'doubling'"},
    KnownAlgorithm{"all_reduce", "halving_doubling",
                   "collective = 'all_reduce'\nalgorithm = 'halving_doubling'"},
    KnownAlgorithm{"all_reduce", "binomial_tree", "collective = 'all_reduce'\nalgorithm = 'binomial'"},
    KnownAlgorithm{"all_reduce", "double_tree", "collective = 'all_reduce'\nalgorithm = 'double_tree'"},
    KnownAlgorithm{"all_reduce", "rails", "collective = 'all_reduce'\nalgorithm = 'hierarchical'"},
    KnownAlgorithm{"all_gather", "ring", "collective = 'all_gather'\nalgorithm = 'ring'"},
    KnownAlgorithm{"reduce_scatter", "ring", "collective = 'reduce_scatter'\nalgorithm = 'ring'"},
    KnownAlgorithm{"broadcast", "binomial_tree", "collective = 'broadcast'\nalgorithm = 'binomial'"},
    KnownAlgorithm{"reduce", "binomial_tree", "collective = 'reduce'\nalgorithm = 'binomial'"},
    KnownAlgorithm{"all_to_all", "direct", "collective = 'all_to_all'\nalgorithm = 'at_once'"},
    KnownAlgorithm{"all_to_all", "pairwise", "collective = 'all_to_all'\nalgorithm = 'pairwise'"},
    KnownAlgorithm{"send_receive", "shift", "pattern = 'shift'"},
};

/// The record's algorithm; for NCCL, the one that it says it ran.
std::string algorithm_of(const CollectivePoint& point) {
  if (point.point.back_end() != "nccl") return results::field_text(point.point.axes, {"algorithm"});
  const std::string ran = results::field_text(point.conditions, {core::names::nccl_algorithm});
  if (ran == "RING") return "ring";
  return ran == "TREE" ? "double_tree" : "";
}

/// Why it cannot be simulated; empty where it can.
std::string why_not(const CollectivePoint& point, const KnownAlgorithm* algorithm,
                    std::uint32_t gpus_per_server) {
  if (point.not_a_performance_measurement()) return "not a performance measurement: " + point.stamp;
  if (point.ranks() < 2 || point.bytes().value_or(0) < 1 || !(point.point.time_s > 0))
    return "no bytes between ranks";
  const std::string groups = results::field_text(point.point.axes, {"groups"});
  if (!groups.empty() && groups != "all" && !groups.starts_with(core::names::first_ranks))
    return "groups other than the first ranks";
  if (results::field_integer(point.point.axes, {"root"}).value_or(0) != 0) return "a root other than rank 0";
  if (algorithm == nullptr)
    return fmt::format("{}: its algorithm is not known, or not simulated", point.operation());
  if (algorithm->recorded == "rails" && point.ranks() % gpus_per_server != 0)
    return fmt::format("rails of servers other than of {} GPUs", gpus_per_server);
  return "";
}

Operation operation_of(const CollectivePoint& point, const KnownAlgorithm& algorithm,
                       const std::string& run) {
  const std::string toml = fmt::format("ranks = {}\n[[stream]]\n[[stream.op]]\n{}\nbytes = '{}B'\n",
                                       point.ranks(), algorithm.keys, *point.bytes());
  return parse_workload(toml, "run " + run).streams.front().operations.front();
}

}  // namespace

void add_collectives(const results::RunPoints& run, const RankHosts& hosts, std::uint32_t gpus_per_server,
                     RunOperations& found) {
  for (const CollectivePoint& point : results::collective_points(run, "collectives.*")) {
    const std::string recorded = algorithm_of(point);
    const auto* const algorithm = std::ranges::find_if(known_algorithms, [&](const KnownAlgorithm& one) {
      return one.collective == point.operation() && one.recorded == recorded;
    });
    const KnownAlgorithm* const known = algorithm == known_algorithms.end() ? nullptr : algorithm;
    if (const std::string why = why_not(point, known, gpus_per_server); !why.empty()) {
      ++found.left_out[why];
      continue;
    }
    MeasuredOperation one{.case_name = point.point.case_name,
                          .point = point.point.key,
                          .ranks = static_cast<std::size_t>(point.ranks()),
                          .bytes = static_cast<std::uint64_t>(*point.bytes()),
                          .measured_us = point.time_us(),
                          .operation = operation_of(point, *known, run.stored().run_id)};
    one.operation.groups = {hosts.hosts_of(point, one.ranks)};
    found.operations.push_back(std::move(one));
  }
}

}  // namespace assay::model::fabric::measured
