// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The trade-offs of one traffic pattern's settings: bandwidth and message rate against the tail and the queue
// pairs or channels that they take; and the settings that no other of the same pattern beats.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/core/names.hpp"
#include "results/points/kinds/fabric_points.hpp"
#include "results/points/kinds/transport_points.hpp"
#include "results/show/axes_table.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

/// Settings that are traded off; all other axes say which pattern and which payload it is.
constexpr std::array<std::string_view, 13> settings{
    "algorithm", "channels", "completion", "cq_moderation", "cta_policy", "launch",      "post_list",
    "protocol",  "qps",      "registered", "tx_depth",      "window",     "inline_bytes"};
/// A message is a chunk of a stream that is cut anyhow; of a collective it is the problem.
constexpr std::string_view chunk = "bytes";

struct Choice {
  StoredPoint point = {};
  std::string pattern = {};                           // the case, and what no setting is
  std::optional<double> gb_per_s = {}, m_per_s = {};  // more is better
  std::optional<double> p99_us = {}, resources = {};  // less is better
};

bool is_fabric(const MeasuredPoint& point) { return point.point.case_name.starts_with("rdma."); }

std::string pattern_of(const MeasuredPoint& point) {
  std::string pattern = point.point.case_name;
  for (const auto& [name, value] : point.point.axes)
    if (std::ranges::find(settings, name) == settings.end() && !(is_fabric(point) && name == chunk))
      pattern += "," + name + "=" + scalar_text(value);
  return pattern;
}

std::optional<double> as_number(const std::optional<std::int64_t>& count) {
  return count && *count > 0 ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

Choice choice_of(MeasuredPoint point) {
  Choice one{.pattern = pattern_of(point)};
  const double time_s = point.point.time_s;
  if (point.point.metric == core::names::latency_us || !is_fabric(point)) {
    if (time_s > 0) one.m_per_s = 1e-6 / time_s;
    one.gb_per_s = point.metric(core::names::algbw_gb_per_s);
    one.p99_us = point.metric(core::names::victim_p99_latency_us);
    if (point.tail.p99_s) one.p99_us = 1e6 * *point.tail.p99_s;
  } else {
    const double gb_per_s = FabricPoint{point}.bandwidth_gb_per_s().value;
    if (std::isfinite(gb_per_s)) one.gb_per_s = gb_per_s;
    one.m_per_s = point.metric(core::names::message_rate_m_per_s);
    one.p99_us = point.metric(core::names::victim_p99_latency_us);
  }
  one.resources = as_number(field_integer(point.point.axes, {"qps"}));
  if (!one.resources)
    one.resources = as_number(field_integer(point.conditions, {core::names::nccl_channels}));
  if (!one.resources) one.resources = as_number(field_integer(point.point.axes, {"channels"}));
  one.point = std::move(point.point);
  return one;
}

/// Costs: less is better in each. What one of them lacks counts for neither.
std::array<std::pair<std::optional<double>, std::optional<double>>, 4> costs(const Choice& one,
                                                                             const Choice& other) {
  const auto negative = [](std::optional<double> value) {
    return value ? std::optional(-*value) : std::nullopt;
  };
  return {{{negative(one.gb_per_s), negative(other.gb_per_s)},
           {negative(one.m_per_s), negative(other.m_per_s)},
           {one.p99_us, other.p99_us},
           {one.resources, other.resources}}};
}

bool beats(const Choice& one, const Choice& other) {
  bool better = false;
  for (const auto& [mine, theirs] : costs(one, other)) {
    if (!mine || !theirs) continue;
    if (*mine > *theirs) return false;
    better = better || *mine < *theirs;
  }
  return better;
}

using Patterns = std::unordered_map<std::string, std::vector<const Choice*>>;

Patterns patterns_of(const std::vector<Choice>& choices) {
  Patterns patterns;
  for (const Choice& one : choices) patterns[one.pattern].push_back(&one);
  return patterns;
}

bool is_on_front(const Choice& one, const std::vector<const Choice*>& of_its_pattern) {
  return std::ranges::none_of(of_its_pattern, [&](const Choice* other) { return beats(*other, one); });
}

std::vector<Choice> choices_of(const RunPoints& run, const ShowOptions& options) {
  std::vector<Choice> choices;
  const std::vector<std::string> filters = options.filter.empty()
                                               ? std::vector<std::string>{"rdma.*", "collectives.*"}
                                               : std::vector{options.filter};
  for (const std::string& filter : filters)
    for (MeasuredPoint& point : run.measured(filter))
      if (!is_host_transport(point.point)) choices.push_back(choice_of(std::move(point)));
  return choices;
}

}  // namespace

Table show_tradeoffs(const RunPoints& run, const ShowOptions& options) {
  const std::vector<Choice> choices = choices_of(run, options);
  std::vector<Fields> axes;
  for (const Choice& one : choices) axes.push_back(one.point.axes);
  std::vector<Column> columns = axis_columns(axes);
  for (Column& axis : columns) axis.may_lack = true;
  AxesTable shown(title_of("Rate against tail", run), {{"case", "", Kind::word, true}}, columns,
                  {{"bandwidth", "GB/s", Kind::number, false, true},
                   {"rate", "M/s", Kind::number, false, true},
                   {"median", "us", Kind::number},
                   {"p99", "us", Kind::number, false, true},
                   {"queue pairs or channels", "", Kind::count, false, true},
                   {"Pareto", "", Kind::word}});
  const Patterns patterns = patterns_of(choices);
  for (const Choice& one : choices)
    shown.add(
        {one.point.case_name}, one.point.axes,
        {number_cell(one.gb_per_s), number_cell(one.m_per_s), Number{1e6 * one.point.time_s},
         number_cell(one.p99_us), one.resources ? Cell(std::int64_t{std::llround(*one.resources)}) : Cell(),
         std::string(is_on_front(one, patterns.at(one.pattern)) ? "yes" : "no")});
  shown.table.notes.emplace_back(
      "Pareto: no other setting of the same pattern and payload is as good in bandwidth, rate, p99 and queue "
      "pairs or channels, and better in one. Rate: messages, or collectives. Of a stream of messages bytes "
      "is a "
      "setting too.");
  return shown.table;
}

}  // namespace assay::results
