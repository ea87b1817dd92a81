// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/module_main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/measure/assumed_hardware.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/standard_output.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/core/text/printable_stream.hpp"
#include "harness/machine/pretended_node.hpp"
#include "harness/run/benchmark/benchmark_filter.hpp"
#include "harness/run/benchmark/google_benchmark.hpp"
#include "harness/run/benchmark/peer_style.hpp"
#include "harness/run/case_list.hpp"
#include "harness/run/interrupt.hpp"
#include "harness/run/journal/absences.hpp"
#include "harness/run/journal/context.hpp"
#include "harness/run/journal/origin.hpp"
#include "harness/run/journal/resume.hpp"
#include "harness/run/journal/run_journal.hpp"
#include "harness/run/module_options.hpp"
#include "harness/run/session.hpp"

namespace assay::run {
namespace {

/// Without a plan: every case over its default sweep, with --axis on top.
plan::Plan plan_of(const Module& module, const ModuleOptions& options) {
  plan::Plan plan;
  if (options.plan.empty()) {
    plan.name = "all";
    plan.sweeps.push_back({.cases = {module.name + ".*"}, .where = "the command line"});
  } else {
    plan = plan::read_plan(options.plan);
  }
  for (const std::string& axis : options.axes) plan::override_axis(plan, axis);
  return plan;
}

bool passes(const plan::PlannedPoint& point, const std::vector<std::string>& filters) {
  const std::string full = point.benchmark->name + "/" + point.point.key();
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& glob) {
           return core::glob_matches(glob, point.benchmark->name) || core::glob_matches(glob, full);
         });
}

/// A case without a selected point is not asked: --axis may have values, meant for others, that it refuses.
bool may_pass(const core::Case& benchmark, const std::vector<std::string>& filters) {
  return filters.empty() || std::ranges::any_of(filters, [&](const std::string& glob) {
           return core::glob_matches(glob, benchmark.name) ||
                  core::glob_may_match(glob, benchmark.name + "/");
         });
}

std::vector<plan::PlannedPoint> points_that_pass(const plan::Plan& plan, const Module& module,
                                                 const std::vector<core::Case>& cases,
                                                 const ModuleOptions& options) {
  const std::vector<std::string>& filters = options.filters;
  const BenchmarkFilter filter(options.benchmark_filter);
  std::vector<plan::PlannedPoint> points =
      plan::expand(plan, module.name, cases, [&](const core::Case& one) { return may_pass(one, filters); });
  std::erase_if(points, [&](const plan::PlannedPoint& point) {
    return !passes(point, filters) || !filter.takes(point);
  });
  return points;
}

/// A model file that cannot be read, or work that is unknown, is bad input: say so before anything runs.
/// A failure of a device or library is not bad input: the record of its point reports it.
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

std::set<std::string> axes_of(const std::vector<plan::PlannedPoint>& points) {
  std::set<std::string> axes;
  for (const plan::PlannedPoint& planned : points)
    for (const auto& [axis, value] : planned.point.coordinates()) axes.insert(axis);
  return axes;
}

/// Under a supervisor another module may have the axis; it asks all of them.
void refuse_unused_axes(const ModuleOptions& options, const std::set<std::string>& axes) {
  for (const std::string& text : options.axes)
    if (const std::string axis = text.substr(0, text.find('=')); !axes.contains(axis))
      core::usage_error(fmt::format("--axis {}: no case of this run has such an axis (there are: {})", axis,
                                    fmt::join(axes, " ")));
}

/// Takes out the points that need not run again; returns how they went.
Tally set_aside(std::vector<plan::PlannedPoint>& points, const Finished& finished,
                const ModuleOptions& options, const Absences& absent) {
  Tally tally;
  std::erase_if(points, [&](const plan::PlannedPoint& point) {
    const std::string name = identity(point.benchmark->name, point.point.key(), point.repetition);
    const auto done = finished.points.find(name);
    if (done == finished.points.end()) return !options.only.empty() && !finished.again.contains(name);
    tally.add(done->second, absent.used_by(point));
    return true;
  });
  return tally;
}

/// Points of this module that were named and that the plan does not have.
std::set<std::string> gone_from_plan(const std::string& module, const Finished& finished,
                                     const std::vector<plan::PlannedPoint>& points) {
  std::set<std::string> gone;
  for (const std::string& name : finished.again)
    if (name.starts_with(module + ".")) gone.insert(name);
  if (gone.empty()) return gone;
  for (const plan::PlannedPoint& point : points)
    gone.erase(identity(point.benchmark->name, point.point.key(), point.repetition));
  return gone;
}

void refuse_two_forms(const ModuleOptions& options) {
  if (!options.style.empty() && prints_format(options.benchmark_flags))
    core::usage_error("--style excludes --benchmark_format: both are for standard output");
}

/// Whether standard output gets lines of progress, which the journal has too; else a table or a document.
bool prints_lines(const ModuleOptions& options) {
  return options.style.empty() && !prints_format(options.benchmark_flags);
}

/// Measures the points through Google Benchmark's shell; returns the exit code.
int measure_all(const Module& module, ModuleOptions options, const std::vector<plan::PlannedPoint>& points,
                const Finished& finished, const Tally& so_far, const Absences& absent,
                const results::ContextRecord& context) {
  for (const results::JournalProblem& problem : finished.problems)
    std::cerr << fmt::format("{}:{}: damaged line skipped: {}\n", problem.file.string(), problem.line,
                             problem.what);
  const machine::LeftOut left_out = absent.left_out(points);
  std::ostream& lines = prints_lines(options) ? core::status_stream() : std::cerr;
  if (options.progress.heartbeat_descriptor < 0) lines << machine::to_text(left_out);
  if (options.progress.total == 0)
    options.progress.total = static_cast<long>(points.size()) - machine::points_of(left_out);
  options.progress.module = module.name;
  options.progress.of_module = static_cast<long>(points.size()) - machine::points_of(left_out);
  const bool only_lists = asks_for_list(options.benchmark_flags);
  if (only_lists) options.journal.clear();
  if (module.begin && !only_lists && !points.empty()) module.begin();
  RunJournal journal(options, finished, context);
  Session session(module.name, journal,
                  Progress(lines, std::cerr, options.progress, whole_budget(points), PointText(points)),
                  so_far, catch_interrupts(), absent);
  if (module.on_hang) module.on_hang([&session](const std::string& why) { return session.give_up(why); });
  run_benchmarks(
      points,
      {options.benchmark_flags,
       [&](const plan::PlannedPoint& point, int repetition) { return session.measure(point, repetition); }},
      context);
  if (module.on_hang) module.on_hang({});
  const int exit_code = session.end();
  if (journal.kept() != nullptr && !only_lists) std::cout << text_in_peer_style(module.name, *journal.kept());
  return only_lists ? core::exit_code::pass : exit_code;
}

int run_module(const Module& module, ModuleOptions options, const std::vector<std::string>& command_line) {
  refuse_two_forms(options);
  // From here on, so that a Ctrl-C while the machine is looked at ends with 4 as well.
  catch_interrupts();
  const machine::Machine machine = machine::look();
  const std::vector<core::Case> cases = module.cases(machine);
  if (options.task == ModuleTask::list) {
    std::cout << list_cases(cases, options.list_format);
    return 0;
  }
  for (const std::size_t number : options.numbers) options.filters.push_back(case_numbered(cases, number));
  const plan::Plan plan = plan_of(module, options);
  std::vector<plan::PlannedPoint> points = points_that_pass(plan, module, cases, options);
  const Finished finished = read_finished(options.journal, options.retry_failed, records_in(options.only));
  const std::size_t planned = points.size();
  const std::set<std::string> gone = gone_from_plan(module.name, finished, points);
  const std::set<std::string> axes = axes_of(points);
  // A simulated GPU is in no list of a real machine's.
  const bool is_listed = origin_of_numbers() == results::Origin::measured || machine::is_pretended();
  const Absences absent = is_listed ? Absences(machine) : Absences();
  const machine::LeftOut left_out = absent.left_out(points);
  const Tally so_far = options.resume ? set_aside(points, finished, options, absent) : Tally{};
  refuse_impossible(points);
  if (options.task == ModuleTask::count) {
    const nlohmann::ordered_json count{{"points", points.size()},
                                       {"planned", planned},
                                       {"budget_s", whole_budget(points)},
                                       {"left_out", left_out},
                                       {"left_out_ahead", machine::points_of(absent.left_out(points))},
                                       {"exit_code_so_far", so_far.exit_code()},
                                       {"axes", axes},
                                       {"gone", gone}};
    std::cout << core::json_text(count) << "\n";
    return 0;
  }
  if (planned == 0) core::usage_error("nothing to run: plan and filters select no point of this module");
  if (options.progress.heartbeat_descriptor < 0) refuse_unused_axes(options, axes);
  return measure_all(module, std::move(options), points, finished, so_far, absent,
                     context_of(module.name, machine, plan, command_line));
}

/// Its folder is the journal's: where one cannot be written, neither can the other.
void open_heartbeat_file(ProgressOptions& progress) {
  if (progress.heartbeat_file.empty()) return;
  progress.heartbeat_descriptor =
      open(progress.heartbeat_file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (progress.heartbeat_descriptor < 0)
    throw std::system_error(errno, std::generic_category(), "open " + progress.heartbeat_file);
}

int run_and_complain(ModuleOptions options, const std::vector<std::string>& command_line,
                     const Module& module) {
  options.progress = options_of_terminal(options.progress);
  if (options.assumed) core::assume(*options.assumed);
  try {
    open_heartbeat_file(options.progress);
    return run_module(module, options, command_line);
  } catch (const core::Interrupted& error) {
    std::cerr << fmt::format("assay-{}: {}\n", module.name, error.what());
    return core::exit_code::interrupted;
  } catch (const core::Error& error) {
    std::cerr << fmt::format("assay-{}: {}\n", module.name, error.what());
    return error.kind() == core::ErrorKind::usage ? core::exit_code::usage : core::exit_code::inconclusive;
  } catch (const std::exception& error) {
    std::cerr << fmt::format("assay-{}: {}\n", module.name, error.what());
    return core::exit_code::inconclusive;
  }
}

}  // namespace

int module_main(int argc, char** argv, const Module& module) {
  const core::PrintableStreams printable;
  const Parsed parsed = parse_module_options(argc, argv, module);
  const int exit_code =
      parsed.options ? run_and_complain(*parsed.options, std::vector<std::string>(argv, argv + argc), module)
                     : parsed.exit_code;
  // A lost progress line does not lose the measurement: the journal has it.
  if (parsed.options && !parsed.options->journal.empty() && prints_lines(*parsed.options)) return exit_code;
  return core::exit_code_once_written("assay-" + module.name, exit_code);
}

}  // namespace assay::run
