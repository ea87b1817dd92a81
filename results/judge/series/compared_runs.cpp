// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points and runs that do not mean the same are not compared: what differs is named.
#include "results/judge/series/compared_runs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/core/text/glob.hpp"
#include "results/judge/statistics/copied_samples.hpp"
#include "results/points/point_doubts.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

/// A run whose id is the text itself comes before a pattern: an id may hold any of these characters.
void add_runs(const Store& store, const std::string& name, std::vector<ComparedRun>& runs) {
  if (name == "latest") return runs.push_back({&store, find_run(store, std::nullopt)});
  const std::vector<StoredRun> all = all_runs(store);
  const auto exact = std::ranges::find(all, name, &StoredRun::run_id);
  if (exact != all.end()) return runs.push_back({&store, *exact});
  if (name != "all" && !is_pattern(name))
    return runs.push_back({&store, find_run(store, name)});  // says what is missing
  const std::size_t before = runs.size();
  for (const StoredRun& run : all)
    if (name == "all" || core::glob_matches(name, run.run_id)) runs.push_back({&store, run});
  if (runs.size() == before)
    throw std::runtime_error(fmt::format(
        "store {}: no run matches '{}'; the table 'runs' lists what is there", store.path().string(), name));
}

std::vector<ComparedRun> side_of(const Store& store, const std::vector<std::string>& names,
                                 const char* side) {
  std::vector<ComparedRun> runs;
  for (const std::string& name : names) add_runs(store, name, runs);
  if (runs.empty()) throw std::runtime_error(fmt::format("the {} has no run", side));
  std::ranges::stable_sort(runs, {},
                           [](const ComparedRun& one) { return std::pair(one.run.started, one.run.id); });
  return runs;
}

/// In another store an equal id may be chance; an equal id and start is a copy.
bool is_same(const ComparedRun& one, const ComparedRun& other) {
  return one.run.run_id == other.run.run_id &&
         (one.store == other.store || one.run.started == other.run.started ||
          one.store->path() == other.store->path());
}

void refuse_same_run(const std::vector<ComparedRun>& all) {
  for (auto one = all.begin(); one != all.end(); ++one)
    for (auto other = std::next(one); other != all.end(); ++other) {
      if (is_same(*one, *other))
        throw std::runtime_error(fmt::format(
            "run {} is named twice: a run cannot be compared with itself, nor count twice", one->run.run_id));
      if (one->store == other->store && whole_run(one->run.run_id) == whole_run(other->run.run_id))
        throw std::runtime_error(fmt::format("{} and {} are ranks of one run: one start, not two",
                                             one->run.run_id, other->run.run_id));
    }
}

void refuse_other_origins(const std::vector<ComparedRun>& all) {
  const std::string origin = origin_of(*all.front().store, all.front().run);
  for (const ComparedRun& one : all)
    if (const std::string other = origin_of(*one.store, one.run); other != origin)
      throw std::runtime_error(fmt::format("run {} is {} and run {} is {}: not the same thing",
                                           all.front().run.run_id, origin, one.run.run_id, other));
}

constexpr auto every_point = std::numeric_limits<std::int64_t>::max();

/// The meaning of a point, as one measurement of it says.
struct PointMeaning {
  std::string definition;                                  // as in PointEvidence
  std::vector<std::pair<std::string, std::string>> units;  // of its metrics
  bool imported = false;
};

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& in_a,
                         const std::string& in_b) {
  throw std::runtime_error(
      fmt::format("{} is not the same in both runs: {} '{}' and '{}'", where, what, in_a, in_b));
}

/// "64" of "64.0".
std::string shortest(std::string number) {
  if (number.ends_with(".0")) number.resize(number.size() - 2);
  return number;
}

using Values = std::map<std::string, std::set<std::string>>;  // of each axis

using Sweeps = std::map<std::string, Values>;  // of each case

void add_axes(Sweeps& sweeps, const StoredPoint& point) {
  for (const auto& [axis, value] : point.axes) sweeps[point.case_name][axis].insert(scalar_text(value));
}

std::string text_of(const Values& sweep, const std::string& axis) {
  const auto found = sweep.find(axis);
  return found == sweep.end() ? "no such axis" : fmt::format("{}", fmt::join(found->second, " "));
}

bool overlap(const Values& a, const Values& b, const std::string& axis) {
  const auto in_a = a.find(axis), in_b = b.find(axis);
  if (in_a == a.end() || in_b == b.end()) return false;
  return std::ranges::any_of(in_a->second,
                             [&](const std::string& value) { return in_b->second.contains(value); });
}

/// Two repetitions of a point: the first that differs of its definition and the units of its metrics.
void refuse_other_meaning(const std::string& where, const PointMeaning& a, const PointMeaning& b) {
  if (const auto differs = difference_of(a.definition, b.definition))
    refuse(where, std::string(differs->part), shortest(differs->one), shortest(differs->other));
  for (const auto& [metric, unit] : a.units)
    for (const auto& [same, other_unit] : b.units)
      if (same == metric && other_unit != unit) refuse(where, "unit of " + metric, unit, other_unit);
}

/// All points of two runs: a case that has an axis in one run only, or no value of an axis (message size,
/// data type, in place, algorithm) in common.
void refuse_other_sweeps(const Sweeps& in_a, const Sweeps& in_b) {
  for (const auto& [name, sweep] : in_a) {
    const auto other = in_b.find(name);
    if (other == in_b.end()) continue;
    Values axes = sweep;
    axes.insert(other->second.begin(), other->second.end());
    for (const auto& [axis, ignored] : axes)
      if (!overlap(sweep, other->second, axis))
        refuse(name, axis, text_of(sweep, axis), text_of(other->second, axis));
  }
}

std::set<std::int64_t> processes_together(const ComparedRun& one) {
  std::set<std::int64_t> together;
  for (const auto& [process, context] : contexts_by_process(*one.store, one.run))
    if (measured_together(context)) together.insert(process);
  return together;
}

std::string status_text(const StoredPoint& point) {
  return point.reason.empty() ? to_string(point.status) : to_string(point.status) + ": " + point.reason;
}

/// One run; its points are read one by one, for their records and samples are large.
class RunReader {
 public:
  RunReader(const ComparedRun& one, std::size_t number)
      : one_(one),
        number_(number),
        together_(processes_together(one)),
        row_(one.store->database().prepare(std::string("SELECT ") + point_evidence_columns +
                                           ", p.samples_s FROM points p WHERE p.id = ?")),
        more_metrics_(one.store->database().prepare(
            "SELECT name, unit FROM more_metrics WHERE point = ? ORDER BY ordinal")) {}

  RepetitionValue value_of(const StoredPoint& point, CopiedSamples& copies) {
    RepetitionValue value{.time_s = point.time_s, .process = point.process, .status = point.status};
    if (!row_.bind(point.id).step()) throw std::runtime_error("the store changes while it is read");
    evidence_ = evidence_from(row_, 0);
    value.cut = evidence_.stop == "interrupted";
    if (point.status != Status::ok) {
      value.discount(status_text(point));
      value.is_wrong = point.status == Status::wrong;
      return value;
    }
    std::vector<double> samples_s = row_.numbers(point_evidence_column_count);
    std::optional<PointDoubt> doubt = doubt_about(evidence_, samples_s);
    if (!doubt && together_.contains(point.process))
      doubt = PointDoubt{"measured at the same time as a burn-in's other load"};
    if (doubt) value.discount(doubt->why), value.is_wrong = doubt->is_wrong;
    samples_s =
        samples_or_summary(std::move(samples_s), {evidence_.time_s, evidence_.lower_s, evidence_.upper_s});
    copies.add(point.case_name + " " + point.key, number_, one_.run.run_id, samples_s,
               evidence_.is_aggregate() ? SamplesAre::printed : SamplesAre::measured);
    return value;
  }

  /// The meaning of the point that value_of() read last.
  PointMeaning meaning_of(const StoredPoint& point) {
    PointMeaning meaning{evidence_.definition, {{evidence_.metric, evidence_.unit}}, evidence_.is_imported()};
    more_metrics_.bind(point.id);
    while (more_metrics_.step()) meaning.units.emplace_back(more_metrics_.text(0), more_metrics_.text(1));
    return meaning;
  }

 private:
  const ComparedRun& one_;
  std::size_t number_;
  std::set<std::int64_t> together_;
  Statement row_, more_metrics_;
  PointEvidence evidence_;
};

/// A resumed run measures again what was cut off or failed; else a repetition that is there twice is in
/// doubt.
void add_repetition(RunValues& values, std::int64_t repetition, RepetitionValue value) {
  const auto [before, fresh] = values.add(repetition, value);
  if (fresh) return;
  const bool again = before->process != value.process && (before->cut || before->status != Status::ok);
  if (again)
    *before = std::move(value);
  else if (!value.cut)
    before->discount("measured twice in one run that was not resumed");
}

class ValuesReader {
 public:
  explicit ValuesReader(const std::string& filter) : filter_(filter) {}

  PointValues read(const std::vector<ComparedRun>& runs, Sweeps& sweeps) {
    PointValues values;
    for (std::size_t at = 0; at < runs.size(); ++at) {
      RunReader reader(runs[at], number_++);
      for (const StoredPoint& point : points_in_order(*runs[at].store, runs[at].run, filter_, every_point)) {
        RepetitionValue value = reader.value_of(point, copies_);
        if (point.status == Status::ok && !std::isnan(point.time_s))
          require_same_meaning(point, reader.meaning_of(point), value);
        auto& of_point = values[{point.case_name, point.key}];
        of_point.resize(runs.size());
        add_repetition(of_point[at], point.repetition, std::move(value));
        add_axes(sweeps, point);
      }
    }
    return values;
  }

  void refuse_copies() const { copies_.refuse_copies(); }

 private:
  /// A point that another tool measured with other settings is not compared.
  void require_same_meaning(const StoredPoint& point, const PointMeaning& meaning, RepetitionValue& value) {
    const auto [first, fresh] = meanings_.try_emplace({point.case_name, point.key}, meaning);
    if (fresh) return;
    const bool imported = first->second.imported && meaning.imported;
    const auto differs =
        imported ? difference_of(first->second.definition, meaning.definition) : std::nullopt;
    if (differs)
      value.discount(fmt::format("not the same measurement: {} '{}' and '{}'", differs->part,
                                 shortest(differs->one), shortest(differs->other)));
    else
      refuse_other_meaning(point.case_name + " " + point.key, first->second, meaning);
  }

  std::string filter_;
  std::size_t number_ = 0;
  CopiedSamples copies_;
  std::map<PointName, PointMeaning> meanings_;
};

}  // namespace

std::pair<RepetitionValue*, bool> RunValues::add(std::int64_t repetition, const RepetitionValue& value) {
  const auto place = std::ranges::lower_bound(values_, repetition, {}, &Repetition::first);
  if (place != values_.end() && place->first == repetition) return {&place->second, false};
  return {&values_.emplace(place, repetition, value)->second, true};
}

const RepetitionValue* RunValues::find(std::int64_t repetition) const {
  const auto place = std::ranges::lower_bound(values_, repetition, {}, &Repetition::first);
  return place != values_.end() && place->first == repetition ? &place->second : nullptr;
}

ComparedSides compared_sides(const Store& of_a, const Store& of_b, const ComparisonRequest& request) {
  ComparedSides sides{side_of(of_a, request.a, "baseline"), side_of(of_b, request.b, "candidate")};
  std::vector<ComparedRun> all = sides.a;
  all.insert(all.end(), sides.b.begin(), sides.b.end());
  refuse_same_run(all);
  refuse_other_origins(all);
  return sides;
}

SideValues values_of(const ComparedSides& sides, const std::string& filter) {
  ValuesReader reader(filter);
  Sweeps sweeps_of_a, sweeps_of_b;
  SideValues values;
  values.a = reader.read(sides.a, sweeps_of_a);
  values.b = reader.read(sides.b, sweeps_of_b);
  refuse_other_sweeps(sweeps_of_a, sweeps_of_b);
  reader.refuse_copies();
  return values;
}

}  // namespace assay::results
