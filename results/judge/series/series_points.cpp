// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/series_points.hpp"

#include <map>
#include <optional>

#include "results/store/cases_of_filter.hpp"
#include "results/store/measured_together.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

/// Columns of series_query(), in order.
namespace series_column {
enum : int { id, process, case_name, key, time, lower, upper };
}

std::string series_query(const std::string& of_cases) {
  return "SELECT p.id, p.process, c.name, p.key, p.time_s, p.lower_s, p.upper_s "
         "FROM points p INDEXED BY points_in_order JOIN cases c ON c.id = p.case_id "
         "WHERE p.run = ?1 AND p.status = 0 " +
         of_cases +
         "AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) ORDER BY p.process, p.sequence";
}

void read_row(const Statement& row, SeriesPoint& point) {
  point.id = row.integer(series_column::id);
  point.case_name = row.view(series_column::case_name);
  point.key = row.view(series_column::key);
  point.time_s = row.number(series_column::time);
  point.lower_s = row.number(series_column::lower);
  point.upper_s = row.number(series_column::upper);
}

struct SeriesContext {
  ContextRecord record;
  bool is_together = false;
};

std::map<std::int64_t, SeriesContext> series_contexts(const Store& store, const StoredRun& run) {
  std::map<std::int64_t, SeriesContext> contexts;
  for (auto& [process, record] : contexts_by_process(store, run)) {
    const bool is_together = measured_together(record);
    contexts.emplace(process, SeriesContext{record, is_together});
  }
  return contexts;
}

}  // namespace

void SeriesPoints::read(const StoredRun& run, const Take& take) {
  const auto of_cases = condition_of_cases(store_, run, filter_);
  if (!of_cases) return;
  const auto contexts = series_contexts(store_, run);
  Statement rows = store_.database().prepare(series_query(*of_cases));
  rows.bind(run.id, filter_);
  SeriesPoint point;
  while (rows.step()) {
    const auto context = contexts.find(rows.integer(series_column::process));
    read_row(rows, point);
    if (context == contexts.end() || (those_ == Those::with_a_time && !(point.time_s > 0))) continue;
    if (context->second.is_together)
      ++together_;
    else
      take(point, context->second.record);
  }
}

}  // namespace assay::results
