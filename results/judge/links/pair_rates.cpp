// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/links/pair_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/series/fleet_store.hpp"
#include "results/points/round_count.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

using Ends = std::pair<LinkEnd, LinkEnd>;
using QueuePairs = std::vector<core::QueuePairReport>;

/// A flow in the repetitions of a point.
struct Repeated {
  std::vector<double> gb_per_s, alone_gb_per_s;
  QueuePairs queue_pairs;
  std::string from_address, to_address;
};

/// Flows of a point that ran at once. Repetitions over other queue pairs are measurements of their own.
struct RoundName {
  std::string metric, key;
  std::vector<QueuePairs> queue_pairs;  // of the point's flows
  int round = 0;                        // within the point
  friend auto operator<=>(const RoundName&, const RoundName&) = default;
};

/// All runs of a metric.
struct Gathered {
  std::vector<PairRate> rates;
  std::map<std::string, std::size_t> runs;  // by link
};

bool is_rate_of_pairs(const FleetPoint& point) {
  const PointEvidence& evidence = point.evidence;
  if (evidence.status != Status::ok || evidence.unit == "us") return false;
  const auto doubt = doubt_about(evidence, point.samples_s);
  return (!doubt || !doubt->is_wrong) && point.pairs_ran_apart();
}

class RateReader {
 public:
  RateReader(const Store& store, const std::string& filter)
      : store_(store), points_(store, filter, "rdma.*") {}

  void read(const StoredRun& run) {
    const auto contexts = contexts_by_process(store_, run);
    points_.begin(run);
    while (const FleetPoint* point = points_.next()) {
      const auto context = contexts.find(point->process);
      if (context == contexts.end() || measured_together(context->second) || !is_rate_of_pairs(*point))
        continue;
      take_origin(to_string(context->second.origin));
      take(*point);
    }
    end_run();
  }

  std::vector<MetricRates> finish() {
    std::vector<MetricRates> all;
    for (auto& [metric, gathered] : metrics_) {
      std::vector<double> runs;
      for (const auto& [link, count] : gathered.runs) runs.push_back(static_cast<double>(count));
      all.push_back({metric, std::move(gathered.rates), static_cast<std::size_t>(core::median_in_place(runs)),
                     origin_});
    }
    return all;
  }

 private:
  void take_origin(const std::string& origin) {
    if (origin_.empty()) origin_ = origin;
    if (origin_ != origin)
      throw std::runtime_error(
          fmt::format("pairs that are {} and pairs that are {} in one fleet", origin_, origin));
  }

  void take(const FleetPoint& point) {
    const std::map<int, LinkEnd> ends = point.ends_by_rank();
    RoundName name{link_metric_of(point), point.key, {}, 0};
    for (const FlowReport& flow : point.evidence.flows) name.queue_pairs.push_back(flow.queue_pairs);
    RoundCount rounds;
    for (const FlowReport& flow : point.evidence.flows) {
      name.round = rounds.of(flow);
      auto from = ends.find(flow.from), to = ends.find(flow.to);
      if (from == ends.end() || to == ends.end() || from->second.host == to->second.host) continue;
      if (point.fetches()) std::swap(from, to);
      Repeated& repeated = of_run_[name][{from->second, to->second}];
      repeated.queue_pairs = flow.queue_pairs;
      repeated.from_address = point.address_of(from->first);
      repeated.to_address = point.address_of(to->first);
      if (flow.gb_per_s > 0) repeated.gb_per_s.push_back(*flow.gb_per_s);
      if (flow.alone_gb_per_s > 0) repeated.alone_gb_per_s.push_back(*flow.alone_gb_per_s);
    }
  }

  /// A flow that was run again alone is a round of its own.
  void add(const std::string& metric, const Ends& ends, Repeated& repeated, std::uint32_t round) {
    std::vector<double>& rates =
        repeated.alone_gb_per_s.empty() ? repeated.gb_per_s : repeated.alone_gb_per_s;
    if (rates.empty()) return;
    if (!repeated.alone_gb_per_s.empty()) round = next_round_++;
    metrics_[metric].rates.push_back({ends.first, ends.second, round, core::median_in_place(rates),
                                      std::move(repeated.queue_pairs), std::move(repeated.from_address),
                                      std::move(repeated.to_address)});
    measured_.emplace(metric, link_name(ends.first, ends.second));
  }

  void end_run() {
    for (auto& [name, flows] : of_run_) {
      const std::uint32_t round = next_round_++;
      for (auto& [ends, repeated] : flows) add(name.metric, ends, repeated, round);
    }
    for (const auto& [metric, link] : measured_) ++metrics_[metric].runs[link];
    of_run_.clear();
    measured_.clear();
  }

  const Store& store_;
  FleetPoints points_;
  std::string origin_;
  std::uint32_t next_round_ = 0;
  std::map<RoundName, std::map<Ends, Repeated>> of_run_;
  std::set<std::pair<std::string, std::string>> measured_;  // metric and link, in this run
  std::map<std::string, Gathered> metrics_;
};

}  // namespace

std::vector<MetricRates> pair_rates(const Store& store, const std::string& filter) {
  RateReader reader(store, filter);
  for (const StoredRun& run : whole_runs(store)) reader.read(run);
  return reader.finish();
}

}  // namespace assay::results
