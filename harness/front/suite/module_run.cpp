// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/module_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/front/suite/plan_run.hpp"
#include "harness/front/suite/supervise.hpp"
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

/// What the journal says of this run so far: the number of the next record, and the records of one point.
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

/// True when it did not end by itself: hung, crashed, or a library ended the process with a code of its own.
bool fell(const Watched& watched) {
  return watched.timed_out || watched.ending.signal != 0 ||
         watched.ending.exit_code > core::exit_code::interrupted;
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
  fmt::print(stderr, "assay-{}: {}\n", request.module.name, why);
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

/// Records the latest point that had begun: it ended the module, or the module failed after it.
void record_lost_point(const ModuleRequest& request, const Watched& watched) {
  if (!watched.any_point) return record_lost_start(request, watched);
  const Position position = position_in(request.journal, watched.in_flight);
  if (reported_itself(position.last, watched)) return;
  const bool behind = position.last && position.last->stop != "interrupted";
  results::PointRecord record;
  record.run_id = request.run_id;
  record.module = request.module.name;
  record.case_name = watched.in_flight.case_name;
  record.key = watched.in_flight.key;
  record.point = fields_from_key(record.key);
  record.repetition = watched.in_flight.repetition;
  record.started = watched.started;
  record.elapsed_s = watched.in_flight_s;
  record.status = watched.timed_out ? results::Status::timeout : results::Status::failed;
  record.reason = why_it_fell(request, watched);
  if (behind) record.reason += ", after this point was measured and before the next began";
  write_beside_module(request.journal, record);
  fmt::print(stderr, "{} {}: {}: {}\n", record.case_name, record.key, results::to_string(record.status),
             record.reason);
}

/// Every point that was asked for has a record: a process that did not live to write its end lacks nothing.
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

/// Of one start. An interrupt that ends a point early is not a failure; a hang before it is one.
void report_ending(const ModuleRequest& request, const Watched& watched, bool interrupted) {
  if (watched.given_up)
    fmt::print(stderr, "assay-{}: did not end when it was interrupted, and was killed in {} {}\n",
               request.module.name, watched.in_flight.case_name, watched.in_flight.key);
  if (!watched.ending.left_behind.empty())
    fmt::print(stderr, "assay-{}: {}\n", request.module.name, watched.ending.left_behind);
  if (interrupted ? watched.timed_out : fell(watched)) record_lost_point(request, watched);
}

std::vector<std::string> command_for(const ModuleRequest& request, const PlaceInRun& place, long done,
                                     bool first) {
  std::vector<std::string> argv = module_words(request);
  argv.push_back(fmt::format("--progress-before={}", place.before + done));
  argv.push_back(fmt::format("--progress-total={}", place.total));
  argv.push_back(fmt::format("--progress-after={:.1f}", std::max(0.0, place.budget_after_s)));
  if (request.resume || !first) argv.emplace_back("--resume");
  if (request.resume && first) argv.emplace_back("--retry-failed");
  return run_command(request.launcher, request.module, argv);
}

Watch watch_of(const ModuleRequest& request) {
  return {.slack_s = request.slack_s,
          .interrupted_s = request.interrupted_s,
          .behind_launcher = starts_ranks_of(request.launcher, request.module),
          .announcements_file =
              request.journal.parent_path() / fmt::format("points_begun_{}.txt", request.module.name),
          .run_lock = request.run_lock,
          .goes_on = request.goes_on};
}

/// What the module prints when it counts; a launcher may have put its own words around it.
nlohmann::json count_in(const std::string& text) {
  const std::size_t begin = text.find('{');
  const std::size_t end = text.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return nlohmann::json::parse(text.substr(begin, end - begin + 1), nullptr, false);
}

machine::LeftOut left_out_from(const nlohmann::json& json) {
  machine::LeftOut left_out;
  for (const auto& [word, points] : json.items())
    if (const auto hardware = machine::hardware_from(word)) left_out[*hardware] = points.get<long>();
  return left_out;
}

}  // namespace

std::vector<std::string> module_words(const ModuleRequest& request) {
  const bool launched = starts_ranks_of(request.launcher, request.module);
  const std::filesystem::path journal =
      launched ? std::filesystem::absolute(request.journal) : request.journal;
  std::vector<std::string> words{"--journal", journal.string(), "--run-id", request.run_id};
  words.insert(words.end(), request.flags.begin(), request.flags.end());
  return words;
}

void write_beside_module(const std::filesystem::path& journal, results::PointRecord record) {
  const Position position = position_in(journal);
  record.process = position.process;
  record.sequence = position.sequence;
  results::JournalWriter(journal).write(record);
}

std::optional<ModuleShare> count_points(const ModuleRequest& request, bool retry_failed,
                                        const std::atomic<int>& signals) {
  constexpr double looking_s = 60;  // a node with eight GPUs and a cold driver takes many seconds
  std::vector<std::string> argv = module_words(request);
  argv.insert(argv.end(), {"--count", "--resume"});
  if (retry_failed) argv.emplace_back("--retry-failed");
  Patience patience{.limit_s = looking_s + request.slack_s};
  if (starts_ranks_of(request.launcher, request.module)) {
    patience.grace_s = launcher_grace_s;
    patience.reach = Reach::process;
  }
  const Output output =
      run_and_read(count_command(request.launcher, request.module, argv), patience, &signals);
  if (signals > 0) return std::nullopt;
  const auto cannot = [&](const std::string& why) {
    return core::Error(core::ErrorKind::system,
                       fmt::format("assay-{} could not count its points: {}", request.module.name, why));
  };
  if (output.timed_out) throw cannot("no answer for " + core::format_seconds(patience.limit_s));
  if (output.ending.signal != 0) throw cannot(fmt::format("ended by signal {}", output.ending.signal));
  if (output.ending.exit_code == core::exit_code::usage) throw core::Error(core::ErrorKind::usage, "");
  if (output.ending.exit_code != 0) throw cannot(fmt::format("exit code {}", output.ending.exit_code));
  const auto share = count_in(output.text);
  if (!share.is_object()) throw cannot(fmt::format("it printed '{}'", output.text));
  return ModuleShare{.points = share.at("points").get<long>(),
                     .planned = share.at("planned").get<long>(),
                     .budget_s = share.at("budget_s").get<double>(),
                     .axes = share.at("axes").get<std::vector<std::string>>(),
                     .exit_code_so_far = share.at("exit_code_so_far").get<int>(),
                     .left_out = left_out_from(share.at("left_out")),
                     .left_out_ahead = share.at("left_out_ahead").get<long>()};
}

ModuleEnd run_module_to_end(const ModuleRequest& request, const ModuleShare& share, const PlaceInRun& place,
                            const std::atomic<int>& signals) {
  // Nothing left to do makes no earlier failure good.
  ModuleEnd end{.exit_code = share.points == 0 ? share.exit_code_so_far : core::exit_code::pass,
                .left = share.points};
  if (request.resume && share.points == 0) write_missing_end(request);
  const auto ends_with = [&end](int exit_code) {
    end.exit_code = worse_exit(end.exit_code, exit_code);
    return end;
  };
  for (bool first = true; end.left > 0; first = false) {
    if (signals > 0) return ends_with(core::exit_code::interrupted);
    const Watched watched =
        supervise(command_for(request, place, share.points - end.left, first), watch_of(request), signals);
    ends_with(fell(watched) ? core::exit_code::fail : watched.ending.exit_code);
    end.left_behind = watched.ending.left_behind;
    report_ending(request, watched, signals > 0);
    if (signals > 0) return ends_with(core::exit_code::interrupted);
    if (!end.left_behind.empty()) return end;
    if (watched.asked_to_stop) return ends_with(core::exit_code::interrupted);
    const std::optional<ModuleShare> now = count_points(request, false, signals);
    if (!now) return ends_with(core::exit_code::interrupted);
    // A launcher's exit code may be that of a rank that lost rank 0, and not rank 0's.
    if (now->exit_code_so_far == core::exit_code::fail) ends_with(core::exit_code::fail);
    // A module that cannot write (a full disk) or dies before its first point makes no progress: stop and say
    // so.
    if (now->points >= end.left) return ends_with(core::exit_code::inconclusive);
    end.left = now->points;
  }
  return end;
}

}  // namespace assay::suite
