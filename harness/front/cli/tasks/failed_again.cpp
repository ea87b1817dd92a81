// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/failed_again.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/units.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/suite/failed_points.hpp"
#include "harness/front/suite/kept_plan.hpp"
#include "harness/machine/machine.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

/// --filter and --axis of a module's command line, one word a line.
std::string flags_of(const std::vector<std::string>& command_line) {
  std::string flags;
  for (std::size_t at = 0; at + 1 < command_line.size(); ++at)
    if (command_line[at] == "--filter" || command_line[at] == "--axis")
      flags += command_line[at] + "\n" + command_line[at + 1] + "\n";
  return flags;
}

/// Journal, plan and flags of the run, as `assay run` had left them.
void restore(const results::Store& store, const results::StoredRun& run, const fs::path& folder) {
  const results::ContextRecord context = results::contexts_of(store, run).front();
  const auto refuse = [&run](const std::string& why) {
    core::usage_error(fmt::format("--failed: run {} {}", run.run_id, why));
  };
  if (const std::string origin = results::origin_of(store, run); origin != "measured")
    refuse(fmt::format("is {}, and cannot be measured again", origin));
  if (const std::string here = machine::look().host; here != context.host)
    refuse(fmt::format("was measured on {} (expected on {}, which this is)", context.host, here));
  const auto plan = context.plan.find("toml");
  if (plan == context.plan.end() || !plan->is_string() || plan->get<std::string>().empty())
    refuse("keeps no plan in its records (expected a run of `assay run`)");
  fs::create_directories(folder);
  core::write_whole_file(folder / suite::plan_file_name, plan->get<std::string>());
  core::write_whole_file(folder / suite::flags_file_name, flags_of(context.command_line));
  const core::LongText lines = results::lines_of_runs(store, std::array{run.run_id});
  core::write_whole_file(folder / "journal.jsonl", [&](const core::ByteSink& sink) { lines.write_to(sink); });
}

std::string run_of(const FailedAgain& failed, const suite::RunOptions& options) {
  suite::refuse_as_folder_name(options.run_id);
  if (failed.store.empty())
    return !options.run_id.empty()
               ? options.run_id
               : suite::latest_with(options.folder, suite::plan_file_name, "journal.jsonl", "run");
  const results::Store store = open_existing_store(failed.store);
  const results::StoredRun run = answers::or_bad_input([&] {
    return results::find_run(store, options.run_id.empty() ? std::nullopt : std::optional(options.run_id));
  });
  suite::refuse_as_folder_name(run.run_id);
  if (!fs::exists(options.folder / run.run_id / "journal.jsonl"))
    restore(store, run, options.folder / run.run_id);
  return run.run_id;
}

bool is_wanted(const suite::FailedPoint& point, const suite::RunOptions& options) {
  const bool of_module =
      options.modules.empty() || std::ranges::find(options.modules, point.module) != options.modules.end();
  return of_module && (options.filters.empty() || std::ranges::any_of(options.filters, [&](const auto& glob) {
                         return core::glob_matches(glob, point.case_name) ||
                                core::glob_matches(glob, point.name);
                       }));
}

void list(const std::string& run, const std::vector<suite::FailedPoint>& failed, std::ostream& out) {
  constexpr std::size_t most = 10;
  out << fmt::format("run {}: {} again\n", run, core::counted(std::ssize(failed), "point"));
  for (std::size_t at = 0; at < std::min(most, failed.size()); ++at)
    out << fmt::format("  {}: {}\n", failed[at].name, failed[at].why);
  if (failed.size() > most) out << fmt::format("  and {} more\n", failed.size() - most);
}

}  // namespace

void add_failed_flags(CLI::App& app, FailedAgain& failed) {
  CLI::Option* asked =
      app.add_flag("--failed", failed.asked,
                   "only the points of the latest run (or --run-id) that failed, were wrong, "
                   "hung, are in doubt or drifted");
  add_file(app, "--store", failed.store, "with --failed: of a run in this store")->needs(asked);
  add_file(app, "--limits", failed.limits, "with --failed: also those beyond these limits; may be repeated")
      ->needs(asked)
      ->allow_extra_args(false);
}

bool only_failed(const FailedAgain& failed, suite::RunOptions& options, std::ostream& out) {
  std::vector<results::LimitsFile> limits;
  for (const std::string& file : failed.limits) limits.push_back(results::read_limits(file));
  options.run_id = run_of(failed, options);
  options.resume = true;
  const fs::path journal = options.folder / options.run_id / "journal.jsonl";
  if (!fs::exists(journal))
    core::usage_error(fmt::format("{}: no such run (expected one that `assay run` measured)",
                                  (options.folder / options.run_id).string()));
  auto points = answers::or_bad_input([&] { return suite::failed_points_in(journal, limits); });
  std::erase_if(points, [&](const suite::FailedPoint& point) { return !is_wanted(point, options); });
  if (points.empty()) {
    out << fmt::format("run {}: no point failed, nothing to measure again\n", options.run_id);
    return false;
  }
  list(options.run_id, points, out);
  options.only = suite::records_of(points);
  options.only_count = static_cast<long>(points.size());
  options.filters.clear();
  options.modules.clear();
  return true;
}

}  // namespace assay::cli
