// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/run_points.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "harness/core/names.hpp"
#include "results/store/database.hpp"
#include "results/store/run_doubts.hpp"

namespace assay::results {
namespace {

constexpr const char* not_a_measurement = core::names::not_a_performance_measurement;

// Of a run of a million points.
constexpr std::size_t most_rows_kept = 40'000, most_records_kept = 20'000;

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
  std::map<std::string, std::vector<Number>> values;
  for (const PointRecord* one : repetitions)
    for (const Metric& metric : one->metrics)
      if (std::isfinite(metric.value))
        values[metric.name].push_back({metric.value, metric.lower, metric.upper});
  std::map<std::string, Number> joined;
  for (const auto& [name, of_metric] : values) joined.emplace(name, combined(of_metric));
  return joined;
}

Fields joined_conditions(const Records& repetitions) {
  Fields joined;
  std::set<std::string> differing;
  for (const PointRecord* one : repetitions)
    for (const auto& field : one->conditions) {
      const auto known = std::ranges::find(joined, field.first, [](const auto& of) { return of.first; });
      if (repetitions.size() == 1 || known == joined.end())
        joined.push_back(field);
      else if (known->second != field.second)
        differing.insert(field.first);
    }
  std::erase_if(joined, [&](const auto& field) { return differing.contains(field.first); });
  return joined;
}

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
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

MeasuredPoint joined_point(std::vector<StoredPoint> rows, const Records& repetitions) {
  MeasuredPoint all{.point = combine_repetitions(std::move(rows)).front(),
                    .metrics = joined_metrics(repetitions),
                    .conditions = joined_conditions(repetitions),
                    .ranks = repetitions.front()->ranks,
                    .flows = joined_flows(repetitions),
                    .tail = {},
                    .link = link_state(repetitions.front()->links),
                    .stamp = {},
                    .repetitions = repetitions.size()};
  for (const PointRecord* one : repetitions) {
    add_tail(all.tail, *one);
    if (LinkState link = link_state(one->links); link.link_class > all.link.link_class)
      all.link = std::move(link);
    if (all.stamp.empty()) all.stamp = field_text(one->conditions, {not_a_measurement});
    if (one->time) all.quantile = one->time->quantile;
  }
  return all;
}

/// What `read` finds in the facts of each rank; those of rank 0 are the record's conditions.
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

bool matches_glob(const std::string& name, const std::string& glob) {
  return sqlite3_strglob(glob.c_str(), name.c_str()) == 0;
}

}  // namespace

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

RunPoints::RunPoints(const Store& store, const std::optional<std::string>& run_id, std::int64_t limit)
    : store_(store), run_(find_run(store, run_id)), limit_(limit), reader_(store) {
  for (StoredCase& one : cases_of(store, run_)) cases_.push_back({std::move(one), std::nullopt});
}

const std::vector<ContextRecord>& RunPoints::contexts() const {
  if (!contexts_) contexts_ = contexts_of(store_, run_);
  return *contexts_;
}

const std::string& RunPoints::origin() const {
  if (!origin_) origin_ = origin_of(store_, run_);
  return *origin_;
}

const std::string& RunPoints::ending() const {
  if (!ending_) ending_ = ending_of(store_, run_);
  return *ending_;
}

std::vector<StoredPoint> RunPoints::rows(const std::string& cases) const {
  std::vector<StoredPoint> all;
  for (Case& one : cases_) {
    if (std::ssize(all) == limit_) break;
    if (!matches_glob(one.stored.name, cases)) continue;
    if (!one.rows) {
      make_room();
      one.rows = points_of_case(store_, run_, one.stored, limit_);
    }
    const auto count = std::min(std::ssize(*one.rows), static_cast<std::ptrdiff_t>(limit_) - std::ssize(all));
    all.insert(all.end(), one.rows->begin(), one.rows->begin() + count);
  }
  if (std::ssize(all) == limit_) note_cut(cases);
  return all;
}

void RunPoints::make_room() const {
  std::size_t kept = 0;
  for (const Case& one : cases_) kept += one.rows ? one.rows->size() : 0;
  if (kept < most_rows_kept) return;
  for (Case& one : cases_) one.rows.reset();
}

void RunPoints::note_cut(const std::string& cases) const {
  const auto [place, fresh] = points_of_.try_emplace(cases, 0);
  if (!fresh) return;
  Statement sum = store_.database().prepare(
      "SELECT sum(r.ok + r.unsupported + r.failed + r.wrong + r.timeout) FROM run_cases r "
      "JOIN cases c ON c.id = r.case_id WHERE r.run = ? AND c.name GLOB ?");
  place->second = sum.bind(run_.id, cases).single_integer();
}

std::vector<std::string> RunPoints::cut_short() const {
  std::vector<std::string> lines;
  for (const auto& [cases, points] : points_of_)
    if (points > limit_)
      lines.push_back(fmt::format("the first {} of {} points of {}", limit_, points, cases));
  return lines;
}

std::vector<StoredPoint> RunPoints::joined(const std::string& cases, const std::string& metric) const {
  auto points = rows(cases);
  std::erase_if(points, [&](const StoredPoint& point) { return point.metric != metric; });
  return combine_repetitions(std::move(points));
}

std::vector<MeasuredPoint> RunPoints::measured(const std::string& cases) const {
  const ReadTransaction one_lock(store_.database());
  std::vector<MeasuredPoint> points;
  for (std::vector<StoredPoint>& repetitions : repetitions_in(rows(cases))) {
    if (records_.size() >= most_records_kept) records_.clear();
    Records records;
    for (const StoredPoint& one : repetitions) records.push_back(&record(one.id));
    points.push_back(joined_point(std::move(repetitions), records));
  }
  return points;
}

const PointRecord& RunPoints::record(std::int64_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() ? known->second : records_.emplace(point, reader_.read(point)).first->second;
}

Fields RunPoints::conditions(std::int64_t point) const {
  const auto known = records_.find(point);
  return known != records_.end() ? known->second.conditions : conditions_of(store_, point);
}

/// A small run's rows are read once, case by case, and asked for again; of a large one only what is asked
/// for.
std::vector<StoredPoint> RunPoints::in_order(const std::string& filter, std::int64_t most,
                                             Chosen chosen) const {
  if (records_.size() >= most_records_kept) records_.clear();
  if (!filter.empty() || run_.points() > limit_) return points_in_order(store_, run_, filter, most, chosen);
  std::vector<StoredPoint> points = rows("*");
  std::erase_if(points, [&](const StoredPoint& point) {
    const bool counts_as_bad = point.status != Status::unsupported || chosen == Chosen::not_ok;
    return chosen != Chosen::all && (point.status == Status::ok || !counts_as_bad);
  });
  std::ranges::sort(points, {}, [](const StoredPoint& point) {
    return std::tuple(point.process, point.sequence, point.id);
  });
  if (std::ssize(points) > most) points.resize(static_cast<std::size_t>(most));
  return points;
}

}  // namespace assay::results
