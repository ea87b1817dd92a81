// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/stored_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/series/fleet_store.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

const std::string with_links = "rdma.*";  // cases whose points may be of links
const std::string unnamed_host = "?";     // of a process whose context is not in the store

/// Counts the points of one run.
class RunUnits {
 public:
  RunUnits(const Store& store, const StoredRun& run)
      : store_(store), run_(run), contexts_(contexts_by_process(store, run)) {
    read_statuses();
    read_plain();
    read_with_links();
  }

  std::map<std::string, StoredUnit> take() {
    Statement started =
        store_.database().prepare("SELECT json_extract(record, '$.started') FROM points WHERE id = ?");
    for (const auto& [of, point] : latest_) {
      StoredUnit& unit = units_[of.first];
      if (!started.bind(point).step() || started.text(0) <= unit.latest_started) continue;  // ISO 8601, UTC
      unit.latest_started = started.text(0);
      unit.latest_run = run_.run_id;
    }
    return std::move(units_);
  }

 private:
  void read_statuses() {
    Statement rows = store_.database().prepare("SELECT id, status FROM points WHERE run = ? AND status <> 0");
    rows.bind(run_.id);
    while (rows.step())
      if (rows.integer(1) != static_cast<std::int64_t>(Status::unsupported)) bad_.insert(rows.integer(0));
  }

  /// Reads from an index alone: the points themselves are a hundred times as long.
  void read_plain() {
    Statement rows = store_.database().prepare(
        "SELECT p.id, p.process, c.name, p.key FROM points p JOIN cases c ON c.id = p.case_id "
        "WHERE p.run = ?1 AND NOT c.name GLOB ?2 ORDER BY p.process, p.sequence");
    rows.bind(run_.id, with_links);
    while (rows.step())
      take_part(rows.integer(0), rows.integer(1), part_identity_of(rows.text(2), rows.text(3)));
  }

  void read_with_links() {
    FleetPoints points(store_, "", with_links);
    points.begin(run_);
    while (const FleetPoint* point = points.next()) {
      const auto links = point->links();
      for (const MeasuredLink& link : links)
        take(point->id, point->process, link_name(link.one, link.other), fleet_unit::link);
      if (links.empty()) take_part(point->id, point->process, part_identity_of(point->case_name, point->key));
    }
  }

  void take_part(std::int64_t point, std::int64_t process, const PartIdentity& part) {
    const auto context = contexts_.find(process);
    take(point, process, part.unit(context == contexts_.end() ? unnamed_host : context->second.host),
         part.level());
  }

  void take(std::int64_t point, std::int64_t process, const std::string& name, std::string_view level) {
    StoredUnit& unit = units_[name];
    unit.level = level;
    ++unit.points;
    unit.bad += bad_.contains(point) ? 1 : 0;
    std::int64_t& latest = latest_[{name, process}];
    if (std::exchange(latest, point) != 0) return;
    if (const auto context = contexts_.find(process); context != contexts_.end())
      unit.origins.insert(to_string(context->second.origin));
  }

  const Store& store_;
  const StoredRun& run_;
  std::map<std::int64_t, ContextRecord> contexts_;
  std::set<std::int64_t> bad_;  // ids
  std::map<std::string, StoredUnit> units_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> latest_;  // point of a unit and process
};

void add_unit_of_run(StoredUnit& all, const StoredUnit& one) {
  all.level = one.level;
  all.points += one.points;
  all.bad += one.bad;
  all.origins.insert(one.origins.begin(), one.origins.end());
  if (one.latest_started <= all.latest_started) return;
  all.latest_started = one.latest_started;
  all.latest_run = one.latest_run;
}

}  // namespace

void StoredUnits::look(const Store& store) {
  std::map<std::string, std::shared_ptr<const Run>> runs;
  Statement digest = store.database().prepare("SELECT digest FROM runs WHERE id = ?");
  for (const StoredRun& stored : whole_runs(store)) {
    const std::pair version(stored.points(), digest.bind(stored.id).single_integer());
    const auto known = runs_.find(stored.run_id);
    if (known != runs_.end() && known->second->version == version)
      runs[stored.run_id] = known->second;
    else
      runs[stored.run_id] = std::make_shared<const Run>(Run{version, RunUnits(store, stored).take()});
  }
  runs_ = std::move(runs);
}

std::map<std::string, StoredUnit> StoredUnits::units() const {
  std::map<std::string, StoredUnit> all;
  for (const auto& [run_id, run] : runs_)
    for (const auto& [name, unit] : run->units) add_unit_of_run(all[name], unit);
  return all;
}

std::int64_t StoredUnits::points() const {
  std::int64_t points = 0;
  for (const auto& [run_id, run] : runs_) points += run->version.first;
  return points;
}

Table StoredUnits::table(std::size_t most) const {
  using Kind = Column::Kind;
  Table table{.title = "",
              .columns = {{"unit", "", Kind::word},
                          {"kind", "", Kind::word},
                          {"origin", "", Kind::word, true},
                          {"points", "", Kind::count},
                          {"bad", "", Kind::count},
                          {"last run", "", Kind::word},
                          {"last measured", "", Kind::word}}};
  const auto all = units();
  std::vector<const std::pair<const std::string, StoredUnit>*> newest_first;
  for (const auto& unit : all) newest_first.push_back(&unit);
  std::ranges::stable_sort(newest_first, std::ranges::greater{},
                           [](const auto* unit) { return unit->second.latest_started; });
  for (const auto* unit : newest_first) {
    const StoredUnit& one = unit->second;
    table.rows.push_back({unit->first, one.level, origin_words(one.origins), one.points, one.bad,
                          one.latest_run, one.latest_started});
  }
  if (most > 0) cut_rows(table, most, "units, in the order of their last measurement");
  return table;
}

}  // namespace assay::results
