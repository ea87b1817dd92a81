// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "harness/core/error.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/population/population_comparison.hpp"
#include "results/judge/population/run_comparison.hpp"

namespace assay::cli {
namespace {

struct CompareFlags {
  std::string a, b, filter;
  std::vector<std::string> baseline, candidate;
  std::vector<std::string> populations, places;  // of two stores
  std::string mix;
  std::string margin = "3%", store, store_of_b;
  VerdictOutput output;
};

/// A B, or --baseline and --candidate; never a mixture.
results::ComparisonRequest request_from(const CompareFlags& flags) {
  const bool lists = !flags.baseline.empty() || !flags.candidate.empty();
  const bool words = !flags.a.empty() || !flags.b.empty();
  if (lists == words || (lists && (flags.baseline.empty() || flags.candidate.empty())) ||
      (words && (flags.a.empty() || flags.b.empty())))
    core::usage_error("compare: expected two run ids, or --baseline RUN... --candidate RUN...");
  return {.a = lists ? flags.baseline : std::vector{flags.a},
          .b = lists ? flags.candidate : std::vector{flags.b},
          .margin = answers::margin_from("--margin", flags.margin),
          .filter = flags.filter};
}

/// Names the runs of a side, and says which of their records are not sound evidence.
void add_doubts(const results::Store& store, const std::vector<std::string>& runs,
                results::Verdicts& verdicts, std::vector<results::LongTable>& tables) {
  for (results::JudgedRun& judged : results::judged_runs(store, runs))
    verdicts.runs.push_back(std::move(judged));
  results::Verdicts doubts = results::judge_store(store, "compare", runs);
  if (doubts.rows.empty()) return;
  tables.push_back(results::to_table(doubts));
  results::append(verdicts, std::move(doubts));
}

void refuse_other_sides(const CompareFlags& flags) {
  if (!flags.a.empty() || !flags.baseline.empty() || !flags.candidate.empty() || !flags.store_of_b.empty())
    core::usage_error("--populations: expected two stores, and neither run ids nor --store-of-b");
}

/// All runs of two stores, one of each cluster.
int compare_populations(const CompareFlags& flags) {
  refuse_other_sides(flags);
  results::PopulationRequest request{.margin = answers::margin_from("--margin", flags.margin),
                                     .filter = flags.filter};
  if (!flags.mix.empty()) request.mix = results::read_mix(flags.mix);
  if (!flags.places.empty())
    request.places = answers::or_bad_input([&] {
      return results::PopulationPlaces{results::read_places(flags.places[0]),
                                       results::read_places(flags.places[1])};
    });
  const results::Store a = open_store_to_judge(flags.populations[0]);
  const results::Store b = open_store_to_judge(flags.populations[1]);
  const results::PopulationComparison comparison =
      answers::or_bad_input([&] { return results::compare_populations(a, b, request); });
  results::Verdicts verdicts = results::verdicts_of(comparison);
  for (const results::Store* store : {&a, &b})
    for (results::JudgedRun& judged : results::judged_runs(*store))
      verdicts.runs.push_back(std::move(judged));
  std::vector<results::LongTable> tables{results::to_table(comparison)};
  if (!comparison.doubts.empty()) {
    results::Verdicts doubts{.command = "compare", .subject = "doubts", .rows = comparison.doubts};
    settle(doubts);
    tables.push_back(results::to_table(doubts));
  }
  return print_verdicts(verdicts, tables, flags.output, [&] { return system_of(verdicts, {&a, &b}); });
}

int compare(const CompareFlags& flags) {
  if (!flags.populations.empty()) return compare_populations(flags);
  if (!flags.places.empty() || !flags.mix.empty())
    core::usage_error("--places and --mix: expected with --populations only");
  const results::ComparisonRequest request = request_from(flags);
  const results::Store of_a = open_store_to_judge(flags.store);
  std::optional<results::Store> other;
  if (!flags.store_of_b.empty()) other.emplace(open_store_to_judge(flags.store_of_b));
  const results::Store& of_b = other ? *other : of_a;
  const results::RunComparison comparison =
      answers::or_bad_input([&] { return results::compare_runs(of_a, of_b, request); });
  results::Verdicts verdicts = results::verdicts_of(comparison);
  std::vector<results::LongTable> tables{results::to_table(comparison)};
  add_doubts(of_a, comparison.ids_of_a, verdicts, tables);
  add_doubts(of_b, comparison.ids_of_b, verdicts, tables);
  results::name_origin(verdicts, comparison.origin);
  return print_verdicts(verdicts, tables, flags.output, [&] { return system_of(verdicts, {&of_a, &of_b}); });
}

void add_compare_flags(CLI::App& app, CompareFlags& flags) {
  app.add_option("a", flags.a, "run id of the baseline")->type_name("A");
  app.add_option("b", flags.b, "run id of the candidate")->type_name("B");
  app.add_option("--baseline", flags.baseline,
                 "instead of A: several runs, each a fresh start; ids, globs or 'all'")
      ->type_name("RUN");
  app.add_option("--candidate", flags.candidate, "instead of B, likewise")->type_name("RUN");
  app.add_option("--margin", flags.margin,
                 "largest difference that counts as equal: 3% or 0.03; 0.01% to 50%")
      ->capture_default_str()
      ->type_name("SHARE");
  app.add_option("--filter", flags.filter, "only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  add_store_option(app, flags.store);
  add_file(app, "--store-of-b", flags.store_of_b, "store of the candidate (default: the same)");
  add_file(app, "--populations", flags.populations, "instead of runs: two clusters, as populations of units",
           "STORE")
      ->expected(2);
  add_file(app, "--places", flags.places, "with --populations: where the hosts of each are (CSV)")
      ->expected(2);
  add_file(app, "--mix", flags.mix, "with --populations: weights of points (TOML)");
  add_verdict_options(app, flags.output);
}

}  // namespace

Command compare_command(CLI::App& parent) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App* app =
      parent.add_subcommand("compare", "Judge whether two systems, or two states of one, are equally fast");
  add_compare_flags(*app, *flags);
  app->footer(
      "A run counts once, whatever its repetitions. Three or more fresh runs on each side, best alternated,\n"
      "can show equality within the margin; fewer show how many runs would decide (INCONCLUSIVE).\n"
      "\n"
      "  assay compare --baseline 'ib-*' --candidate 'roce-*' --margin 5%\n"
      "  assay compare --baseline all --store old.sqlite --candidate all --store-of-b new.sqlite\n"
      "  assay compare --populations ib.sqlite roce.sqlite --mix training-step.toml\n"
      "\n"
      "Exit codes: 0 every point is equivalent or better; 1 one is worse, or failed in the candidate only;\n"
      "2 the runs mean different things, or one is a copy; 3 too few runs, a point or repetition without a\n"
      "partner, or doubtful records.");
  return {app, [flags] { return compare(*flags); }};
}

}  // namespace assay::cli
