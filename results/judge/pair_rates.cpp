// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/pair_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "results/judge/fleet_store.hpp"
#include "results/judge/robust_statistics.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

using Ends = std::pair<LinkEnd, LinkEnd>;

/// What one point of a run measured, in all its repetitions.
struct Repeated {
  std::map<Ends, std::vector<double>> together, alone;  // GB/s
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
      all.push_back(
          {metric, std::move(gathered.rates), static_cast<std::size_t>(median_in_place(runs)), origin_});
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
    Repeated& repeated = of_run_[{link_metric_of(point), point.key}];
    for (const FlowReport& flow : point.evidence.flows) {
      const auto from = ends.find(flow.from), to = ends.find(flow.to);
      if (from == ends.end() || to == ends.end() || from->second.host == to->second.host) continue;
      auto& rates = flow.alone_gb_per_s ? repeated.alone : repeated.together;
      if (const double rate = flow.alone_gb_per_s.value_or(flow.gb_per_s.value_or(0)); rate > 0)
        rates[{from->second, to->second}].push_back(rate);
    }
  }

  void end_run() {
    std::set<std::pair<std::string, std::string>> measured;  // metric and link
    for (const auto& [name, repeated] : of_run_) {
      Gathered& gathered = metrics_[name.first];
      const auto add = [&](const Ends& ends, std::vector<double> rates) {
        gathered.rates.push_back({ends.first, ends.second, next_point_, median_in_place(rates)});
        const std::string link = link_name(ends.first, ends.second);
        if (measured.emplace(name.first, link).second) ++gathered.runs[link];
      };
      for (const auto& [ends, rates] : repeated.together)
        if (!repeated.alone.contains(ends)) add(ends, rates);
      for (const auto& [ends, rates] : repeated.alone) {
        ++next_point_;
        add(ends, rates);
      }
      ++next_point_;
    }
    of_run_.clear();
  }

  const Store& store_;
  FleetPoints points_;
  std::string origin_;
  std::uint32_t next_point_ = 0;
  std::map<std::pair<std::string, std::string>, Repeated> of_run_;  // by metric and key
  std::map<std::string, Gathered> metrics_;
};

}  // namespace

std::vector<MetricRates> pair_rates(const Store& store, const std::string& filter) {
  RateReader reader(store, filter);
  for (const StoredRun& run : all_runs(store)) reader.read(run);
  return reader.finish();
}

}  // namespace assay::results
