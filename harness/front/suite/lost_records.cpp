// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/lost_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iostream>
#include <optional>

#include "harness/core/calendar.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/units.hpp"
#include "results/record/journal.hpp"

namespace assay::suite {
namespace {

results::Scalar scalar_from(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  return text;
}

results::Fields fields_from_key(const std::string& key) {
  results::Fields fields;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t comma = std::min(key.find(',', begin), key.size());
    const std::string pair = key.substr(begin, comma - begin);
    const std::size_t equals = std::min(pair.find('='), pair.size() - 1);
    fields.emplace_back(pair.substr(0, equals), scalar_from(pair.substr(equals + 1)));
    begin = comma + 1;
  }
  return fields;
}

bool is_of(const results::PointRecord& record, const Heartbeat& beat) {
  return record.case_name == beat.case_name && record.key == beat.key && record.repetition == beat.repetition;
}

/// The state of this run in the journal so far: the number of the next record, and the records of one point.
struct Position {
  std::int64_t sequence = 0, process = 0;
  std::optional<results::PointRecord> last;  // of that point, by the process that started last
};

Position position_in(const std::filesystem::path& journal, const Heartbeat& point_begun = {}) {
  Position position;
  if (!std::filesystem::exists(journal)) return position;
  results::for_each_record(journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record)) {
      position.process = context->process;
      position.last.reset();
    }
    const auto* point = std::get_if<results::PointRecord>(&record);
    if (point == nullptr) return;
    position.sequence = point->sequence + 1;
    if (is_of(*point, point_begun)) position.last = *point;
  });
  return position;
}

/// Starts of a module, in its journal.
struct Starts {
  std::int64_t count = 0;
  bool ended = false;  // the last
};

/// Starts; none where no launcher starts the ranks: a process of this host says itself how it ended.
Starts starts_of(const ModuleRequest& request) {
  Starts starts;
  if (!starts_ranks_of(request.launcher, request.module) || !std::filesystem::exists(request.journal))
    return starts;
  results::for_each_record(request.journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record);
        context != nullptr && context->module == request.module.name)
      starts = {.count = starts.count + 1, .ended = false};
    if (const auto* end = std::get_if<results::EndRecord>(&record);
        end != nullptr && end->module == request.module.name)
      starts.ended = true;
  });
  return starts;
}

std::string why_it_fell(const ModuleRequest& request, const Watched& watched) {
  if (watched.timed_out) {
    const std::string& behind = watched.ending.left_behind;
    return fmt::format("no answer for {}: {}",
                       core::format_seconds(silence_limit_s(watched.in_flight, request.slack_s)),
                       behind.empty() ? "the module was ended" : behind);
  }
  // srun and mpirun end with 128 + the signal that ended a rank.
  const std::string who = starts_ranks_of(request.launcher, request.module)
                              ? std::filesystem::path(request.launcher.program).filename().string()
                              : "the module's process";
  const std::string said = watched.launcher_said.empty() ? "" : ": " + watched.launcher_said;
  if (watched.ending.signal == 0)
    return fmt::format("{} ended with exit code {}{}", who, watched.ending.exit_code, said);
  return fmt::format("{} was ended by signal {} ({}){}", who, watched.ending.signal,
                     strsignal(watched.ending.signal), said);
}

/// Whether the module recorded its failure itself. A point that was written whole proves nothing: the
/// module may have failed before the next began, or have been woken to be ended. What mpirun cut short by
/// ending rank 0 as well is not a measurement.
bool reported_itself(const std::optional<results::PointRecord>& last, const Watched& watched) {
  if (!last || last->stop == "interrupted") return false;
  if (watched.timed_out) return last->status == results::Status::timeout;
  return last->status == results::Status::timeout || last->status == results::Status::failed;
}

/// A module that hangs before it announces a point has measured nothing, and that too is in the journal. What
/// crashes there leaves the exit code: a program that cannot start would write this each time.
void record_lost_start(const ModuleRequest& request, const Watched& watched) {
  const std::string why = why_it_fell(request, watched) + " before its first point";
  std::cerr << fmt::format("assay-{}: {}\n", request.module.name, why);
  if (!watched.timed_out) return;
  results::PointRecord record;
  record.run_id = request.run_id;
  record.module = request.module.name;
  record.case_name = request.module.name + ".start";
  record.started = core::iso_time_now();
  record.status = results::Status::timeout;
  record.reason = why;
  write_beside_module(request.journal, record);
}

results::PointRecord lost_point(const ModuleRequest& request, const Watched& watched,
                                const Position& position) {
  results::PointRecord record;
  record.run_id = request.run_id;
  record.process = position.process;
  record.sequence = position.sequence;
  record.module = request.module.name;
  record.case_name = watched.in_flight.case_name;
  record.key = watched.in_flight.key;
  record.point = fields_from_key(record.key);
  record.repetition = watched.in_flight.repetition;
  record.started = watched.started;
  record.elapsed_s = watched.in_flight_s;
  record.status = watched.timed_out ? results::Status::timeout : results::Status::failed;
  record.reason = why_it_fell(request, watched);
  if (position.last && position.last->stop != "interrupted")
    record.reason += ", after this point was measured and before the next began";
  return record;
}

}  // namespace

std::int64_t starts_in(const ModuleRequest& request) { return starts_of(request).count; }

void look_for_end(const ModuleRequest& request, std::int64_t starts_before, Watched& watched) {
  const Starts now = starts_of(request);
  if (now.count > starts_before) watched.rank_0_ended = now.ended;
}

bool fell(const Watched& watched) {
  return watched.timed_out || watched.rank_0_ended == false || watched.ending.signal != 0 ||
         watched.ending.exit_code > core::exit_code::interrupted;
}

void write_beside_module(const std::filesystem::path& journal, results::PointRecord record) {
  results::JournalWriter(journal).write_made([&] {
    const Position position = position_in(journal);
    record.process = position.process;
    record.sequence = position.sequence;
    return std::optional<results::Record>(record);
  });
}

void record_lost_point(const ModuleRequest& request, const Watched& watched) {
  if (!watched.any_point) return record_lost_start(request, watched);
  results::JournalWriter(request.journal).write_made([&]() -> std::optional<results::Record> {
    const Position position = position_in(request.journal, watched.in_flight);
    if (reported_itself(position.last, watched)) return std::nullopt;
    const results::PointRecord record = lost_point(request, watched, position);
    std::cerr << fmt::format("{} {}: {}: {}\n", record.case_name, record.key,
                             results::to_string(record.status), record.reason);
    return record;
  });
}

void write_missing_end(const ModuleRequest& request) {
  if (!std::filesystem::exists(request.journal)) return;
  std::optional<results::EndRecord> missing;
  results::for_each_record(request.journal, [&](const results::Record& record) {
    if (const auto* context = std::get_if<results::ContextRecord>(&record);
        context && context->module == request.module.name)
      missing = results::EndRecord{
          .run_id = context->run_id, .process = context->process, .module = context->module, .ended = {}};
    if (!missing) return;
    if (const auto* point = std::get_if<results::PointRecord>(&record);
        point && point->process == missing->process)
      ++missing->points;
    if (const auto* end = std::get_if<results::EndRecord>(&record);
        end && end->process == missing->process && !end->interrupted)
      missing.reset();
  });
  if (!missing) return;
  missing->ended = core::iso_time_now();
  results::JournalWriter(request.journal).write(*missing);
}

}  // namespace assay::suite
