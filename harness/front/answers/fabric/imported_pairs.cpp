// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/front/answers/fabric/stored_pairs.hpp"
#include "results/peers/condition_names.hpp"
#include "results/points/run_points.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

/// The cases of other tools whose points are of two hosts, and the metric that is the rate of one way.
struct PairCase {
  const char* name;
  const char* metric;
  bool both_ways;
};
constexpr PairCase pair_cases[] = {{"rdma.verbs.bandwidth", core::names::bandwidth_gb_per_s, false},
                                   {"collectives.nccl.send_receive", core::names::busbw_gb_per_s, true}};

struct PairOfHosts {
  fabric::NodeId from = 0, to = 0;
};

class ImportedPairs {
 public:
  ImportedPairs(const locate::NodeNames& names, const std::string& cases) : names_(names), cases_(cases) {}

  /// Takes the largest size of each case of the run.
  void add(const results::RunPoints& run) {
    for (const PairCase& one : pair_cases) {
      if (!core::glob_matches(cases_, one.name)) continue;
      std::optional<results::MeasuredPoint> largest;
      for (results::MeasuredPoint& point : run.measured(one.name))
        if (!largest || bytes_of(point) > bytes_of(*largest)) largest = std::move(point);
      if (largest) add(one, *largest);
    }
  }

  locate::MeasuredPairs take() {
    pairs_.origin = to_string(results::Origin::imported);
    pairs_.flows = pairs_.measurements.size();
    return std::move(pairs_);
  }

 private:
  static std::int64_t bytes_of(const results::MeasuredPoint& point) {
    return results::field_integer(point.point.axes, {"bytes"}).value_or(0);
  }

  std::optional<PairOfHosts> hosts_of(const results::MeasuredPoint& point) const {
    const std::string hosts = results::field_text(point.conditions, {results::peers::condition::hosts});
    const std::size_t comma = hosts.find(',');
    if (comma == std::string::npos || hosts.find(',', comma + 1) != std::string::npos) return std::nullopt;
    const std::string where = results::field_text(point.conditions, {results::peers::condition::source_file});
    return PairOfHosts{names_.host(hosts.substr(0, comma), where),
                       names_.host(hosts.substr(comma + 1), where)};
  }

  void add(const PairCase& one, const results::MeasuredPoint& point) {
    auto ends = hosts_of(point);
    const auto rate = point.metric(one.metric);
    if (!ends || ends->from == ends->to || !rate || !(*rate > 0)) return;
    if (results::field_text(point.point.axes, {"operation"}) == "read") std::swap(ends->from, ends->to);
    constexpr double bytes_per_us = 1000;  // of a GB/s
    locate::Measurement measurement{.flows = {{ends->from, ends->to}}, .rate = *rate * bytes_per_us};
    if (one.both_ways) measurement.flows.push_back({ends->to, ends->from});
    measurement.round = static_cast<std::uint32_t>(pairs_.measurements.size());
    const auto [kind, fresh] = kinds_.try_emplace({one.name, bytes_of(point)}, kinds_.size());
    measurement.kind = static_cast<std::uint32_t>(kind->second);
    pairs_.measurements.push_back(std::move(measurement));
  }

  const locate::NodeNames& names_;
  const std::string& cases_;
  locate::MeasuredPairs pairs_;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> kinds_;
};

bool is_imported(const results::Store& store, const results::StoredRun& run) {
  return results::origin_of(store, run) == to_string(results::Origin::imported);
}

}  // namespace

bool is_of_imported_pairs(const results::Store& store, const std::optional<std::string>& run) {
  const auto runs = results::all_runs(store);
  if (runs.empty()) return false;
  return is_imported(store, run ? results::find_run(store, run) : runs.front());
}

locate::MeasuredPairs imported_pairs(const results::Store& store, const std::optional<std::string>& run,
                                     const std::string& cases, const locate::NodeNames& names) {
  ImportedPairs pairs(names, cases);
  if (run) {
    pairs.add(results::RunPoints(store, run));
  } else {
    for (const results::StoredRun& one : results::all_runs(store))
      if (is_imported(store, one)) pairs.add(results::RunPoints(store, one.run_id));
  }
  locate::MeasuredPairs all = pairs.take();
  if (all.measurements.empty())
    core::usage_error(
        fmt::format("{}: expected imported points of two hosts (perftest with --path '{{host1}}-{{host2}}"
                    "/...', sendrecv of nccl-tests) that --cases '{}' matches",
                    store.path().string(), cases));
  return all;
}

}  // namespace assay::answers
