// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/measured_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "harness/core/names.hpp"
#include "harness/core/statistics/order_statistic.hpp"
#include "results/store/repetitions.hpp"

namespace assay::results {
namespace {

constexpr const char* not_a_measurement = core::names::not_a_performance_measurement;

using Records = std::vector<const PointRecord*>;

void raise(std::optional<double>& highest, const std::optional<double>& value) {
  if (value && (!highest || *value > *highest)) highest = value;
}

void add_tail(TailTimes& tail, const PointRecord& record) {
  tail.cold_first_s = std::max(tail.cold_first_s, record.cold_first_s);
  if (!record.time) return;
  raise(tail.p99_s, record.time->p99_s);
  raise(tail.p999_s, record.time->p999_s);
  tail.max_s = std::max(tail.max_s, record.time->max_s);
}

std::map<std::string, Number> joined_metrics(const Records& repetitions) {
  std::map<std::string, Number> joined;
  if (repetitions.size() == 1) {
    for (const Metric& metric : repetitions.front()->metrics)
      if (std::isfinite(metric.value))
        joined.emplace(metric.name, Number{metric.value, metric.lower, metric.upper});
    return joined;
  }
  std::map<std::string, std::vector<Number>> values;
  for (const PointRecord* one : repetitions)
    for (const Metric& metric : one->metrics)
      if (std::isfinite(metric.value))
        values[metric.name].push_back({metric.value, metric.lower, metric.upper});
  for (const auto& [name, of_metric] : values) joined.emplace(name, combined(of_metric));
  return joined;
}

Fields joined_conditions(const Records& repetitions) {
  if (repetitions.size() == 1) return repetitions.front()->conditions;
  Fields joined;
  std::set<std::string> differing;
  for (const PointRecord* one : repetitions)
    for (const auto& field : one->conditions) {
      const auto known = std::ranges::find(joined, field.first, [](const auto& of) { return of.first; });
      if (known == joined.end())
        joined.push_back(field);
      else if (known->second != field.second)
        differing.insert(field.first);
    }
  std::erase_if(joined, [&](const auto& field) { return differing.contains(field.first); });
  return joined;
}

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(core::median(values));
}

std::vector<FlowReport> joined_flows(const Records& repetitions) {
  if (repetitions.size() == 1) return repetitions.front()->flows;
  struct Rates {
    std::vector<double> gb_per_s, alone_gb_per_s;
    std::vector<core::QueuePairReport> queue_pairs;
  };
  std::map<std::pair<int, int>, Rates> rates;
  for (const PointRecord* one : repetitions)
    for (const FlowReport& flow : one->flows) {
      const auto [found, first] = rates.try_emplace({flow.from, flow.to}, Rates{{}, {}, flow.queue_pairs});
      Rates& of_flow = found->second;
      if (!first && of_flow.queue_pairs != flow.queue_pairs) of_flow.queue_pairs.clear();
      if (flow.gb_per_s) of_flow.gb_per_s.push_back(*flow.gb_per_s);
      if (flow.alone_gb_per_s) of_flow.alone_gb_per_s.push_back(*flow.alone_gb_per_s);
    }
  std::vector<FlowReport> joined;
  for (const auto& [ranks, of_flow] : rates)
    joined.push_back({.from = ranks.first,
                      .to = ranks.second,
                      .gb_per_s = median_of(of_flow.gb_per_s),
                      .alone_gb_per_s = median_of(of_flow.alone_gb_per_s),
                      .queue_pairs = of_flow.queue_pairs});
  return joined;
}

/// The value that `read` finds in the facts of each rank; the facts of rank 0 are the record's conditions.
template <class Value, class Read>
std::map<int, Value> by_rank(const MeasuredPoint& point, const Read& read) {
  std::map<int, Value> values;
  const auto add = [&](int rank, const Fields& facts) {
    if (std::optional<Value> value = read(facts)) values[rank] = std::move(*value);
  };
  add(0, point.conditions);
  for (const RankReport& one : point.ranks) add(one.rank, one.facts);
  return values;
}

}  // namespace

MeasuredPoint joined_point(std::vector<StoredPoint> rows,
                           const std::vector<const PointRecord*>& repetitions) {
  MeasuredPoint all{.point = join_repetitions(std::move(rows)),
                    .metrics = joined_metrics(repetitions),
                    .conditions = joined_conditions(repetitions),
                    .ranks = repetitions.front()->ranks,
                    .flows = joined_flows(repetitions),
                    .tail = {},
                    .link = link_state(repetitions.front()->links),
                    .stamp = {}};
  for (const PointRecord* one : repetitions) {
    add_tail(all.tail, *one);
    if (LinkState link = link_state(one->links); link.link_class > all.link.link_class)
      all.link = std::move(link);
    if (all.stamp.empty()) all.stamp = field_text(one->conditions, {not_a_measurement});
    if (one->time) all.quantile = one->time->quantile;
  }
  return all;
}

std::map<int, std::string> MeasuredPoint::hosts() const { return hosts_by_rank(conditions, ranks); }

std::map<int, std::int64_t> MeasuredPoint::rails() const {
  return by_rank<std::int64_t>(*this,
                               [](const Fields& facts) { return field_integer(facts, {core::names::rail}); });
}

std::map<int, std::string> MeasuredPoint::addresses() const {
  return by_rank<std::string>(*this, [](const Fields& facts) {
    std::string address = address_of_gid(field_text(facts, {core::names::gid}));
    return address.empty() ? std::nullopt : std::optional(std::move(address));
  });
}

std::optional<double> MeasuredPoint::metric(const std::string& name) const {
  const auto known = metrics.find(name);
  return known == metrics.end() ? std::nullopt : std::optional(known->second.value);
}

Number MeasuredPoint::interval(const std::string& name) const {
  const auto known = metrics.find(name);
  return known == metrics.end() ? Number{std::numeric_limits<double>::quiet_NaN()} : known->second;
}

}  // namespace assay::results
