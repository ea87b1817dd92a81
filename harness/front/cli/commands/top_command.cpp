// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay top`: what a run or a campaign has measured so far, or the units of a store, drawn again every few
// seconds. It reads and writes nothing, so it does not disturb what it looks at beyond reading.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/terminal.hpp"
#include "harness/core/text/printable_stream.hpp"
#include "harness/core/units.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/suite/run_lock.hpp"
#include "results/judge/series/stored_units.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/show/live_journals.hpp"
#include "results/store/sqlite/database.hpp"

namespace assay::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t findings_shown = 5, units_shown = 50, line_bytes = 2000;

struct TopFlags {
  std::string watched = default_folder;
  double interval_s = 2;
  bool once = false;
};

bool is_run_or_campaign(const fs::path& folder) {
  return fs::exists(folder / "journal.jsonl") || fs::exists(folder / "plan.toml") ||
         fs::exists(folder / "campaign.toml");
}

/// A run that was killed before it measured leaves a folder, too: without records, and not in use.
bool has_begun(const fs::path& folder) {
  if (fs::exists(folder / suite::lock_file_name)) return true;
  std::error_code gone;
  const fs::recursive_directory_iterator files(folder, gone);
  return std::any_of(begin(files), end(files),
                     [](const auto& entry) { return entry.path().extension() == ".jsonl"; });
}

/// The newest of a folder of runs or campaigns, by when their first file was last written.
fs::path watched_folder(const fs::path& folder) {
  if (std::error_code unusable_name; !fs::is_directory(folder, unusable_name))
    core::usage_error(
        fmt::format("{}: expected a folder of runs or campaigns, one of them, or a store", folder.string()));
  if (is_run_or_campaign(folder)) return folder;
  std::optional<std::pair<fs::file_time_type, fs::path>> newest;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_directory() || !is_run_or_campaign(entry.path()) || !has_begun(entry.path())) continue;
    const std::pair written(fs::last_write_time(entry.path()), entry.path());
    if (!newest || *newest < written) newest = written;
  }
  if (!newest)
    core::usage_error(fmt::format("{}: holds no run and no campaign that has begun", folder.string()));
  return newest->second;
}

/// Whatever a file holds: it must not write over the screen.
std::string shown_line(const std::string& text) { return core::printable(text, line_bytes) + "\n"; }

/// "FAIL (FAIL 1, PASS 12)" with the worst rows.
std::string verdict_text(const results::Verdicts& verdicts) {
  std::map<std::string_view, int> counts;
  for (const results::VerdictRow& row : verdicts.rows) ++counts[results::word_of(row)];
  std::string text;
  for (const auto& [word, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", word, count);
  text = fmt::format("{} ({})\n", results::to_string(verdicts.verdict), text);
  std::size_t shown = 0;
  for (const results::VerdictRow& row : verdicts.rows)
    if (!row.excused && row.verdict != results::Verdict::pass && shown++ < findings_shown)
      text += shown_line(
          fmt::format("  {} {} {}: {}", results::to_string(row.verdict), row.unit, row.metric, row.because));
  return text;
}

/// "none" while there is none. Verdicts that cannot be read, such as half of a file that is being copied, do
/// not end the watching.
std::string verdict_text(const fs::path& folder) {
  for (const char* name : {"verdicts.json", "nodes.json"}) try {
      if (!fs::exists(folder / name)) continue;
      if (fs::is_regular_file(folder / name) && fs::is_empty(folder / name))
        return fmt::format("none ({} is empty)\n", name);
      return verdict_text(results::read_verdicts((folder / name).string()));
    } catch (const std::runtime_error& error) {
      return shown_line(fmt::format("cannot be read: {}", error.what()));
    }
  return "none\n";
}

std::string frame_of(const fs::path& folder, const results::LiveJournals& journals) {
  results::Table table = journals.table();
  const double silent_s = journals.silent_s();
  const std::string running =
      fmt::format("running, last record {} ago", silent_s < 1 ? "under 1 s" : core::format_seconds(silent_s));
  table.title = fmt::format("{}: {} points, {}", folder.string(), journals.points(),
                            table.rows.empty() ? "nothing measured yet"
                            : journals.ended() ? "ended"
                                               : running);
  std::string frame = render_table(table, "text") + "\nverdict so far: " + verdict_text(folder);
  const auto findings = journals.findings(findings_shown);
  if (!findings.empty()) frame += "latest bad points:\n";
  for (const std::string& finding : findings) frame += "  " + core::printable_message(finding) + "\n";
  return frame;
}

/// Draws frames until a signal; one alone where asked so, or where the output is not a terminal.
int watch(const TopFlags& flags, const std::function<std::string()>& frame) {
  const bool is_once = flags.once || isatty(STDOUT_FILENO) != 1;
  const bool redraws = !is_once && !core::terminal_is_dumb();
  const std::atomic<int>& signals = count_interrupts();
  while (signals == 0) {
    if (redraws) std::cout << core::TerminalControl{"\033[H\033[2J"};
    std::cout << frame() << std::flush;
    if (is_once) break;
    for (double slept_s = 0; slept_s < flags.interval_s && signals == 0; slept_s += 0.1)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return core::exit_code::pass;
}

int watch_run(const TopFlags& flags) {
  const fs::path folder = watched_folder(flags.watched);
  results::LiveJournals journals(folder);
  return watch(flags, [&] {
    journals.look();
    return frame_of(folder, journals);
  });
}

std::string frame_of_store(const std::string& path, results::StoredUnits& units, std::size_t most) {
  constexpr std::chrono::milliseconds patience(500);  // an import writes for longer: the next frame has it
  const char* held = "";
  try {
    units.look(open_existing_store(path, patience));
  } catch (const results::DatabaseBusy&) {
    held = "; another process writes it: as last read";
  }
  results::Table table = units.table(most);
  table.title = fmt::format("{}: {}, {}{}", path,
                            core::counted(static_cast<std::int64_t>(units.units().size()), "unit"),
                            core::counted(units.points(), "point"), held);
  return render_table(table, "text");
}

int watch_store(const TopFlags& flags) {
  results::StoredUnits units;
  const std::size_t most = isatty(STDOUT_FILENO) == 1 ? units_shown : 0;
  return watch(flags, [&] { return frame_of_store(flags.watched, units, most); });
}

}  // namespace

Command top_command(CLI::App& parent) {
  const auto flags = std::make_shared<TopFlags>();
  CLI::App* app =
      parent.add_subcommand("top", "Watch a run, a campaign or a store: units, rates, verdicts, bad points");
  add_file(*app, "what", flags->watched, "a run, a campaign, a folder of them (the newest), or a store",
           "PLACE")
      ->capture_default_str();
  app->add_option("--interval", flags->interval_s, "seconds between frames")
      ->check(number_between(0.2, 3600.0))
      ->type_name("SECONDS")
      ->capture_default_str();
  app->add_flag("--once", flags->once, "print one frame and end, as where the output is not a terminal");
  app->footer("Ctrl-C ends it, with 0; what it watches continues.");
  return {app, [flags] {
            std::error_code unusable_name;
            return fs::is_regular_file(flags->watched, unusable_name) ? watch_store(*flags)
                                                                      : watch_run(*flags);
          }};
}

}  // namespace assay::cli
