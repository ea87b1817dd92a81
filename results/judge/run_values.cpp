// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/run_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "results/judge/copied_samples.hpp"
#include "results/judge/run_definitions.hpp"
#include "results/points/point_doubts.hpp"
#include "results/record/record_json.hpp"
#include "results/store/database.hpp"
#include "results/store/measured_together.hpp"

namespace assay::results {
namespace {

constexpr auto every_point = std::numeric_limits<std::int64_t>::max();

/// What a point means, as its first measurement says.
struct PointDefinition {
  StoredPoint point;
  PointRecord record;
};

std::set<std::int64_t> processes_together(const ComparedRun& one) {
  std::set<std::int64_t> together;
  for (const auto& [process, context] : contexts_by_process(*one.store, one.run))
    if (measured_together(context)) together.insert(process);
  return together;
}

std::string status_text(const StoredPoint& point) {
  return point.reason.empty() ? to_string(point.status) : to_string(point.status) + ": " + point.reason;
}

/// One run; its points are read one by one, for their records are large.
class RunReader {
 public:
  RunReader(const ComparedRun& one, std::size_t number)
      : one_(one),
        number_(number),
        together_(processes_together(one)),
        row_(one.store->database().prepare(std::string("SELECT ") + point_evidence_columns +
                                           ", p.record, p.samples_s FROM points p WHERE p.id = ?")) {}

  RepetitionValue value_of(const StoredPoint& point, CopiedSamples& copies) {
    RepetitionValue value{.status = point.status, .time_s = point.time_s, .process = point.process};
    if (!row_.bind(point.id).step()) throw std::runtime_error("the store changes while it is read");
    const PointEvidence evidence = evidence_from(row_, 0);
    value.cut = evidence.stop == "interrupted";
    if (point.status != Status::ok) {
      value.why_not = status_text(point);
      value.is_wrong = point.status == Status::wrong;
      return value;
    }
    std::vector<double> samples_s = row_.numbers(point_evidence_column_count + 1);
    std::optional<PointDoubt> doubt = doubt_about(evidence);
    if (!doubt) doubt = doubt_about_samples(evidence, samples_s);
    if (!doubt && together_.contains(point.process))
      doubt = PointDoubt{"measured beside a burn-in's other load"};
    if (doubt) value.why_not = doubt->why, value.is_wrong = doubt->is_wrong;
    if (samples_s.empty()) samples_s = {evidence.time_s, evidence.lower_s, evidence.upper_s};
    copies.add(point.case_name + " " + point.key, number_, one_.run.run_id, samples_s);
    return value;
  }

  /// Of the point that value_of() read last.
  PointRecord record() const {
    auto json = nlohmann::ordered_json::parse(row_.text(point_evidence_column_count));
    if (json.contains("work")) json["samples_s"] = nlohmann::ordered_json::array();
    return std::get<PointRecord>(from_json(json));
  }

 private:
  const ComparedRun& one_;
  std::size_t number_;
  std::set<std::int64_t> together_;
  Statement row_;
};

/// A resumed run measures again what was cut off or failed; else a repetition that is there twice is in
/// doubt.
void add_repetition(RunValues& values, std::int64_t repetition, RepetitionValue value) {
  const auto [place, fresh] = values.try_emplace(repetition, value);
  if (fresh) return;
  RepetitionValue& before = place->second;
  const bool again = before.process != value.process && (before.cut || before.status != Status::ok);
  if (again)
    before = std::move(value);
  else if (!value.cut)
    before.why_not = "measured twice in one run, by none that was resumed";
}

class ValuesReader {
 public:
  explicit ValuesReader(const std::string& filter) : filter_(filter) {}

  PointValues read(const std::vector<ComparedRun>& runs, std::vector<StoredPoint>& all) {
    PointValues values;
    for (std::size_t at = 0; at < runs.size(); ++at) {
      RunReader reader(runs[at], number_++);
      for (StoredPoint& point : points_in_order(*runs[at].store, runs[at].run, filter_, every_point)) {
        RepetitionValue value = reader.value_of(point, copies_);
        if (point.status == Status::ok && !std::isnan(point.time_s)) hold_against_definition(point, reader);
        auto& of_point = values[{point.case_name, point.key}];
        of_point.resize(runs.size());
        add_repetition(of_point[at], point.repetition, std::move(value));
        all.push_back(std::move(point));
      }
    }
    return values;
  }

  void refuse_copies() const { copies_.refuse_copies(); }

 private:
  void hold_against_definition(const StoredPoint& point, const RunReader& reader) {
    const auto [place, fresh] = definitions_.try_emplace({point.case_name, point.key});
    if (fresh)
      place->second = {point, reader.record()};
    else
      refuse_other_definition(place->second.point, place->second.record, point, reader.record());
  }

  std::string filter_;
  std::size_t number_ = 0;
  CopiedSamples copies_;
  std::map<PointName, PointDefinition> definitions_;
};

}  // namespace

SideValues values_of(const ComparedSides& sides, const std::string& filter) {
  ValuesReader reader(filter);
  std::vector<StoredPoint> all_of_a, all_of_b;
  SideValues values;
  values.a = reader.read(sides.a, all_of_a);
  values.b = reader.read(sides.b, all_of_b);
  refuse_other_sweeps(all_of_a, all_of_b);
  reader.refuse_copies();
  return values;
}

}  // namespace assay::results
