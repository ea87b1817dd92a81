// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/module_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/units.hpp"
#include "harness/front/suite/lost_records.hpp"
#include "harness/front/suite/processes/plan_run.hpp"
#include "harness/front/suite/processes/supervise.hpp"

namespace assay::suite {
namespace {

/// Reports how one start ended. An interrupt that ends a point early is not a failure; a hang before it is.
void report_ending(const ModuleRequest& request, const Watched& watched, bool interrupted) {
  if (watched.given_up)
    std::cerr << fmt::format("assay-{}: did not end when it was interrupted, and was killed in {} {}\n",
                             request.module.name, watched.in_flight.case_name, watched.in_flight.key);
  if (!watched.ending.left_behind.empty())
    std::cerr << fmt::format("assay-{}: {}\n", request.module.name, watched.ending.left_behind);
  if (interrupted ? watched.timed_out : fell(watched)) record_lost_point(request, watched);
}

/// True for a rank 0 that ended by itself: whether it failed is in its records.
bool asks_records(const Watched& watched) {
  return watched.rank_0_ended == true && !fell(watched) && watched.ending.exit_code == core::exit_code::fail;
}

/// The exit code of one start. A launcher lost before the first point begins says nothing of any point.
int exit_code_of(const ModuleRequest& request, const Watched& watched) {
  if (asks_records(watched)) return core::exit_code::pass;
  if (!fell(watched)) return watched.ending.exit_code;
  const bool of_launcher = starts_ranks_of(request.launcher, request.module) && !watched.timed_out;
  return of_launcher && !watched.any_point ? core::exit_code::inconclusive : core::exit_code::fail;
}

std::vector<std::string> command_for(const ModuleRequest& request, const PlaceInRun& place, long done,
                                     bool first) {
  std::vector<std::string> argv = module_words(request);
  argv.push_back(fmt::format("--progress-before={}", place.before + done));
  argv.push_back(fmt::format("--progress-total={}", place.total));
  argv.push_back(fmt::format("--progress-after={:.1f}", std::max(0.0, place.budget_after_s)));
  if (core::logs_json()) argv.emplace_back("--log=json");
  if (request.resume || !first) argv.emplace_back("--resume");
  if (request.resume && first && request.only.empty()) argv.emplace_back("--retry-failed");
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

/// The JSON that the module prints when it counts; a launcher may have put its own words around it.
nlohmann::json count_in(const std::string& text) {
  const std::size_t begin = text.find('{');
  const std::size_t end = text.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  return core::json_or_discarded<nlohmann::json>(text.substr(begin, end - begin + 1));
}

}  // namespace

std::vector<std::string> module_words(const ModuleRequest& request) {
  const bool launched = starts_ranks_of(request.launcher, request.module);
  const std::filesystem::path journal =
      launched ? std::filesystem::absolute(request.journal) : request.journal;
  std::vector<std::string> words{"--journal", journal.string(), "--run-id", request.run_id};
  for (auto flag = request.flags.begin(); flag != request.flags.end(); ++flag)
    if (*flag == workload_flag && !takes_workload(request.module.name))
      ++flag;  // nor its file
    else
      words.push_back(*flag);
  if (!request.only.empty()) words.insert(words.end(), {"--only", request.only});
  return words;
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
                     .left_out = share.at("left_out").get<machine::LeftOut>(),
                     .left_out_ahead = share.at("left_out_ahead").get<long>(),
                     .gone = share.at("gone").get<std::vector<std::string>>()};
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
    const std::int64_t starts = starts_in(request);
    Watched watched =
        supervise(command_for(request, place, share.points - end.left, first), watch_of(request), signals);
    if (signals == 0) look_for_end(request, starts, watched);
    ends_with(exit_code_of(request, watched));
    end.left_behind = watched.ending.left_behind;
    report_ending(request, watched, signals > 0);
    if (signals > 0) return ends_with(core::exit_code::interrupted);
    if (!end.left_behind.empty()) return end;
    if (watched.asked_to_stop) return ends_with(core::exit_code::interrupted);
    const std::optional<ModuleShare> now = count_points(request, false, signals);
    if (!now) return ends_with(core::exit_code::interrupted);
    // A launcher's exit code may be that of a rank that lost rank 0, and not rank 0's.
    if (asks_records(watched) || now->exit_code_so_far == core::exit_code::fail)
      ends_with(now->exit_code_so_far);
    // A module that cannot write (a full disk) or dies before its first point makes no progress: stop and say
    // so.
    if (now->points >= end.left) return ends_with(core::exit_code::inconclusive);
    end.left = now->points;
  }
  return end;
}

}  // namespace assay::suite
