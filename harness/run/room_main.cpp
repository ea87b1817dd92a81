// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/room_main.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <system_error>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/run/case_list.hpp"
#include "harness/run/context.hpp"
#include "harness/run/google_benchmark.hpp"
#include "harness/run/interrupt.hpp"
#include "harness/run/resume.hpp"
#include "harness/run/room_options.hpp"
#include "harness/run/run_journal.hpp"
#include "harness/run/session.hpp"

namespace assay::run {
namespace {

/// Without a plan: every case over its default sweep, with --axis on top.
plan::Plan plan_of(const Room& room, const RoomOptions& options) {
  plan::Plan plan;
  if (options.plan.empty()) {
    plan.name = "all";
    plan.sweeps.push_back({.cases = {room.name + ".*"}, .where = "the command line"});
  } else {
    plan = plan::read_plan(options.plan);
  }
  for (const std::string& axis : options.axes) {
    const std::size_t equals = axis.find('=');
    if (equals == std::string::npos || equals == 0)
      core::usage_error(fmt::format("--axis '{}': expected NAME=VALUES, e.g. bytes=64MiB", axis));
    for (plan::Sweep& sweep : plan.sweeps)
      plan::override_axis(sweep, axis.substr(0, equals), axis.substr(equals + 1));
  }
  return plan;
}

bool passes(const plan::PlannedPoint& point, const std::vector<std::string>& filters) {
  const std::string full = point.benchmark->name + "/" + point.point.key();
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& glob) {
           return plan::glob_matches(glob, point.benchmark->name) || plan::glob_matches(glob, full);
         });
}

/// A model file that cannot be read, or work that cannot be told, is bad input: say so before anything runs.
/// What a device or library fails at is no bad input: it is told in the record of its point.
void refuse_impossible(const std::vector<plan::PlannedPoint>& points) {
  for (const plan::PlannedPoint& planned : points) {
    try {
      if (!planned.benchmark->unsupported(planned.point))
        static_cast<void>(planned.benchmark->work(planned.point));
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
    }
  }
}

double whole_budget(const std::vector<plan::PlannedPoint>& points) {
  double seconds = 0;
  for (const plan::PlannedPoint& planned : points) seconds += budget_of(planned);
  return seconds;
}

int run_room(const Room& room, RoomOptions options, const std::vector<std::string>& command_line) {
  const machine::Machine machine = machine::look();
  const std::vector<core::Case> cases = room.cases(machine);
  if (options.task == RoomTask::list) {
    std::cout << list_cases(cases, options.list_format);
    return 0;
  }
  const plan::Plan plan = plan_of(room, options);
  std::vector<plan::PlannedPoint> points = plan::expand(plan, room.name, cases);
  std::erase_if(points, [&](const plan::PlannedPoint& point) { return !passes(point, options.filters); });
  const Finished finished =
      options.resume ? read_finished(options.journal, options.retry_failed) : Finished{};
  const std::size_t planned = points.size();
  std::erase_if(points, [&](const plan::PlannedPoint& point) {
    return finished.points.contains(identity(point.benchmark->name, point.point.key(), point.repetition));
  });
  refuse_impossible(points);
  if (options.task == RoomTask::count) {
    std::cout << fmt::format("{{\"points\": {}, \"planned\": {}, \"budget_s\": {:.3f}}}\n", points.size(),
                             planned, whole_budget(points));
    return 0;
  }
  if (planned == 0)
    core::usage_error("nothing to run: no point of this room passes the plan and the filters");
  for (const results::JournalProblem& problem : finished.problems)
    std::cerr << fmt::format("{}:{}: damaged line passed over: {}\n", problem.file.string(), problem.line,
                             problem.what);
  if (options.progress.total == 0) options.progress.total = static_cast<long>(points.size());
  RunJournal journal(options, finished, context_of(room.name, machine, plan, command_line));
  Session session(room.name, journal, Progress(std::cout, std::cerr, options.progress, whole_budget(points)),
                  catch_interrupts());
  run_benchmarks("assay-" + room.name, points,
                 {options.benchmark_flags, [&](const plan::PlannedPoint& point, int repetition) {
                    return session.measure(point, repetition);
                  }});
  return session.end();
}

}  // namespace

int room_main(int argc, char** argv, const Room& room) {
  const Parsed parsed = parse_room_options(argc, argv, room);
  if (!parsed.options) return parsed.exit_code;
  RoomOptions options = *parsed.options;
  options.progress.terminal = isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
  try {
    return run_room(room, options, std::vector<std::string>(argv, argv + argc));
  } catch (const core::Error& error) {
    std::cerr << fmt::format("assay-{}: {}\n", room.name, error.what());
    return error.kind() == core::ErrorKind::usage ? core::exit_code::usage : core::exit_code::inconclusive;
  } catch (const std::exception& error) {
    std::cerr << fmt::format("assay-{}: {}\n", room.name, error.what());
    return core::exit_code::inconclusive;
  }
}

}  // namespace assay::run
