// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/stored_points.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "results/record/json/record_json.hpp"
#include "results/store/cases_of_filter.hpp"
#include "results/store/point_rows.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::results {
namespace {

constexpr const char* run_columns =
    "SELECT id, run_id, started, ok, unsupported, failed, wrong, timeout FROM runs ";
constexpr const char* matches = "AND (?2 = '' OR c.name GLOB ?2 OR c.name || '/' || p.key GLOB ?2) ";
StoredRun run_from(const Statement& row) {
  return {.id = row.integer(0),
          .run_id = row.text(1),
          .started = row.text(2),
          .ok = row.integer(3),
          .unsupported = row.integer(4),
          .failed = row.integer(5),
          .wrong = row.integer(6),
          .timeout = row.integer(7)};
}

}  // namespace

std::string StoredPoint::back_end() const {
  const auto first = case_name.find('.'), last = case_name.rfind('.');
  return first == last ? "" : case_name.substr(first + 1, last - first - 1);
}

std::string StoredPoint::benchmark() const { return case_name.substr(case_name.rfind('.') + 1); }

std::vector<StoredRun> all_runs(const Store& store) {
  Statement query = store.database().prepare(std::string(run_columns) + "ORDER BY started DESC, id DESC");
  std::vector<StoredRun> runs;
  while (query.step()) runs.push_back(run_from(query));
  return runs;
}

std::string whole_run(const std::string& run_id) {
  const std::string_view mark = core::names::rank_run;
  const std::size_t at = run_id.rfind(mark);
  if (at == std::string::npos) return run_id;
  const std::string rank = run_id.substr(at + mark.size());
  const bool is_number = !rank.empty() && rank.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? run_id.substr(0, at) : run_id;
}

std::vector<StoredRun> whole_runs(const Store& store) {
  std::vector<StoredRun> runs = all_runs(store);
  std::set<std::string> names;
  for (const StoredRun& run : runs) names.insert(run.run_id);
  std::erase_if(runs, [&](const StoredRun& run) {
    const std::string whole = whole_run(run.run_id);
    return whole != run.run_id && names.contains(whole);
  });
  return runs;
}

StoredRun find_run(const Store& store, const std::optional<std::string>& run_id) {
  if (!run_id || run_id->empty() || *run_id == "latest") {
    const std::vector<StoredRun> runs = whole_runs(store);
    if (runs.empty()) throw std::runtime_error("store " + store.path().string() + ": holds no run yet");
    return runs.front();
  }
  Statement query = store.database().prepare(std::string(run_columns) + "WHERE run_id = ?");
  query.bind(*run_id);
  if (query.step()) return run_from(query);
  throw NoRun("store " + store.path().string() + ": no run '" + *run_id +
              "'; the table 'runs' lists what is there");
}

std::vector<StoredRun> chosen_runs(const Store& store, std::span<const std::string> runs) {
  if (runs.empty()) return all_runs(store);
  std::vector<StoredRun> chosen;
  for (const std::string& run : runs) chosen.push_back(find_run(store, run));
  return chosen;
}

std::vector<ContextRecord> contexts_of(const Store& store, const StoredRun& run) {
  Statement query =
      store.database().prepare("SELECT record FROM contexts WHERE run = ? ORDER BY process, id");
  query.bind(run.id);
  std::vector<ContextRecord> contexts;
  while (query.step())
    contexts.push_back(
        std::get<ContextRecord>(from_json(core::json_from<nlohmann::ordered_json>(query.text(0)))));
  return contexts;
}

std::map<std::int64_t, ContextRecord> contexts_by_process(const Store& store, const StoredRun& run) {
  std::map<std::int64_t, ContextRecord> contexts;
  for (ContextRecord& context : contexts_of(store, run))
    contexts.emplace(context.process, std::move(context));
  return contexts;
}

std::string origin_of(const Store& store, const StoredRun& run) {
  Statement query =
      store.database().prepare("SELECT group_concat(DISTINCT origin) FROM contexts WHERE run = ?");
  query.bind(run.id).step();
  return query.is_null(0) ? "origin unknown" : query.text(0);
}

std::vector<StoredPoint> points_in_order(const Store& store, const StoredRun& run, const std::string& filter,
                                         std::int64_t limit, Chosen chosen) {
  const std::string index = chosen == Chosen::all ? "points_in_order" : "points_not_ok";
  const std::string not_ok = chosen == Chosen::all ? "" : "AND p.status <> 0 ";
  const std::string not_unsupported = chosen == Chosen::bad ? "AND p.status <> 1 " : "";
  const auto of_cases = condition_of_cases(store, run, filter);
  if (!of_cases) return {};
  Statement query = store.database().prepare(whole_points("points p INDEXED BY " + index) +
                                             "WHERE p.run = ?1 " + *of_cases + not_ok + not_unsupported +
                                             matches + "ORDER BY p.process, p.sequence LIMIT ?3");
  query.bind(run.id, filter, limit);
  std::vector<StoredPoint> points;
  while (query.step()) points.push_back(whole_point(query));
  return points;
}

bool has_cases(const Store& store, const std::string& glob) {
  Statement query = store.database().prepare("SELECT EXISTS (SELECT 1 FROM cases WHERE name GLOB ?)");
  query.bind(glob);
  return query.single_integer() != 0;
}

std::vector<StoredCase> cases_of(const Store& store, const StoredRun& run) {
  Statement query = store.database().prepare(
      "SELECT r.case_id, c.name, r.ok + r.unsupported + r.failed + r.wrong + r.timeout FROM run_cases r "
      "JOIN cases c ON c.id = r.case_id WHERE r.run = ? ORDER BY r.case_id");
  query.bind(run.id);
  std::vector<StoredCase> cases;
  while (query.step()) cases.push_back({query.integer(0), query.text(1), query.integer(2)});
  return cases;
}

std::vector<StoredPoint> points_of_case(const Store& store, const StoredRun& run, const StoredCase& of_case,
                                        std::int64_t limit) {
  Statement query = store.database().prepare(
      whole_points("case_ranges r CROSS JOIN points p ON p.id BETWEEN r.first_point AND r.last_point") +
      "WHERE r.run = ? AND r.case_id = ? ORDER BY r.first_point, p.id LIMIT ?");
  query.bind(run.id, of_case.id, limit);
  std::vector<StoredPoint> points;
  points.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(limit, 0, of_case.points)));
  while (query.step()) points.push_back(whole_point(query));
  return points;
}

std::string scalar_text(const Scalar& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  return number_text({std::get<double>(value)});
}

std::string field_text(const Fields& fields, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (const Scalar* const value = find(fields, name)) return scalar_text(*value);
  return "";
}

std::optional<std::int64_t> field_integer(const Fields& fields, const std::vector<std::string>& names) {
  for (const auto& name : names)
    if (const Scalar* const value = find(fields, name); value && std::holds_alternative<std::int64_t>(*value))
      return std::get<std::int64_t>(*value);
  return std::nullopt;
}

}  // namespace assay::results
