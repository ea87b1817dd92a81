// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every unit compared with absolute limits of its type of machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/statistics/statistics.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/limits/limited_aggregates.hpp"
#include "results/judge/limits/limited_points.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

/// Machines that a file is for.
struct Machines {
  std::map<Process, Measurer> measurers;
  std::map<std::string, std::size_t> gpus;  // by host
};

std::size_t gpus_of(const nlohmann::ordered_json& machine) {
  return machine.contains("gpus") ? machine["gpus"].size() : 0;
}

/// Machines for each file. Every process must be of a machine that one of the files is for.
std::vector<Machines> machines_for(const Store& store, std::span<const LimitsFile> files) {
  std::vector<Machines> machines(files.size());
  for (const StoredRun& run : whole_runs(store))
    for (const ContextRecord& context : contexts_of(store, run)) {
      std::string others;
      bool any = false;
      for (std::size_t at = 0; at < files.size(); ++at) {
        if (const auto other = mismatch(files[at].machine, context.machine)) {
          others += fmt::format("{}{}: {}", others.empty() ? "" : "; ", files[at].path, *other);
          continue;
        }
        any = true;
        machines[at].measurers[{run.id, context.process}] = {context.host, context.origin,
                                                             measured_together(context)};
        machines[at].gpus[context.host] = gpus_of(context.machine);
      }
      if (!any)
        throw std::runtime_error(fmt::format("limits for another machine than host '{}' of run {}: {}",
                                             context.host, run.run_id, others));
    }
  for (std::size_t at = 0; at < files.size(); ++at)
    if (machines[at].measurers.empty())
      throw std::runtime_error(files[at].path + ": limits for a machine that nothing here was measured on");
  return machines;
}

std::string signature_text(const LimitsFile& file) {
  if (!file.signature) return "";
  return fmt::format("; signed by {} on {}, from {} nodes", file.signature->by, file.signature->date,
                     file.signature->nodes);
}

std::set<std::string> origins_of(const Machines& machines) {
  std::set<std::string> origins;
  for (const auto& [process, measurer] : machines.measurers) origins.insert(to_string(measurer.origin));
  return origins;
}

VerdictRow row_for(const AbsoluteLimit& limit, const std::string& unit, const std::string& kind,
                   const std::string& metric) {
  return {.unit = unit,
          .kind = kind,
          .metric = limited_metric(metric, limit.metric),
          .value_unit = limit.unit,
          .limit = limit.bounds,
          .limit_source = fmt::format("{} ({})", limit.source, limit.where)};
}

using Measurements = std::vector<const LimitedPoint*>;

/// Median of the values; the interval holds those of all.
Number joined(const Measurements& measured) {
  std::vector<double> values;
  Number all;
  for (const LimitedPoint* point : measured) {
    const double lower = point->value.lower.value_or(point->value.value),
                 upper = point->value.upper.value_or(point->value.value);
    all.lower = std::min(all.lower.value_or(lower), lower);
    all.upper = std::max(all.upper.value_or(upper), upper);
    values.push_back(point->value.value);
  }
  all.value = core::quantile_of(values, 0.5);
  return all;
}

const char* because(Verdict verdict) {
  if (verdict == Verdict::pass) return "within the limit";
  return verdict == Verdict::fail ? "beyond the limit" : "the interval crosses the limit";
}

/// "; in 2 its GPU was still getting slower": marks what was measured before a steady state.
std::string moving_mark(const Measurements& measured) {
  const auto moving =
      std::ranges::count_if(measured, [](const LimitedPoint* point) { return !point->still_moving.empty(); });
  if (moving == 0) return "";
  return fmt::format("; in {} its GPU was still getting slower",
                     moving == std::ssize(measured) ? "all" : fmt::format("{}", moving));
}

/// A limit of a GPU that was still getting slower shows neither that a unit is sound nor that it is not.
void decide_nothing(VerdictRow& row) {
  row.verdict = Verdict::inconclusive;
  row.smallest_defect.reset();
  row.because +=
      ", but this limit decides nothing: the GPU that it is from was still getting slower (stationary = "
      "false)";
  row.meaning =
      "a limit from a GPU in its steady state is needed: assay limits, max_warmup_seconds = 5 or more";
  row.action = Action::configure;
}

void judge(VerdictRow& row, const AbsoluteLimit& limit, const Measurements& all) {
  Measurements measured;
  for (const LimitedPoint* point : all) {
    if (point->why_not.empty())
      measured.push_back(point);
    else
      row.evidence.push_back(point->why_not);
  }
  if (!row.evidence.empty()) {
    row.verdict = Verdict::inconclusive;
    row.because = fmt::format("{} of {} measurements cannot be judged: {}", row.evidence.size(), all.size(),
                              row.evidence.front());
    row.action = Action::retest;
    return;
  }
  if (std::ranges::any_of(measured, [](const LimitedPoint* point) { return point->is_aggregate; })) {
    hold_aggregates_against_limit(row, measured);
    return limit.stationary ? void() : decide_nothing(row);
  }
  hold_against_limit(row, joined(measured));
  std::set<std::string> origins;
  for (const LimitedPoint* point : measured) {
    row.n += point->n;
    origins.insert(to_string(point->origin));
  }
  row.origin = origin_words(origins);
  row.because =
      fmt::format("{} {}: {} in {} measurements{}{}", number_text(*row.value), row.value_unit,
                  because(row.verdict), measured.size(), origin_mark(origins), moving_mark(measured));
  if (!limit.stationary) return decide_nothing(row);
  row.meaning = row.verdict == Verdict::fail ? "does not do what this type of machine does" : "";
}

std::vector<std::string> units_of(const Machines& machines, bool gpus) {
  std::vector<std::string> units;
  for (const auto& [host, count] : machines.gpus) {
    if (!gpus) units.push_back(host);
    for (std::size_t gpu = 0; gpus && gpu < count; ++gpu) units.push_back(fmt::format("{}/gpu{}", host, gpu));
  }
  return units;
}

VerdictRow row_without_points(const AbsoluteLimit& limit, const std::string& unit, const std::string& kind,
                              const std::string& metric, const std::string& because) {
  VerdictRow row = row_for(limit, unit, kind, metric);
  row.because = because;
  row.meaning = "what was not measured is not within any limit";
  row.action = Action::retest;
  return row;
}

/// Every unit of a kind has each point that one of that kind has; hosts have those of host points that they
/// took part in.
void add_missing(const AbsoluteLimit& limit, const Machines& machines, const LimitedPoints& found,
                 VerdictRows& rows) {
  for (const bool gpus : {false, true}) {
    std::map<std::string, std::set<std::string>> units_by_metric;
    for (const LimitedPoint& point : found.points) {
      if (point.of_gpu != gpus) continue;
      std::set<std::string>& there = units_by_metric[point.metric];
      there.insert(point.unit);
      if (!gpus) there.insert(point.hosts.begin(), point.hosts.end());
    }
    for (const std::string& unit : units_of(machines, gpus))
      for (const auto& [metric, there] : units_by_metric)
        if (!there.contains(unit))
          rows.push_back(row_without_points(limit, unit, gpus ? "gpu" : "host", metric,
                                            "this unit lacks a point of this limit that others have"));
  }
}

std::string selector_text(const AbsoluteLimit& limit) {
  std::string text = limit.cases;
  for (const auto& [axis, value] : limit.point) text += fmt::format(" {}={}", axis, value);
  return text;
}

/// Returns how many points were left out.
std::size_t judge_limit(const Store& store, const std::string& filter, const AbsoluteLimit& limit,
                        const Machines& machines, VerdictRows& rows) {
  const LimitedPoints found = points_of(store, filter, limit, machines.measurers);
  if (found.points.empty())
    rows.push_back(
        row_without_points(limit, "", "limit", limit.cases, "no point matches: " + selector_text(limit)));
  std::map<std::pair<std::string, std::string>, Measurements> by_unit;
  for (const LimitedPoint& point : found.points) by_unit[{point.unit, point.metric}].push_back(&point);
  for (const auto& [name, measurements] : by_unit) {
    VerdictRow row = row_for(limit, name.first, measurements.front()->of_gpu ? "gpu" : "host", name.second);
    judge(row, limit, measurements);
    rows.push_back(row);
  }
  add_missing(limit, machines, found, rows);
  return found.together;
}

std::vector<LimitsFile> limits_files_of(const Evidence& evidence) {
  std::vector<LimitsFile> files;
  for (const EvidenceFile& file : evidence.files_of("limits"))
    files.push_back(file.content ? limits_in(*file.content, file.name) : read_limits(file.name));
  return files;
}

std::vector<Judged> judge_by_limits(const Evidence& evidence) {
  const std::vector<LimitsFile> files = limits_files_of(evidence);
  if (files.empty()) return {};
  return {{.verdicts = judge_limits(evidence.store, evidence.order.filter, files)}};
}

}  // namespace

Verdicts judge_limits(const Store& store, const std::string& filter, std::span<const LimitsFile> files) {
  const std::vector<Machines> machines = machines_for(store, files);
  Verdicts verdicts{.command = "accept", .subject = "limits"};
  std::size_t together = 0;
  for (std::size_t at = 0; at < files.size(); ++at) {
    verdicts.notes.push_back(fmt::format("{}: {} limits, {} hosts{}{}", files[at].path,
                                         files[at].limits.size(), machines[at].gpus.size(),
                                         origin_mark(origins_of(machines[at])), signature_text(files[at])));
    for (const AbsoluteLimit& limit : files[at].limits)
      together += judge_limit(store, filter, limit, machines[at], verdicts.rows);
  }
  std::set<std::string> origins;
  for (const Machines& one : machines) origins.merge(origins_of(one));
  name_origin(verdicts, origin_words(origins));
  if (together > 0) verdicts.notes.push_back(together_note(together));
  settle(verdicts);
  return verdicts;
}

bool limits_judge_every_point(const Evidence& evidence) {
  const std::vector<LimitsFile> files = limits_files_of(evidence);
  return !files.empty() && every_point_has_limit(evidence.store, evidence.order.filter, files);
}

Judge limits_judge() {
  return {"limits",
          {{.kind = JudgeInput::Kind::limit_files,
            .name = "limits",
            .flag = "--limits",
            .about = "absolute limits of a type of machine (TOML; docs/reference/files.md); may be repeated",
            .called = "the limits files"}},
          judge_by_limits};
}

}  // namespace assay::results
