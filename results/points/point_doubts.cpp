// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/point_doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "results/peers/condition_names.hpp"
#include "results/points/contradictions.hpp"
#include "results/points/imported_definition.hpp"
#include "results/points/link_state.hpp"
#include "results/points/point_outline.hpp"
#include "results/record/json/older_form.hpp"
#include "results/record/json/record_json.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

/// Light crosses 30 um in 1e-13 s; a year has 3e7 s.
constexpr double shortest_s = 1e-13, longest_s = 1e8;
/// Between the time and the same quantile of the samples: more than rounding_share and another estimator.
constexpr double samples_slack = 0.25;
constexpr double rounding_share = 1e-9;
/// In the order of PointEvidence::definition: where the record has the part, and its name.
constexpr std::pair<const char*, const char*> definition_parts[] = {
    {"/work/bytes", "bytes of an iteration"},         {"/work/flops", "FLOPs of an iteration"},
    {"/work/bytes_counted", "how bytes are counted"}, {"/time/quantile", "quantile of the time"},
    {"/conditions/ranks", core::names::ranks},        {"/conditions/nodes", core::names::nodes}};
constexpr const char* stamp_name = core::names::not_a_performance_measurement;

Fields texts_of(const std::string& conditions) {
  Fields fields;
  const auto object = core::json_or_discarded<nlohmann::ordered_json>(conditions);
  if (object.is_object())
    for (const auto& [name, value] : object.items())
      fields.emplace_back(name, value.is_string() ? value.get<std::string>() : core::json_text(value));
  return fields;
}

/// 0 where the text is none.
template <class Number>
Number number_in(std::string_view text) {
  Number number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// 0 where the conditions name none.
std::int64_t ranks_of(const std::string& conditions) {
  return number_in<std::int64_t>(field_in(conditions, core::names::ranks));
}

std::optional<PointDoubt> doubt_about_link(const PointEvidence& point) {
  if (point.links.empty()) {
    if (!point.case_name.starts_with("rdma.") || point.is_imported()) return std::nullopt;
    return PointDoubt{"its record names no link_class: the counters of its link were not read"};
  }
  const LinkState state = link_state(point.links);
  if (state.link_class < LinkClass::unknown) {
    std::string why = link_contradiction(point.links, ranks_of(point.conditions));
    return why.empty() ? std::nullopt : std::optional(PointDoubt{std::move(why)});
  }
  const char* what = state.link_class == LinkClass::unknown ? "its link's counters could not be followed"
                                                            : "its link was not sound";
  return PointDoubt{
      fmt::format("{}: {}{}{}", what, to_string(state.link_class), state.why.empty() ? "" : ": ", state.why)};
}

std::optional<PointDoubt> doubt_about_stamp(const Fields& conditions) {
  const std::string stamp = field_text(conditions, {stamp_name});
  if (stamp.empty()) return std::nullopt;
  return PointDoubt{"not a performance measurement: " + stamp};
}

/// Reasons that are no way to run: of heat, and of a brake. A limit of power is one.
constexpr std::array throttled_by = {"throttle_hw_slowdown_fraction", "throttle_hw_thermal_slowdown_fraction",
                                     "throttle_sw_thermal_slowdown_fraction",
                                     "throttle_hw_power_brake_slowdown_fraction"};
/// A fifth slower for this share of the time is 1 % of the whole.
constexpr double most_throttled = 0.05;

std::optional<PointDoubt> doubt_about_throttling(std::string_view conditions) {
  if (conditions.find("throttle_") == std::string_view::npos) return std::nullopt;
  for (const char* reason : throttled_by) {
    const double share = number_in<double>(field_in(conditions, reason));
    if (share > most_throttled)
      return PointDoubt{
          fmt::format("its clocks were slowed in {:.0f} % of the time ({})", 100 * share, reason)};
  }
  return std::nullopt;
}

/// Findings of the import about the log itself.
std::optional<PointDoubt> doubt_about_log(const PointEvidence& point) {
  if (!point.is_imported()) return std::nullopt;
  const std::string_view text = field_in(point.conditions, peers::condition::not_believable);
  if (text.empty()) return std::nullopt;
  return PointDoubt{"its log is not believable: " + std::string(text)};
}

/// Conditions are read only where they may hold a stamp: a fleet has many points, and few have one.
std::optional<PointDoubt> doubt_about_conditions(const PointEvidence& point) {
  if (point.conditions.find(stamp_name) != std::string::npos)
    if (auto doubt = doubt_about_stamp(texts_of(point.conditions))) return doubt;
  if (auto doubt = doubt_about_throttling(point.conditions)) return doubt;
  if (auto doubt = doubt_about_log(point)) return doubt;
  for (const RankReport& rank : point.ranks)
    if (auto doubt = doubt_about_stamp(rank.facts)) return doubt;
  return doubt_about_link(point);
}

Json object_in(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  return found == object.end() || !found->is_object() ? Json::object() : *found;
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

/// The text of an object or list without its brackets; empty where it is not there.
std::string members_of(const Json& object, const char* name) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (found == object.end() || !found->is_structured()) return {};
  const std::string text = core::json_text(*found);
  return text.substr(1, text.size() - 2);
}

/// A record that breaks the schema has none.
void add_parts(PointEvidence& point, Json record) {
  record["samples_s"] = Json::array();  // the store keeps them apart
  try {
    auto parts = std::get<PointRecord>(from_json(record));
    point.ranks = std::move(parts.ranks);
    point.links = std::move(parts.links);
    point.flows = std::move(parts.flows);
    point.work_bytes = parts.work_bytes;
    point.work_flops = parts.work_flops;
  } catch (const std::exception&) {
    return;
  }
}

/// Adds the evidence of a record in any form.
void add_parsed_record(PointEvidence& point, std::string_view record) {
  const Json json = core::json_or_discarded<Json>(record);
  const Json time = object_in(json, "time"), verification = object_in(json, "verification");
  if (time.contains("quantile") && time["quantile"].is_number()) point.quantile = time["quantile"];
  point.verification = text_in(verification, "result");
  point.verification_why = text_in(verification, "why");
  point.conditions = core::json_text(object_in(json, "conditions"));
  point.case_name = json.is_object() ? text_in(json, "case") : "";
  point.contradiction = unit_contradiction(members_of(json, "point"), members_of(json, "units"));
  if (point.contradiction.empty()) point.contradiction = peak_contradiction(members_of(json, "metrics"));
  for (const auto& [path, name] : definition_parts) {
    const Json::json_pointer pointer(path);
    if (json.contains(pointer))
      point.definition +=
          json[pointer].is_string() ? json[pointer].get<std::string>() : core::json_text(json[pointer]);
    point.definition += '|';
  }
  if (point.is_imported()) point.definition += imported_definition(point.conditions);
  if (json.is_object()) add_parts(point, json);
}

/// A wrong one's words may hold escapes.
void add_record(PointEvidence& point, std::string_view record) {
  const auto outline = outline_of(record);
  double quantile = point.quantile;
  const bool known =
      outline && outline->verification != "wrong" && !is_of_older_form(outline->conditions) &&
      std::from_chars(outline->quantile.data(), outline->quantile.data() + outline->quantile.size(), quantile)
              .ec == std::errc();
  if (!known) return add_parsed_record(point, record);
  point.quantile = quantile;
  point.work_bytes = number_in<double>(outline->work_bytes);
  point.work_flops = number_in<double>(outline->work_flops);
  point.case_name = outline->case_name;
  point.contradiction = unit_contradiction(outline->axes, outline->units);
  if (point.contradiction.empty() && point.work_flops > 0)
    point.contradiction = peak_contradiction(outline->metrics);
  point.verification = outline->verification;
  point.conditions = outline->conditions;
  for (const std::string_view part :
       {outline->work_bytes, outline->work_flops, outline->bytes_counted, outline->quantile,
        field_in(outline->conditions, core::names::ranks), field_in(outline->conditions, core::names::nodes)})
    point.definition.append(part).push_back('|');
  point.verification_why = outline->verification_why;
  if (point.is_imported()) point.definition += imported_definition(point.conditions);
}

std::optional<PointDoubt> doubt_about_time(const PointEvidence& point) {
  const double time = point.time_s, lower = point.lower_s, upper = point.upper_s;
  if (std::isnan(time)) return PointDoubt{"status ok, and no time was recorded"};
  if (!(time >= shortest_s && time <= longest_s))
    return PointDoubt{fmt::format("an impossible time of {:g} s", time)};
  if (point.is_aggregate()) return std::nullopt;
  if (point.n <= 0) return PointDoubt{fmt::format("status ok, and {} samples", point.n)};
  if (!std::isfinite(lower) || !std::isfinite(upper) || lower < 0 || lower > time * (1 + rounding_share) ||
      upper < time * (1 - rounding_share))
    return PointDoubt{
        fmt::format("time {:g} s is not within its interval, {:g} to {:g} s", time, lower, upper)};
  return std::nullopt;
}

std::optional<PointDoubt> doubt_about_samples(const PointEvidence& point, std::span<const double> samples_s) {
  if (samples_s.empty()) return std::nullopt;
  if (std::ranges::any_of(samples_s, [](double sample) { return !(sample >= 0); }))
    return PointDoubt{"a sample is not a time"};
  const auto last = static_cast<double>(samples_s.size() - 1);
  const auto index = [&](double rank) { return static_cast<std::size_t>(std::clamp(rank, 0.0, last)); };
  const double rank = point.quantile * last, time_s = point.time_s;
  const std::size_t low = index(std::floor(rank) - 1), high = index(std::ceil(rank) + 1);
  // Counted, not sorted: a fleet has many points, and few in doubt.
  std::size_t reached = 0, passed = 0;
  for (const double sample : samples_s) {
    reached += sample * (1 - samples_slack) <= time_s ? 1 : 0;
    passed += sample * (1 + samples_slack) < time_s ? 1 : 0;
  }
  if (reached > low && passed <= high) return std::nullopt;
  std::vector<double> sorted(samples_s.begin(), samples_s.end());
  std::ranges::sort(sorted);
  return PointDoubt{fmt::format("its samples put the time between {:g} and {:g} s, and it reports {:g} s",
                                sorted[low], sorted[high], time_s)};
}

}  // namespace

bool PointEvidence::is_imported() const {
  return imported && !field_in(conditions, peers::condition::statistic).empty();
}

bool PointEvidence::is_aggregate() const {
  return n >= 0 && std::isnan(lower_s) && std::isnan(upper_s) && is_imported();
}

void read_evidence(const Statement& row, int first, PointEvidence& point) {
  point.status = static_cast<Status>(row.integer(first));
  point.n = row.integer(first + 1);
  point.time_s = row.number(first + 2);
  point.lower_s = row.number(first + 3);
  point.upper_s = row.number(first + 4);
  point.quantile = PointEvidence::assumed_quantile;
  point.stop = row.view(first + 5);
  point.metric = row.view(first + 6);
  point.unit = row.view(first + 7);
  point.value = {row.number(first + 8), row.optional_number(first + 9), row.optional_number(first + 10)};
  for (std::string* text : {&point.case_name, &point.verification, &point.verification_why, &point.conditions,
                            &point.definition, &point.contradiction})
    text->clear();
  point.ranks.clear(), point.links.clear(), point.flows.clear();
  point.work_bytes = point.work_flops = 0;
  point.imported = row.integer(first + 12) != 0;
  add_record(point, row.view(first + 11));
}

PointEvidence evidence_from(const Statement& row, int first) {
  PointEvidence point;
  read_evidence(row, first, point);
  return point;
}

std::optional<DefinitionDifference> difference_of(const std::string& one, const std::string& other) {
  std::istringstream parts_of_one(one), parts_of_other(other);
  for (const auto& [path, name] : definition_parts) {
    DefinitionDifference found{name, "", ""};
    std::getline(parts_of_one, found.one, '|');
    std::getline(parts_of_other, found.other, '|');
    if (found.one != found.other) return found;
  }
  return imported_difference(parts_of_one, parts_of_other);
}

std::optional<PointDoubt> doubt_about(const PointEvidence& point, std::span<const double> samples_s) {
  if (point.status != Status::ok) return std::nullopt;
  if (point.verification == "wrong")
    return PointDoubt{"status ok, and its verification says wrong: " + point.verification_why, true};
  if (auto doubt = doubt_about_conditions(point)) return doubt;
  if (auto doubt = doubt_about_time(point)) return doubt;
  if (point.stop == "interrupted") return PointDoubt{"cut off by an interrupt"};
  if (!point.metric.empty()) {
    if (auto doubt = doubt_about_value(point.metric, point.unit, point.value)) return doubt;
    if (std::string why = metric_contradiction(point.metric, point.unit, point.value.value,
                                               {point.time_s, point.work_bytes, point.work_flops});
        !why.empty())
      return PointDoubt{std::move(why)};
  }
  if (!point.contradiction.empty()) return PointDoubt{point.contradiction};
  return doubt_about_samples(point, samples_s);
}

}  // namespace assay::results
