// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/fabric_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "results/points/axis_columns.hpp"
#include "results/points/summary_point_limit.hpp"

namespace assay::results {
namespace {

constexpr std::array<const char*, 5> class_words{"clean", "congested", "unknown", "lossy", "faulty"};

/// The number at the start of `text`, which loses it.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

/// Rank 0 of "link_class", 3 of "rank3_link_class"; nothing where the field is another one.
std::optional<int> rank_of(std::string_view field, std::string_view name) {
  if (field == name) return 0;
  if (!take_word(field, "rank")) return std::nullopt;
  const auto rank = take_number(field);
  return rank && take_word(field, "_") && field == name ? rank : std::nullopt;
}

/// Without the class, which has a place of its own: "lossy: rxe0 ..." to "rxe0 ...".
std::string without_class(const std::string& why, const std::string& word) {
  return why.starts_with(word + ": ") ? why.substr(word.size() + 2) : why;
}

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

/// Of the repetitions of one point.
FabricPoint joined_streams(const Store& store, const std::vector<StoredPoint>& repetitions) {
  FabricPoint all{
      .point = combine_repetitions(repetitions).front(), .metrics = {}, .tail = {}, .link = {}, .hosts = {}};
  std::map<std::string, std::vector<double>> values;
  bool first = true;
  all.repetitions = repetitions.size();
  for (const StoredPoint& one : repetitions) {
    const PointRecord record = record_of(store, one.id);
    for (const Metric& metric : record.metrics)
      if (std::isfinite(metric.value)) values[metric.name].push_back(metric.value);
    add_tail(all.tail, record);
    const LinkState link = link_state(record.conditions);
    if (first || link.link_class > all.link.link_class) all.link = link;
    if (record.time) all.quantile = record.time->quantile;
    all.hosts.merge(told_by_ranks(record.conditions, "host"));
    first = false;
  }
  for (const auto& [name, of_metric] : values) all.metrics[name] = median(of_metric);
  return all;
}

}  // namespace

LinkClass link_class_from(const std::string& word) {
  const auto* const known = std::ranges::find(class_words, word);
  return known == class_words.end() ? LinkClass::unknown
                                    : static_cast<LinkClass>(known - class_words.begin());
}

std::map<int, std::string> told_by_ranks(const Fields& conditions, std::string_view name) {
  std::map<int, std::string> values;
  for (const auto& [field, value] : conditions)
    if (const auto rank = rank_of(field, name)) values[*rank] = scalar_text(value);
  return values;
}

std::string to_string(LinkClass link_class) { return class_words[static_cast<std::size_t>(link_class)]; }

std::optional<double> FabricPoint::metric(const std::string& name) const {
  const auto known = metrics.find(name);
  return known == metrics.end() ? std::nullopt : std::optional(known->second);
}

Number FabricPoint::bandwidth_gb_per_s() const {
  if (point.metric == "bandwidth_gb_per_s") return point.headline;
  const auto at = [&](double seconds) { return seconds > 0 ? point.work_bytes / seconds * 1e-9 : NAN; };
  return {at(point.time_s), at(point.upper_s), at(point.lower_s)};
}

std::vector<FabricPoint> fabric_points(const Store& store, const StoredRun& run, const std::string& cases) {
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  std::vector<std::vector<StoredPoint>> groups;
  for (StoredPoint& point : points_of_cases(store, run, cases, summary_point_limit)) {
    const bool usable = point.status == Status::ok && std::isfinite(point.headline.value);
    if (!usable || !point.case_name.starts_with("rdma.")) continue;
    const auto [place, is_new] = places.try_emplace({point.case_name, point.key}, groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(std::move(point));
  }
  std::vector<FabricPoint> points;
  for (const auto& group : groups) points.push_back(joined_streams(store, group));
  return points;
}

LinkState link_state(const Fields& conditions) {
  const auto classes = told_by_ranks(conditions, "link_class"),
             reasons = told_by_ranks(conditions, "link_class_why");
  if (classes.empty()) return {LinkClass::unknown, "the record names no class"};
  const auto worst =
      std::ranges::max_element(classes, {}, [](const auto& rank) { return link_class_from(rank.second); });
  std::set<std::string> told;
  std::ptrdiff_t as_bad = -1;
  for (const auto& [rank, word] : classes) {
    const auto why = reasons.find(rank);
    told.insert(word + (why == reasons.end() ? "" : why->second));
    as_bad += link_class_from(word) == link_class_from(worst->second) ? 1 : 0;
  }
  LinkState state{link_class_from(worst->second), ""};
  if (const auto why = reasons.find(worst->first); why != reasons.end())
    state.why = without_class(why->second, worst->second);
  // Ranks that all tell the same need no name.
  if (told.size() > 1 && state.link_class != LinkClass::clean)
    state.why = fmt::format(
        "rank {}: {}{}", worst->first, state.why,
        as_bad == 0 ? ""
                    : fmt::format("; {} more {} {}", as_bad, as_bad == 1 ? "rank" : "ranks", worst->second));
  return state;
}

std::vector<FabricFlow> flows_of(const FabricPoint& point) {
  std::map<std::pair<int, int>, FabricFlow> flows;
  for (const auto& [name, value] : point.metrics) {
    std::string_view rest = name;
    const bool alone = take_word(rest, "alone_");
    if (!alone && !take_word(rest, "flow_")) continue;
    const auto from = take_number(rest);
    const auto to = from && take_word(rest, "_to_") ? take_number(rest) : std::nullopt;
    if (!to || rest != "_gb_per_s") continue;
    FabricFlow& flow = flows[{*from, *to}];
    flow.from = *from;
    flow.to = *to;
    (alone ? flow.alone_gb_per_s : flow.gb_per_s) = value;
  }
  std::vector<FabricFlow> sorted;
  for (const auto& [ranks, flow] : flows) sorted.push_back(flow);
  std::ranges::stable_sort(sorted, {}, [](const FabricFlow& flow) {
    return flow.gb_per_s.value_or(std::numeric_limits<double>::infinity());
  });
  return sorted;
}

std::vector<Column> fabric_axis_columns(const std::vector<FabricPoint>& points) {
  std::vector<Fields> all;
  for (const FabricPoint& point : points) all.push_back(point.point.axes);
  auto axes = axis_columns(all);
  for (Column& axis : axes) {
    axis.may_lack = axis.name != "operation" && axis.name != "bytes";  // what is moved keeps its column
    if (axis.name == "operation") axis.kind = Column::Kind::word;
  }
  return axes;
}

std::string unclean_text(const std::vector<FabricPoint>& points) {
  std::map<LinkClass, std::size_t, std::greater<>> counts;
  for (const FabricPoint& point : points)
    if (point.link.link_class != LinkClass::clean) ++counts[point.link.link_class];
  std::size_t sum = 0;
  std::string words;
  for (const auto& [link_class, count] : counts) {
    sum += count;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, to_string(link_class));
  }
  return sum == 0 ? "" : fmt::format("{} of {} points not clean: {}", sum, points.size(), words);
}

std::string gravest_text(const std::vector<FabricPoint>& points) {
  const auto gravest =
      std::ranges::max_element(points, {}, [](const FabricPoint& point) { return point.link.link_class; });
  if (gravest == points.end() || gravest->link.link_class == LinkClass::clean) return "";
  const auto bytes = field_integer(gravest->point.axes, {"bytes"});
  return fmt::format("{} {} {}: {}: {}", gravest->point.benchmark(),
                     field_text(gravest->point.axes, {"operation"}), bytes ? bytes_text(*bytes) : "",
                     to_string(gravest->link.link_class), gravest->link.why);
}

}  // namespace assay::results
