// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/front/answers/fabric/stored_pairs.hpp"
#include "model/fabric/measured/run_operations.hpp"
#include "model/fabric/simulate/steps/operation_sends.hpp"
#include "results/judge/limits/limits_file.hpp"
#include "results/store/stored_points.hpp"

namespace assay::answers {

namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

constexpr std::size_t most_flows = 4096;  // of a collective

/// Empty where steps differ, or are too large.
std::vector<locate::MeasuredFlow> flows_of_every_step(const fabric::Operation& operation,
                                                      std::span<const fabric::NodeId> each_host, int gpus) {
  const fabric::OperationSends sends(operation, each_host, {.per_server = gpus});
  std::vector<locate::MeasuredFlow> flows;
  if (sends.steps().size() != 1) return flows;
  for (const fabric::NodeId from : sends.hosts()) {
    sends.sends_of(from, sends.steps().front().step,
                   [&](fabric::NodeId to, std::uint64_t /*equal*/) { flows.push_back({from, to}); });
    if (flows.size() > most_flows) return {};
  }
  return flows;
}

class StoredCollectives {
 public:
  StoredCollectives(const std::string& cases, int gpus, const fabric::Topology& topology)
      : cases_(cases), gpus_(gpus), each_host_(topology.hosts()) {
    std::iota(each_host_.begin(), each_host_.end(), fabric::NodeId{0});
  }

  void add(const results::RunPoints& run, const fabric::measured::RankHosts& hosts) {
    fabric::measured::RunOperations found;
    add_collectives(run, hosts, static_cast<std::uint32_t>(gpus_), found);
    for (fabric::measured::MeasuredOperation& one : found.operations)
      if (core::glob_matches(cases_, one.case_name)) add(one);
  }

  /// Returns the measurements sorted by kind; those of one kind stay in order.
  std::vector<locate::Measurement> take() {
    std::map<std::pair<std::string, std::string>, std::uint64_t> largest;
    for (const auto& [kind, measured] : kinds_)
      largest[{kind.case_name, kind.algorithm}] =
          std::max(largest[{kind.case_name, kind.algorithm}], kind.bytes);
    std::vector<locate::Measurement> all;
    std::uint32_t number = 0;
    for (auto& [kind, measured] : kinds_) {
      if (kind.bytes < largest[{kind.case_name, kind.algorithm}] || measured.size() < least_of_a_kind)
        continue;
      for (locate::Measurement& one : measured) {
        one.kind = number;
        one.round = static_cast<std::uint32_t>(all.size());
        all.push_back(std::move(one));
      }
      ++number;
    }
    return all;
  }

 private:
  struct Kind {
    std::string case_name, algorithm, point;
    std::uint64_t bytes;
    std::size_t ranks;
    friend auto operator<=>(const Kind&, const Kind&) = default;
  };

  void add(const fabric::measured::MeasuredOperation& one) {
    std::vector<locate::MeasuredFlow> flows = flows_of_every_step(one.operation, each_host_, gpus_);
    if (flows.empty()) return;
    const Kind kind{one.case_name, one.operation.algorithm, one.point, one.bytes, one.ranks};
    kinds_[kind].push_back({std::move(flows), static_cast<double>(one.bytes) / one.measured_us.value});
  }

  std::string cases_;
  int gpus_;
  std::vector<fabric::NodeId> each_host_;
  std::map<Kind, std::vector<locate::Measurement>> kinds_;
};

}  // namespace

locate::MeasuredPairs stored_collectives(const results::Store& store, const std::optional<std::string>& run,
                                         const std::string& cases, const fabric::FabricFile& file,
                                         const fabric::Topology& topology, const locate::NodeNames& names) {
  const fabric::measured::RankHosts ranks(topology, names);
  StoredCollectives collectives(cases, static_cast<int>(file.server.gpus), topology);
  locate::MeasuredPairs all;
  const auto add = [&](const std::optional<std::string>& id) {
    const results::RunPoints points(store, id);
    if (!all.origin.empty() && all.origin != points.origin())
      core::usage_error(fmt::format("collectives that are {} and {} in one store: expected --run ID",
                                    all.origin, points.origin()));
    all.origin = points.origin();
    collectives.add(points, ranks);
  };
  if (run) {
    add(run);
  } else {
    for (const results::StoredRun& one : results::whole_runs(store)) add(one.run_id);
  }
  all.measurements = collectives.take();
  for (const locate::Measurement& one : all.measurements) all.flows += one.flows.size();
  if (all.measurements.empty())
    core::usage_error(
        fmt::format("no collective of {} whose steps are alike was measured on at least {} "
                    "sets of as many hosts: expected a run for each set",
                    cases, least_of_a_kind));
  return all;
}

}  // namespace assay::answers
