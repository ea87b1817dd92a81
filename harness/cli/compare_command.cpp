// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/cli/or_bad_input.hpp"
#include "harness/cli/share.hpp"
#include "harness/cli/verdict_output.hpp"
#include "results/judge/judged_runs.hpp"
#include "results/judge/run_comparison.hpp"
#include "results/judge/store_doubts.hpp"

namespace assay::cli {
namespace {

struct CompareFlags {
  results::ComparisonRequest request;
  std::string margin = "3%", store, store_of_b;
  VerdictOutput output;
};

int compare(const CompareFlags& flags) {
  results::ComparisonRequest request = flags.request;
  request.margin = share_from("--margin", flags.margin);
  const results::Store of_a = open_store_to_judge(flags.store);
  const results::Store of_b = open_store_to_judge(flags.store_of_b.empty() ? flags.store : flags.store_of_b);
  const results::RunComparison comparison =
      or_bad_input([&] { return results::compare_runs(of_a, of_b, request); });
  results::Verdicts verdicts = results::verdicts_of(comparison);
  std::vector<results::Table> tables{results::to_table(comparison)};
  for (const auto& [store, run] : {std::pair(&of_a, comparison.a), std::pair(&of_b, comparison.b)}) {
    for (results::JudgedRun& judged : results::judged_runs(*store, {&run, 1}))
      verdicts.runs.push_back(std::move(judged));
    results::Verdicts doubts = results::judge_store(*store, "compare", {&run, 1});
    if (doubts.rows.empty()) continue;
    tables.push_back(results::to_table(doubts));
    results::append(verdicts, std::move(doubts));
  }
  return tell(verdicts, tables, flags.output);
}

}  // namespace

Command compare_command(CLI::App& parent) {
  const auto flags = std::make_shared<CompareFlags>();
  CLI::App* app = parent.add_subcommand("compare", "Whether two runs are equally fast, within a margin");
  app->add_option("a", flags->request.a, "run id: what is compared with")->required()->type_name("A");
  app->add_option("b", flags->request.b, "run id: what is judged")->required()->type_name("B");
  app->add_option("--margin", flags->margin, "how far apart is still equal: 3% or 0.03")
      ->capture_default_str()
      ->type_name("SHARE");
  app->add_option("--filter", flags->request.filter, "only cases, or case/point, that match this glob")
      ->type_name("GLOB");
  add_store_option(*app, flags->store);
  app->add_option("--store-of-b", flags->store_of_b, "the store of the second run (default: the same)")
      ->type_name("FILE");
  add_verdict_options(*app, flags->output);
  app->footer(
      "Equal is what is shown to be equal, by two one-sided tests at 5 % over repetitions of each point "
      "(plan:\n"
      "repetitions = 10), and never what no difference was found in. Exit codes: 0 every point equivalent "
      "or\n"
      "better, 1 one is worse or failed in B alone, 2 the runs do not mean the same, 3 of one too little is "
      "known,\n"
      "or only A has it.");
  return {app, [flags] { return compare(*flags); }};
}

}  // namespace assay::cli
