// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <thread>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/text/log_lines.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/log_option.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "harness/front/cli/tasks/started_container.hpp"
#include "harness/front/health/check_node.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/describe.hpp"
#include "harness/front/health/finding_verdicts.hpp"
#include "harness/front/health/kernel_log/xid_actions.hpp"
#include "harness/front/health/logbook.hpp"
#include "harness/front/health/metrics.hpp"
#include "harness/front/health/tested_node.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::cli {
namespace {

struct CheckFlags {
  std::string expect, logbook = std::string(default_folder) + "/health.json";
  VerdictOutput output;
  std::string root, gpus, redfish, metrics, xid_actions, clear, unit, because;
  std::vector<std::string> without;
  double window_s = 2;
  bool all = false, list = false;
};

int list_checks(const std::string& format) {
  std::cout << render_table(health::table_of(health::all_checks()), format);
  return 0;
}

int clear_latched(const CheckFlags& flags) {
  if (flags.because.empty())
    core::usage_error("--clear: expected --because REASON too; the logbook keeps it");
  auto logbook = health::read_logbook(flags.logbook);
  if (!logbook) core::usage_error(fmt::format("{}: no such logbook", flags.logbook));
  health::clear(*logbook, flags.clear, flags.unit, flags.because, core::iso_time_now());
  health::write_logbook(flags.logbook, *logbook);
  std::cout << fmt::format("cleared  {}\n", flags.clear);
  return 0;
}

health::GpuReading read_gpus(const CheckFlags& flags) {
  if (!flags.gpus.empty()) return health::read_gpu_table(flags.gpus);
  if (flags.root.empty()) return health::read_gpus(machine::Nvml::shared());
  return {.unavailable = "a folder was given for this machine, and no table of its GPUs (--gpus)",
          .gpus = {},
          .counters = {}};
}

std::string root_of(const CheckFlags& flags) {
  return flags.root.empty() ? machine::pretended_root() : flags.root;
}

void create_folder(const std::filesystem::path& folder) {
  std::error_code why;
  std::filesystem::create_directories(folder, why);
  if (why) core::usage_error(fmt::format("{}: cannot be made: {}", folder.string(), why.message()));
}

/// Logs what is not well, for collectors of logs: a failure as an error and the rest as warnings.
void log_findings(const std::vector<health::Finding>& findings) {
  for (const health::Finding& finding : findings)
    if (finding.status >= health::Status::noticed)
      std::cerr << fmt::format("{}{} {}: {}: {}", finding.status == health::Status::failed ? "assay: " : "",
                               finding.unit.empty() ? "host" : finding.unit, finding.check,
                               to_string(finding.status), finding.evidence)
                << core::LogFields{{"check", finding.check},
                                   {"unit", finding.unit},
                                   {"status", std::string(to_string(finding.status))},
                                   {"action", std::string(to_string(finding.action))}}
                << "\n";
  core::status_stream() << health::summary(findings)
                        << core::LogFields{{"verdict", std::string(health::verdict_word(findings))}} << "\n";
}

std::string_view origin_of(const CheckFlags& flags) {
  if (machine::is_pretended()) return "simulated";
  return flags.root.empty() && flags.gpus.empty() ? "measured" : "imported";
}

double unix_seconds_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

int check(const CheckFlags& flags) {
  const auto start = std::chrono::steady_clock::now();
  health::Snapshot read;  // the last one
  health::CheckOrder order;
  if (!flags.expect.empty())
    order.expected = health::read_expectation(flags.expect, health::name_of_node(root_of(flags)));
  order.waived = {flags.without.begin(), flags.without.end()};
  order.logbook = flags.logbook;
  const auto xids =
      flags.xid_actions.empty() ? health::XidActions{} : health::read_xid_actions(flags.xid_actions);
  order.read = [&] {
    read = health::read_snapshot(root_of(flags), read_gpus(flags), flags.redfish);
    health::apply(xids, read.log);
    return read;
  };
  order.ask = ask_on_this_machine;
  if (!root_of(flags).empty()) order.ask = [](const health::JobNeeds&) { return health::JobAnswers{}; };
  order.wait = [&] { std::this_thread::sleep_for(std::chrono::duration<double>(flags.window_s)); };
  order.utc = core::iso_time_now();
  if (const auto folder = std::filesystem::path(flags.logbook).parent_path(); !folder.empty())
    create_folder(folder);
  const auto findings = health::check_node(order);
  if (core::logs_json()) log_findings(findings);
  if (!flags.metrics.empty())
    core::write_whole_file(flags.metrics, health::to_metrics(read, findings,
                                                             {.unix_s = unix_seconds_now(),
                                                              .duration_s = core::seconds_since(start),
                                                              .origin = std::string(origin_of(flags))}));
  results::Verdicts verdicts = health::verdicts_of(findings);
  results::Table table = health::to_table(findings, flags.all);
  if (!flags.xid_actions.empty()) verdicts.notes.push_back(text_of(xids));
  if (machine::is_pretended()) verdicts.subject = "a simulated node";
  name_origin(verdicts, std::string(origin_of(flags)));
  table.origin = origin_of(flags);
  return print_verdicts(verdicts, {table}, flags.output, [&] { return health::tested_system(read); });
}

void add_flags(CLI::App& app, CheckFlags& flags) {
  add_file(app, "--expect", flags.expect,
           "what this type of machine must have (TOML; docs/reference/files.md)");
  app.add_option("--without", flags.without, "leave this check out; the verdict says so")->type_name("CHECK");
  add_file(app, "--xid-actions", flags.xid_actions,
           "Xids that this site ignores, warns of or fails on (TOML: ignore, warn, fail)");
  add_file(app, "--logbook", flags.logbook, "state of the last check, and failures not yet cleared")
      ->capture_default_str();
  app.add_option("--window", flags.window_s, "between two readings if there is no logbook of this boot")
      ->type_name("SECONDS")
      ->check(number_between(0.0, 3600.0))
      ->capture_default_str();
  add_file(app, "--root", flags.root, "folder to read as / instead of this machine", "FOLDER");
  add_file(app, "--gpus", flags.gpus, "table of GPUs (JSON) to read instead of the driver");
  add_file(app, "--redfish", flags.redfish,
           "what the board's controller says: a Redfish tree as DMTF's Mockup Creator saves it", "FOLDER");
  add_file(app, "--metrics", flags.metrics,
           "write findings and counters for Prometheus' textfile collector (docs/reference/exporters.md)");
  app.add_option("--clear", flags.clear, "clear an earlier failure")->type_name("CHECK");
  app.add_option("--unit", flags.unit, "with --clear: on this unit only")->type_name("UNIT");
  app.add_option("--because", flags.because, "with --clear: the reason, kept in the logbook")
      ->type_name("REASON");
  app.add_flag("--all", flags.all, "show passed checks too");
  app.add_flag("--list", flags.list, "list the checks and exit");
  add_verdict_options(app, flags.output);
  add_log_option(app);
}

}  // namespace

Command check_command(CLI::App& parent) {
  const auto flags = std::make_shared<CheckFlags>();
  CLI::App* app = parent.add_subcommand(
      "check",
      "Check the health of GPUs, links, adapters, memory and the kernel's log, in seconds and without load");
  add_flags(*app, *flags);
  return {app, [flags] {
            if (flags->list) return list_checks(flags->output.format);
            return flags->clear.empty() ? check(*flags) : clear_latched(*flags);
          }};
}

}  // namespace assay::cli
