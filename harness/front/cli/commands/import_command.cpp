// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/core/printable.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/tasks/import_peers.hpp"
#include "results/peers/peer_file.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/doubts/run_doubts.hpp"

namespace assay::cli {
namespace {

struct ImportFlags {
  std::vector<std::string> journals;
  std::string store;
  std::string from, host, pattern, zone, repairs, format = "text";
  bool dry_run = false;
};

/// A fleet has thousands of journals: more than these are summed up.
constexpr std::size_t printed_one_by_one = 20;

/// Prints `text` on one line, even if a journal's words in it have line breaks.
void print_line(std::ostream& out, const std::string& text) { out << core::printable_message(text) << "\n"; }

void print_summary(const results::ImportSummary& summary, const std::string& journals) {
  const bool before = summary.added == 0 && summary.already_there > 0;
  print_line(std::cout, fmt::format("{}: {} records added, {} already there, {} damaged{}", journals,
                                    summary.added, summary.already_there, summary.problems.size(),
                                    before ? " (imported before: nothing new)" : ""));
}

/// The records without them are as good: no fault of the import.
void print_secrets(const results::ImportSummary& summary) {
  for (const results::JournalProblem& secret : summary.secrets)
    print_line(std::cerr,
               fmt::format("{}:{}: {} looks like a secret and was left out: replace it, and hand this "
                           "journal to no one",
                           secret.file.string(), secret.line, secret.what));
}

/// False where there was nothing to report.
bool print_faults(const results::ImportSummary& summary) {
  const auto print_each = [](const std::vector<results::JournalProblem>& problems, const char* what) {
    for (const results::JournalProblem& problem : problems)
      print_line(std::cerr,
                 fmt::format("{}:{}: {}{}", problem.file.string(), problem.line, what, problem.what));
  };
  print_each(summary.problems, "damaged line skipped: ");
  print_each(summary.doubts, "");
  return !summary.problems.empty() || !summary.doubts.empty();
}

/// Hosts of the store that overlap in time are reported, whichever journals they came from.
bool print_overlaps(const results::Store& store) {
  const auto overlaps = results::overlaps_of(store);
  for (const std::string& overlap : overlaps) print_line(std::cerr, overlap);
  return !overlaps.empty();
}

/// Records that do not add up; a run that is not over yet is not a fault of an import.
bool print_losses(const results::Store& store) {
  bool any = false;
  for (const results::RunDoubt& doubt : results::doubts_of(store)) {
    if (doubt.kind != results::DoubtKind::lost) continue;
    print_line(std::cerr, text_of(doubt));
    any = true;
  }
  return any;
}

/// Good lines go in; what is damaged or doubtful is reported line by line and makes the exit code 3.
int import(const ImportFlags& flags) {
  for (const std::string& journal : flags.journals) {
    if (!core::is_there(journal)) core::usage_error(fmt::format("{}: no such journal", journal));
    if (std::filesystem::is_directory(journal))
      core::usage_error(fmt::format("{}: is a folder; expected a journal", journal));
  }
  results::Store store = open_store(flags.store, results::StoreMode::create);
  const std::vector<std::filesystem::path> paths(flags.journals.begin(), flags.journals.end());
  const auto summaries = store.import_journals(paths);
  results::ImportSummary all;
  bool faults = false;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const results::ImportSummary& one = summaries[i];
    faults |= print_faults(one);
    print_secrets(one);
    all.added += one.added;
    all.already_there += one.already_there;
    all.problems.insert(all.problems.end(), one.problems.begin(), one.problems.end());
    if (summaries.size() <= printed_one_by_one) print_summary(one, flags.journals[i]);
  }
  if (summaries.size() > 1) print_summary(all, fmt::format("{} journals", summaries.size()));
  faults |= print_losses(store);
  faults |= print_overlaps(store);
  return faults ? core::exit_code::inconclusive : core::exit_code::pass;
}

int import_of_peers(const ImportFlags& flags) {
  if (flags.format == "json" && !flags.dry_run)
    core::usage_error("--format json: expected --dry-run with it");
  return import_peers({.paths = flags.journals,
                       .kind = flags.from,
                       .host = flags.host,
                       .pattern = flags.pattern,
                       .zone = flags.zone,
                       .store = flags.store,
                       .repairs = flags.repairs,
                       .dry_run = flags.dry_run,
                       .json = flags.format == "json"});
}

}  // namespace

Command import_command(CLI::App& parent) {
  const auto flags = std::make_shared<ImportFlags>();
  CLI::App* app = parent.add_subcommand(
      "import", "Read journals of any nodes, or results of other tools, into the store");
  add_file(*app, "files", flags->journals, "journal files; with --from result files and folders of them",
           "FILE...")
      ->required();
  add_store_option(*app, flags->store);
  std::vector<std::string> kinds = results::peers::peer_kinds();
  kinds.insert(kinds.begin(), "auto");
  auto* const from =
      app->add_option("--from", flags->from, "tool that wrote the files; auto: by their content")
          ->check(CLI::IsMember(kinds));
  app->add_option("--host", flags->host, "host of files that name none")->needs(from);
  app->add_option("--path", flags->pattern, "words of each file's path, such as '{host}/{round}.log'")
      ->needs(from);
  app->add_option("--zone", flags->zone, "zone of times without one: UTC, +02:00")->needs(from);
  add_file(*app, "--repairs", flags->repairs,
           "last repair of hosts (CSV: host,repaired): older results are in doubt")
      ->needs(from);
  app->add_flag("--dry-run", flags->dry_run, "print the points, store nothing")->needs(from);
  app->add_option("--format", flags->format, "format of --dry-run; json: an object a line")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str()
      ->needs(from);
  return {app, [flags] { return flags->from.empty() ? import(*flags) : import_of_peers(*flags); }};
}

}  // namespace assay::cli
