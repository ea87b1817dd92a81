// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/doubts/superseded_points.hpp"

#include <string>
#include <utility>
#include <vector>

namespace assay::results {
namespace {

/// Cut short while all was well, or drifting, and measured again by a process that started later. What
/// failed, was wrong or is in doubt stays: a second try takes nothing from what the first one saw.
constexpr const char* superseded_query =
    "SELECT c.id, c.case_id FROM points c INDEXED BY points_cut WHERE c.run = ?1 AND c.stop = 'interrupted' "
    "AND c.status = 0 AND EXISTS (SELECT 1 FROM points again INDEXED BY points_in_order WHERE again.run = ?1 "
    "AND again.process > c.process AND again.case_id = c.case_id AND again.key = c.key "
    "AND again.repetition = c.repetition) UNION "
    "SELECT c.id, c.case_id FROM points c INDEXED BY points_in_order WHERE c.run = ?1 AND c.drifting = 1 "
    "AND c.status = 0 AND EXISTS (SELECT 1 FROM contexts WHERE run = ?1 AND resumed = 1) AND EXISTS "
    "(SELECT 1 FROM points again INDEXED BY points_in_order WHERE again.run = ?1 "
    "AND again.process > c.process AND again.status = 0 AND again.case_id = c.case_id AND again.key = c.key "
    "AND again.repetition = c.repetition)";

/// Finds the extremes of the points that are left, from their ranges of ids.
constexpr const char* find_extremes =
    "UPDATE run_cases SET (lowest_point, lowest) = (SELECT p.id, p.value FROM case_ranges r JOIN points p "
    "ON p.id BETWEEN r.first_point AND r.last_point WHERE r.run = ?1 AND r.case_id = ?2 AND p.status = 0 "
    "AND p.value IS NOT NULL ORDER BY p.value LIMIT 1), (highest_point, highest) = (SELECT p.id, p.value "
    "FROM case_ranges r JOIN points p ON p.id BETWEEN r.first_point AND r.last_point WHERE r.run = ?1 "
    "AND r.case_id = ?2 AND p.status = 0 AND p.value IS NOT NULL ORDER BY p.value DESC LIMIT 1) "
    "WHERE run = ?1 AND case_id = ?2";

}  // namespace

bool any_point_may_be_superseded(const Database& database) {
  return database.single_integer(
             "SELECT EXISTS (SELECT 1 FROM points INDEXED BY points_cut WHERE stop = 'interrupted' AND "
             "status = 0) OR EXISTS (SELECT 1 FROM contexts WHERE resumed = 1)") != 0;
}

void set_superseded_aside(Database& database, std::int64_t run) {
  std::vector<std::pair<std::int64_t, std::int64_t>> found;  // point, case
  Statement rows = database.prepare(superseded_query);
  rows.bind(run);
  while (rows.step()) found.emplace_back(rows.integer(0), rows.integer(1));
  if (found.empty()) return;
  Statement keep = database.prepare(
      "INSERT INTO superseded SELECT id, crc, run, process, sequence, status, record, samples_s, sm_cycles "
      "FROM points WHERE id = ?");
  Statement forget_metrics = database.prepare("DELETE FROM more_metrics WHERE point = ?");
  Statement forget = database.prepare("DELETE FROM points WHERE id = ?");
  Statement uncount = database.prepare("UPDATE runs SET ok = ok - 1 WHERE id = ?");
  Statement uncount_in_case =
      database.prepare("UPDATE run_cases SET ok = ok - 1 WHERE run = ? AND case_id = ?");
  Statement extremes = database.prepare(find_extremes);
  for (const auto& [point, case_id] : found) {
    for (Statement* step : {&keep, &forget_metrics, &forget}) step->bind(point).run();
    uncount.bind(run).run();
    uncount_in_case.bind(run, case_id).run();
    extremes.bind(run, case_id).run();
  }
}

}  // namespace assay::results
