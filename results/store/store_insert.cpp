// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/store_insert.hpp"

#include <cmath>
#include <stdexcept>

#include "harness/core/text/json_text.hpp"
#include "results/record/json/record_json.hpp"
#include "results/record/line_crc.hpp"
#include "results/record/secrets.hpp"
#include "results/store/doubts/superseded_points.hpp"

namespace assay::results {
namespace {

std::string dump(const nlohmann::ordered_json& json) { return core::json_text(json); }

/// Views are into the record and into `axes` and `text`. What only the rules of a line ask for is left out.
PointRow row_of(const PointRecord& point, std::uint32_t crc, const std::string& axes,
                const std::string& text) {
  PointRow row;
  row.crc = crc;
  row.run_id = point.run_id, row.case_name = point.case_name, row.key = point.key;
  row.reason = point.reason, row.started = point.started, row.stop = point.stop;
  row.process = point.process, row.sequence = point.sequence, row.repetition = point.repetition;
  row.status = point.status;
  row.elapsed_s = point.elapsed_s;
  if (const auto& time = point.time)
    row.time =
        TimeRow{.value_s = time->value_s, .lower_s = time->lower_s, .upper_s = time->upper_s, .n = time->n};
  row.drifting = point.drifting;
  row.work_bytes = point.work_bytes, row.work_flops = point.work_flops;
  row.point.json = axes, row.record = text;
  for (const Metric& metric : point.metrics)
    row.metrics.push_back({metric.name, metric.unit, metric.value, metric.lower, metric.upper});
  row.samples_s.assign(point.samples_s.begin(), point.samples_s.end());
  row.sm_cycles.assign(point.sm_cycles.begin(), point.sm_cycles.end());
  return row;
}

/// The digest of one record, for a sum that does not depend on their order.
std::uint64_t digest_of_record(std::uint32_t crc, std::int64_t process, std::int64_t number) {
  std::uint64_t mixed = (std::uint64_t{crc} << 32) ^ (static_cast<std::uint64_t>(process) << 24) ^
                        static_cast<std::uint64_t>(number + 2);
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;  // the finalizer of SplitMix64
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

constexpr const char* count_in_case =
    "INSERT INTO run_cases (run, case_id, ok, unsupported, failed, wrong, timeout, metric, unit, "
    "lowest, lowest_point, highest, highest_point) "
    "VALUES (?1,?2,?3,?4,?5,?6,?7,nullif(?8,''),iif(?8 = '', NULL, ?9),?10,?11,?12,?13) "
    "ON CONFLICT (run, case_id) DO UPDATE SET ok = ok + excluded.ok, "
    "unsupported = unsupported + excluded.unsupported, failed = failed + excluded.failed, "
    "wrong = wrong + excluded.wrong, timeout = timeout + excluded.timeout, "
    "metric = ifnull(excluded.metric, metric), unit = ifnull(excluded.unit, unit), "
    "lowest_point = iif(lowest IS NULL OR excluded.lowest < lowest, excluded.lowest_point, "
    "lowest_point), "
    "lowest = iif(lowest IS NULL OR excluded.lowest < lowest, excluded.lowest, lowest), "
    "highest_point = iif(highest IS NULL OR excluded.highest > highest, excluded.highest_point, "
    "highest_point), highest = iif(highest IS NULL OR excluded.highest > highest, excluded.highest, "
    "highest)";

}  // namespace

Inserter::Inserter(Database& database)
    : database_(database),
      points_(database),
      context_(database.prepare(
          "INSERT OR IGNORE INTO contexts (crc, run, process, module, started, host, origin, "
          "assay_version, source_revision, plan_name, resumed, record) "
          "VALUES (?,?,?,?,?,?,?,?,?,?,?,?)")),
      find_context_(
          database.prepare("SELECT crc, host, started FROM contexts WHERE run = ? AND process = ?")),
      find_point_(database.prepare(
          "SELECT iif(count(*) = 0, 0, iif(max(crc = ?4), 1, 2)) FROM (SELECT crc FROM points "
          "WHERE run = ?1 AND process = ?2 AND sequence = ?3 UNION ALL SELECT crc FROM superseded "
          "WHERE run = ?1 AND process = ?2 AND sequence = ?3)")),
      end_(database.prepare(
          "INSERT OR IGNORE INTO ends (crc, run, process, module, ended, points, interrupted) "
          "VALUES (?,?,?,?,?,?,?)")),
      more_metrics_(database.prepare("INSERT INTO more_metrics (point, ordinal, name, unit, value, lower, "
                                     "upper) VALUES (?,?,?,?,?,?,?)")),
      new_run_(database.prepare("INSERT OR IGNORE INTO runs (run_id, started) VALUES (?,?)")),
      find_run_(database.prepare("SELECT id FROM runs WHERE run_id = ?")),
      earlier_(
          database.prepare("UPDATE runs SET started = ?2 WHERE id = ?1 AND (started > ?2 OR started = '')")),
      new_case_(database.prepare("INSERT OR IGNORE INTO cases (name) VALUES (?)")),
      find_case_(database.prepare("SELECT id FROM cases WHERE name = ?")),
      counted_in_run_(database.prepare(
          "UPDATE runs SET ok = ok + ?2, unsupported = unsupported + ?3, failed = failed + ?4, "
          "wrong = wrong + ?5, timeout = timeout + ?6 WHERE id = ?1")),
      counted_in_case_(database.prepare(count_in_case)),
      range_(database.prepare(
          "INSERT INTO case_ranges (run, case_id, first_point, last_point) VALUES (?,?,?,?)")),
      read_digest_(database.prepare("SELECT digest FROM runs WHERE id = ?")),
      write_digest_(database.prepare("UPDATE runs SET digest = ?2 WHERE id = ?1")) {}

bool Inserter::insert(const Record& record) {
  const std::uint32_t crc = intact_line(to_line(record)).value().crc;
  return std::visit([&](const auto& held) { return insert(held, crc); }, record);
}

Inserter::KnownRun& Inserter::run_of(std::string_view run_id, std::string_view started) {
  if (latest_run_ != nullptr && latest_run_->first == run_id) return latest_run_->second;
  if (const auto known = runs_.find(run_id); known != runs_.end()) {
    latest_run_ = &*known;
    return known->second;
  }
  new_run_.bind(run_id, started).run();
  const bool is_new = database_.changes() > 0;
  KnownRun& run = runs_[std::string(run_id)];
  run.id = find_run_.bind(run_id).single_integer();
  run.is_new = is_new;
  return run;
}

std::int64_t Inserter::case_of(std::string_view name) {
  if (const auto known = cases_.find(name); known != cases_.end()) return known->second;
  new_case_.bind(name).run();
  return cases_[std::string(name)] = find_case_.bind(name).single_integer();
}

void Inserter::refuse_other(const KnownRun& run, const ContextRecord& context, std::uint32_t crc) {
  find_context_.bind(run.id, context.process);
  while (find_context_.step())
    if (find_context_.integer(0) != crc)
      throw std::runtime_error("process " + std::to_string(context.process) + " of run " + context.run_id +
                               " is there of host " + find_context_.text(1) + ", started " +
                               find_context_.text(2) + ", and this one is of host " + context.host +
                               ", started " + context.started +
                               ": two nodes under one run id; import one of them into another store");
}

// The CRC is that of the line as it was written, by which the journal is known again.
bool Inserter::insert(const ContextRecord& as_written, std::uint32_t crc) {
  ContextRecord context = as_written;
  take_out_secrets(context);
  KnownRun& run = run_of(context.run_id, context.started);
  refuse_other(run, context, crc);
  earlier_.bind(run.id, context.started).run();
  context_
      .bind(crc, run.id, context.process, context.module, context.started, context.host,
            to_string(context.origin), context.assay_version, context.source_revision, context.plan_name,
            context.resumed, dump(to_json(context)))
      .run();
  if (database_.changes() == 0) return false;
  run.digest += digest_of_record(crc, context.process, -1);
  return true;
}

bool Inserter::insert(const EndRecord& end, std::uint32_t crc) {
  KnownRun& run = run_of(end.run_id, "");
  end_.bind(crc, run.id, end.process, end.module, end.ended, end.points, end.interrupted).run();
  if (database_.changes() == 0) return false;
  run.digest += digest_of_record(crc, end.process, -2);
  return true;
}

bool Inserter::insert(const PointRecord& point, std::uint32_t crc) {
  auto json = to_json(point);
  json.erase("samples_s");
  json.erase("sm_cycles");
  const std::string axes = dump(json["point"]), text = dump(json);
  const PointRow row = row_of(point, crc, axes, text);
  const bool is_new = insert(row);
  flush();
  return is_new;
}

/// Points of a run that is new, in their order, cannot be there yet, and are not looked for.
bool Inserter::is_there(KnownRun& run, const PointRow& point) {
  const auto [last, first] = run.last_sequence.try_emplace(point.process, point.sequence);
  const bool in_order = first || point.sequence > last->second;
  if (in_order) last->second = point.sequence;
  if (run.is_new && in_order) return false;
  flush();
  const std::int64_t found =
      find_point_.bind(run.id, point.process, point.sequence, point.crc).single_integer();
  if (found == 2)
    throw std::runtime_error("point " + std::to_string(point.sequence) + " of process " +
                             std::to_string(point.process) + " of run " + std::string(point.run_id) +
                             " is there with other content: a journal that was altered, or two nodes under "
                             "one run id; import one of them into another store");
  return found == 1;
}

bool Inserter::insert(const PointRow& point) {
  KnownRun& run = run_of(point.run_id, point.started);
  if (is_there(run, point)) return false;
  const std::int64_t case_id = case_of(point.case_name);
  const std::int64_t id = points_.add(point, run.id, case_id);
  insert_more_metrics(point, id);
  count(point, id, run.cases[case_id]);
  run.digest += digest_of_record(point.crc, point.process, point.sequence);
  return true;
}

void Inserter::insert_more_metrics(const PointRow& point, std::int64_t id) {
  for (std::size_t i = 1; i < point.metrics.size(); ++i) {
    const MetricRow& metric = point.metrics[i];
    more_metrics_
        .bind(id, static_cast<int>(i), metric.name, metric.unit, metric.value, metric.lower, metric.upper)
        .run();
  }
}

void Inserter::count(const PointRow& point, std::int64_t id, CaseCount& counted) {
  ++counted.by_status.at(static_cast<std::size_t>(point.status));
  if (counted.ranges.empty() || counted.ranges.back().second + 1 != id) counted.ranges.emplace_back(id, id);
  counted.ranges.back().second = id;
  if (point.status != Status::ok || point.metrics.empty() || !std::isfinite(point.metrics.front().value))
    return;
  const MetricRow& headline = point.metrics.front();
  counted.metric = headline.name;
  counted.unit = headline.unit;
  if (!counted.lowest || headline.value < *counted.lowest)
    counted.lowest = headline.value, counted.lowest_point = id;
  if (!counted.highest || headline.value > *counted.highest)
    counted.highest = headline.value, counted.highest_point = id;
}

void Inserter::write_counts(const KnownRun& run) {
  std::array<std::int64_t, 5> all{};
  for (const auto& [case_id, one] : run.cases) {
    const auto& counts = one.by_status;
    counted_in_case_
        .bind(run.id, case_id, counts[0], counts[1], counts[2], counts[3], counts[4], one.metric, one.unit,
              one.lowest, one.lowest_point, one.highest, one.highest_point)
        .run();
    for (const auto& [first, last] : one.ranges) range_.bind(run.id, case_id, first, last).run();
    for (std::size_t status = 0; status < all.size(); ++status) all.at(status) += counts.at(status);
  }
  counted_in_run_.bind(run.id, all[0], all[1], all[2], all[3], all[4]).run();
}

void Inserter::write_digest(const KnownRun& run) {
  const auto before = static_cast<std::uint64_t>(read_digest_.bind(run.id).single_integer());
  write_digest_.bind(run.id, static_cast<std::int64_t>(before + run.digest)).run();
}

void Inserter::finish() {
  flush();
  for (const auto& [name, run] : runs_) {
    write_counts(run);
    write_digest(run);
  }
  if (!any_point_may_be_superseded(database_)) return;
  for (const auto& [name, run] : runs_) set_superseded_aside(database_, run.id);
}

}  // namespace assay::results
