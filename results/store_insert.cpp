// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store_insert.hpp"

#include <cmath>
#include <string_view>

#include "results/record_json.hpp"

namespace assay::results {
namespace {

constexpr Status all_statuses[] = {Status::ok, Status::unsupported, Status::failed, Status::wrong,
                                   Status::timeout};

/// FNV-1a, 64 bits: a record is known by its whole content, whatever journal it came in.
std::int64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return static_cast<std::int64_t>(hash);
}

TimeSummary unknown_time() {
  TimeSummary time;
  time.value_s = time.lower_s = time.upper_s = NAN;
  return time;
}

std::string dump(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

Inserter::Inserter(Database& database)
    : database_(database),
      context_(
          database.prepare("INSERT OR IGNORE INTO contexts (hash, run, process, room, started, host, origin, "
                           "assay_version, source_revision, plan_name, resumed, record) "
                           "VALUES (?,?,?,?,?,?,?,?,?,?,?,?)")),
      point_(database.prepare("INSERT OR IGNORE INTO points (hash, run, process, sequence, case_id, key, "
                              "repetition, status, reason, n, "
                              "time_s, lower_s, upper_s, stop, drifting, work_bytes, work_flops, metric, "
                              "unit, value, lower, upper, axes, "
                              "record) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")),
      end_(database.prepare(
          "INSERT OR IGNORE INTO ends (hash, run, process, room, ended, points, interrupted) "
          "VALUES (?,?,?,?,?,?,?)")),
      metric_(database.prepare(
          "INSERT INTO metrics (point, ordinal, name, unit, value, lower, upper) VALUES (?,?,?,?,?,?,?)")),
      samples_(database.prepare("INSERT INTO samples (point, samples_s, sm_cycles) VALUES (?,?,?)")),
      new_run_(database.prepare("INSERT OR IGNORE INTO runs (run_id, started) VALUES (?,?)")),
      find_run_(database.prepare("SELECT id FROM runs WHERE run_id = ?")),
      earlier_(
          database.prepare("UPDATE runs SET started = ?2 WHERE id = ?1 AND (started > ?2 OR started = '')")),
      new_case_(database.prepare("INSERT OR IGNORE INTO cases (name) VALUES (?)")),
      find_case_(database.prepare("SELECT id FROM cases WHERE name = ?")),
      extremes_(database.prepare(
          "UPDATE run_cases SET metric = ?3, unit = ?4, "
          "lowest_point = CASE WHEN lowest IS NULL OR ?5 < lowest THEN ?6 ELSE lowest_point END, "
          "lowest = min(ifnull(lowest, ?5), ?5), "
          "highest_point = CASE WHEN highest IS NULL OR ?5 > highest THEN ?6 ELSE highest_point END, "
          "highest = max(ifnull(highest, ?5), ?5) WHERE run = ?1 AND case_id = ?2")) {
  for (const Status status : all_statuses) {
    const std::string word = to_string(status);
    count_in_run_.push_back(database.prepare("UPDATE runs SET " + word + " = " + word + " + 1 WHERE id = ?"));
    count_in_case_.push_back(database.prepare("INSERT INTO run_cases (run, case_id, " + word +
                                              ") VALUES (?,?,1) ON CONFLICT (run, case_id) DO UPDATE SET " +
                                              word + " = " + word + " + 1"));
  }
}

bool Inserter::insert(const Record& record) {
  const std::int64_t hash = hash_of(to_line(record));
  return std::visit([&](const auto& held) { return insert(held, hash); }, record);
}

std::int64_t Inserter::run_of(const std::string& run_id, const std::string& started) {
  if (const auto known = runs_.find(run_id); known != runs_.end()) return known->second;
  new_run_.bind(run_id, started).run();
  return runs_[run_id] = find_run_.bind(run_id).single_integer();
}

std::int64_t Inserter::case_of(const std::string& name) {
  if (const auto known = cases_.find(name); known != cases_.end()) return known->second;
  new_case_.bind(name).run();
  return cases_[name] = find_case_.bind(name).single_integer();
}

bool Inserter::insert(const ContextRecord& context, std::int64_t hash) {
  const std::int64_t run = run_of(context.run_id, context.started);
  earlier_.bind(run, context.started).run();
  context_
      .bind(hash, run, context.process, context.room, context.started, context.host,
            to_string(context.origin), context.assay_version, context.source_revision, context.plan_name,
            context.resumed, dump(to_json(context)))
      .run();
  return database_.changes() > 0;
}

bool Inserter::insert(const EndRecord& end, std::int64_t hash) {
  const std::int64_t run = run_of(end.run_id, "");
  end_.bind(hash, run, end.process, end.room, end.ended, end.points, end.interrupted).run();
  return database_.changes() > 0;
}

bool Inserter::insert(const PointRecord& point, std::int64_t hash) {
  const std::int64_t run = run_of(point.run_id, point.started);
  const std::int64_t case_id = case_of(point.case_name);
  auto record = to_json(point);
  record.erase("samples_s");
  record.erase("sm_cycles");
  const TimeSummary time = point.time.value_or(unknown_time());
  const Metric headline = point.metrics.empty() ? Metric{"", "", NAN, {}, {}} : point.metrics.front();
  point_
      .bind(hash, run, point.process, point.sequence, case_id, point.key, point.repetition,
            static_cast<int>(point.status), point.reason, time.n, time.value_s, time.lower_s, time.upper_s,
            point.stop, point.drifting, point.work_bytes, point.work_flops, headline.name, headline.unit,
            headline.value, headline.lower, headline.upper, dump(record["point"]), dump(record))
      .run();
  if (database_.changes() == 0) return false;
  const std::int64_t id = database_.last_id();
  insert_measurement(point, id);
  count(point, run, case_id, id);
  return true;
}

void Inserter::insert_measurement(const PointRecord& point, std::int64_t id) {
  int ordinal = 0;
  for (const Metric& metric : point.metrics)
    metric_.bind(id, ordinal++, metric.name, metric.unit, metric.value, metric.lower, metric.upper).run();
  if (!point.samples_s.empty()) samples_.bind(id, point.samples_s, point.sm_cycles).run();
}

void Inserter::count(const PointRecord& point, std::int64_t run, std::int64_t case_id, std::int64_t id) {
  const auto status = static_cast<std::size_t>(point.status);
  count_in_run_[status].bind(run).run();
  count_in_case_[status].bind(run, case_id).run();
  if (point.status != Status::ok || point.metrics.empty() || !std::isfinite(point.metrics.front().value))
    return;
  const Metric& headline = point.metrics.front();
  extremes_.bind(run, case_id, headline.name, headline.unit, headline.value, id).run();
}

}  // namespace assay::results
