// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "results/show/tables.hpp"
#include "results/store/doubts/run_doubts.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

std::string words_of(const Store& store, const StoredRun& run, const std::string& column) {
  Statement query =
      store.database().prepare("SELECT group_concat(word, ' ') FROM (SELECT DISTINCT " + column +
                               " AS word FROM contexts WHERE run = ? ORDER BY process, id)");
  return query.bind(run.id).step() ? query.text(0) : "";
}

bool was_resumed(const Store& store, const StoredRun& run) {
  Statement query = store.database().prepare("SELECT max(resumed) FROM contexts WHERE run = ?");
  return query.bind(run.id).step() && query.integer(0) != 0;
}

}  // namespace

Table show_runs(const Store& store, const ShowOptions& options) {
  Table table{.title = "Runs in " + store.path().filename().string()};
  table.columns = {{"run", "", Kind::word},
                   {"started", "", Kind::word},
                   {"host", "", Kind::word},
                   {"modules"},
                   {"plan"},
                   {"origin", "", Kind::word},
                   {"ok", "", Kind::count},
                   {"unsupported", "", Kind::count},
                   {"failed", "", Kind::count},
                   {"wrong", "", Kind::count},
                   {"timeout", "", Kind::count},
                   {"ended", "", Kind::word},
                   {"resumed", "", Kind::word},
                   {"doubts", "", Kind::count}};
  std::map<std::string, std::int64_t> doubts;
  for (const RunDoubt& doubt : doubts_of(store)) ++doubts[doubt.run_id];
  const std::int64_t limit = limit_of(options);
  const auto runs = all_runs(store);
  for (const StoredRun& run : runs) {
    if (static_cast<std::int64_t>(table.rows.size()) == limit) break;
    table.rows.push_back({run.run_id, run.started, words_of(store, run, "host"),
                          words_of(store, run, "module"), words_of(store, run, "plan_name"),
                          origin_of(store, run), run.ok, run.unsupported, run.failed, run.wrong, run.timeout,
                          ending_of(store, run), std::string(was_resumed(store, run) ? "yes" : "no"),
                          doubts[run.run_id]});
  }
  if (doubts[""] > 0)
    table.notes.push_back(std::to_string(doubts[""]) + " damaged lines of journals are of no known run.");
  if (runs.size() > table.rows.size())
    table.notes.push_back("The latest " + std::to_string(limit) + " of " + std::to_string(runs.size()) +
                          " runs; a limit shows more.");
  return table;
}

Table show_cases(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Cases", run)};
  table.columns = {
      {"case", "", Kind::word},     {"ok", "", Kind::count},       {"unsupported", "", Kind::count},
      {"failed", "", Kind::count},  {"wrong", "", Kind::count},    {"timeout", "", Kind::count},
      {"lowest", "", Kind::number}, {"highest", "", Kind::number}, {"unit"}};
  Statement query = run.store().database().prepare(
      "SELECT c.name, r.ok, r.unsupported, r.failed, r.wrong, r.timeout, l.value, l.lower, l.upper, h.value, "
      "h.lower, h.upper, r.unit FROM run_cases r JOIN cases c ON c.id = r.case_id LEFT JOIN points l ON "
      "l.id = r.lowest_point LEFT JOIN points h ON h.id = r.highest_point WHERE r.run = ?1 AND "
      "(?2 = '' OR c.name GLOB ?2) ORDER BY c.name");
  query.bind(run.stored().id, options.filter);
  const auto extreme = [&](int column) -> Cell {
    if (query.is_null(column)) return {};
    return Number{query.number(column), query.optional_number(column + 1), query.optional_number(column + 2)};
  };
  while (query.step())
    table.rows.push_back({query.text(0), query.integer(1), query.integer(2), query.integer(3),
                          query.integer(4), query.integer(5), extreme(6), extreme(9), query.text(12)});
  return table;
}

}  // namespace assay::results
