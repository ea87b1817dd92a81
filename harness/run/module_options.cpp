// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/module_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "harness/core/text/log_lines.hpp"
#include "harness/plan/plan.hpp"
#include "harness/run/benchmark/peer_style.hpp"

namespace assay::run {
namespace {

/// Options that `assay run` passes to a module that it supervises; not in the help.
void add_supervision(CLI::App& app, ModuleOptions& options) {
  app.add_option("--progress-before", options.progress.before, "points counted before this module's first")
      ->group("");
  app.add_option("--progress-total", options.progress.total, "points of the whole run")->group("");
  app.add_option("--progress-after", options.progress.budget_after_s, "seconds budgeted after this module")
      ->group("");
  const auto assumed = [&options]() -> core::AssumedHardware& {
    return options.assumed ? *options.assumed : options.assumed.emplace();
  };
  app.add_option_function<int>(
         "--assume-gpus", [assumed](int gpus) { assumed().gpus = gpus; },
         "with --count: for a machine that has them")
      ->check(CLI::Range(1, 4096))
      ->needs("--count")
      ->group("");
  app.add_flag_callback(
         "--assume-adapters", [assumed] { assumed().adapters = true; },
         "with --assume-gpus: and RDMA adapters")
      ->needs("--assume-gpus")
      ->group("");
  app.add_option("--only", options.only, "with --resume: the points of these records alone, e.g. 3-5,9")
      ->group("");
  app.add_option("--heartbeat-fd", options.progress.heartbeat_descriptor,
                 "a line at the start of each point and while it runs")
      ->group("");
  app.add_option("--heartbeat-file", options.progress.heartbeat_file, "the same, appended to a file")
      ->group("");
}

void add_style(CLI::App& app, const std::string& module, ModuleOptions& options) {
  const auto program = peer_style_of(module);
  if (!program) return;
  app.add_option("--style", options.style,
                 fmt::format("the columns of {} alone on standard output, once all is measured", *program))
      ->check(CLI::IsMember({*program}))
      ->excludes("--resume")
      ->type_name("PROGRAM");
}

/// Options that choose the points to run.
void add_selection(CLI::App& app, ModuleOptions& options) {
  app.add_option(
         "--plan", options.plan,
         fmt::format("what to run: a TOML file, or one of: {} (default: every case over its whole sweep)",
                     fmt::join(plan::built_in_plans(), " ")))
      ->type_name("FILE|NAME");
  app.add_option("--filter", options.filters,
                 "only cases, or case/point, that match this glob; can be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  app.add_option("--case", options.numbers, "a case by its number in --list, as a filter; can be repeated")
      ->allow_extra_args(false)
      ->type_name("N");
  app.add_option("--benchmark_filter", options.benchmark_filter,
                 "only points whose Google Benchmark name matches; a leading '-' excludes")
      ->type_name("REGEX");
  app.add_option("--axis", options.axes,
                 "other values for an axis, e.g. --axis bytes=64MiB:1GiB:x2; can be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
}

void add_journal(CLI::App& app, ModuleOptions& options) {
  app.add_option("--journal", options.journal, "append records to this file (default: nothing is written)")
      ->check([](const std::string& text) {
        return std::string(text.empty() ? "expected the name of a file, got an empty one" : "");
      })
      ->type_name("FILE");
  app.add_flag("--resume", options.resume, "skip the points the journal already holds");
  app.add_flag("--retry-failed", options.retry_failed,
               "with --resume: run failed and timed-out points again");
  app.add_option("--run-id", options.run_id,
                 "name of the run in the records (default: made from time and host)")
      ->type_name("ID");
}

std::unique_ptr<CLI::App> describe(const Module& module, ModuleOptions& options) {
  auto app = std::make_unique<CLI::App>(module.measures, "assay-" + module.name);
  app->allow_extras();
  add_selection(*app, options);
  add_journal(*app, options);
  add_style(*app, module.name, options);
  app->add_option("--list", options.list_format,
                  "list the cases, numbered, with their axes and end: text, json or names")
      ->expected(0, 1)
      ->default_str("text")
      ->check(CLI::IsMember({"text", "json", "names"}))
      ->type_name("FORMAT");
  app->add_flag_callback(
      "--count", [&options] { options.task = ModuleTask::count; },
      "print the number of points and their time budget as JSON and end");
  app->add_option_function<std::string>(
         "--log",
         [name = module.name](const std::string& format) {
           if (format == "json") core::log_as_json("assay-" + name);
         },
         "json: what is said while points run as JSON lines on standard error")
      ->check(CLI::IsMember({"text", "json"}))
      ->type_name("FORMAT");
  if (module.options) module.options(*app);
  add_supervision(*app, options);
  app->footer(
      "Google Benchmark's flags (--benchmark_list_tests, --benchmark_repetitions=N,\n"
      "--benchmark_format=console|json|csv, --benchmark_out=FILE, ...) work as in any of its programs.\n\n"
      "Exit codes: 0 done, 1 a point failed or was wrong, 2 usage, 3 nothing could run, 4 interrupted.");
  return app;
}

}  // namespace

Parsed parse_module_options(int argc, char** argv, const Module& module) {
  ModuleOptions options;
  const auto app = describe(module, options);
  try {
    app->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app->help();
    return {};
  } catch (const CLI::ParseError& error) {
    std::cerr << fmt::format("assay-{}: {} (see --help)\n", module.name, error.what());
    return {.options = std::nullopt, .exit_code = 2};
  }
  if (app->count("--list") > 0) options.task = ModuleTask::list;
  if (app->count("--list") > 0 && options.list_format.empty()) options.list_format = "text";
  for (const std::string& flag : app->remaining()) {
    if (!flag.starts_with("--benchmark_")) {
      std::cerr << fmt::format("assay-{}: unknown argument '{}' (see --help)\n", module.name, flag);
      return {.options = std::nullopt, .exit_code = 2};
    }
    options.benchmark_flags.push_back(flag);
  }
  return {.options = options};
}

}  // namespace assay::run
