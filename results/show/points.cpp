// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/moving_points.hpp"
#include "results/record/json/record_rules.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

Cell headline_of(const StoredPoint& point) {
  if (point.metric.empty()) return {};
  return point.headline;
}

std::string status_text(const StoredPoint& point) {
  return to_string(point.status) + (point.reason.empty() ? "" : ": " + point.reason);
}

/// "budget, drifting, power_w still moving"
std::string how_it_ended(const RunPoints& run, const StoredPoint& point) {
  const std::string moving = still_moving(run, point);
  return point.stop + (point.drifting ? ", drifting" : "") +
         (moving.empty() ? "" : ", " + moving + " still moving");
}

/// The one row read beyond the limit only shows that there are more.
void note_limit(Table& table, const ShowOptions& options, std::int64_t total, const std::string& what) {
  const auto limit = static_cast<std::size_t>(limit_of(options));
  if (table.rows.size() <= limit) return;
  table.rows.resize(limit);
  const std::string of = options.filter.empty() ? " of " + std::to_string(total) + " " : " ";
  table.notes.push_back("The first " + std::to_string(limit) + of + what +
                        "; a limit or a filter shows others.");
}

}  // namespace

Table show_points(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Points", run)};
  table.columns = {{"case", "", Kind::word},
                   {"point"},
                   {"value", "", Kind::number},
                   {"unit"},
                   {"n", "", Kind::count},
                   {"stop"},
                   {"status"}};
  for (const StoredPoint& point : run.in_order(options.filter, limit_of(options) + 1)) {
    const bool measured = is_measured(point.status);
    table.rows.push_back({point.case_name, point.key, headline_of(point), point.unit,
                          measured ? Cell(point.n) : Cell(), how_it_ended(run, point), status_text(point)});
  }
  note_limit(table, options, run.stored().points(), "points");
  return table;
}

Table show_problems(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Problems", run)};
  table.columns = {{"status"}, {"case", "", Kind::word}, {"point"}, {"reason"}};
  for (const StoredPoint& point : run.in_order(options.filter, limit_of(options) + 1, Chosen::not_ok))
    table.rows.push_back({to_string(point.status), point.case_name, point.key, point.reason});
  note_limit(table, options, run.stored().points() - run.stored().ok, "points that are not ok");
  if (run.ending() == "cut off")
    table.notes.push_back("A process of this run left no end record: it was killed, or is still running.");
  return table;
}

}  // namespace assay::results
