// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/judge_flags.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "results/judge/judges.hpp"

namespace assay::cli {
namespace {

struct AcceptFlags {
  std::string store;
  JudgeFlags judges;
  VerdictOutput output;
};

int accept(const AcceptFlags& flags) {
  results::JudgeOrder order = order_from(flags.judges);
  const results::Store store = open_existing_store(flags.store);
  results::Evidence evidence{store, std::move(order)};
  for (const auto& [input, files] : flags.judges.files)
    for (const std::string& file : files) evidence.files[input].push_back({.name = file});
  evidence.models = models_for_judges();
  std::vector<results::Judged> parts =
      answers::or_bad_input([&] { return results::ask_judges(evidence, results::Unjudgeable::throws); });
  store.verify();  // the judges have read most of it
  results::Verdicts whole{.command = "accept", .runs = results::judged_runs(store)};
  std::vector<results::LongTable> tables;
  for (results::Judged& part : parts) {
    tables.push_back(results::table_of(part));
    results::append(whole, std::move(part));
  }
  return print_verdicts(whole, tables, flags.output);
}

}  // namespace

Command accept_command(CLI::App& parent) {
  const auto flags = std::make_shared<AcceptFlags>();
  CLI::App* app =
      parent.add_subcommand("accept", "Judge whether any unit of a fleet is slower than its equals");
  add_store_option(*app, flags->store);
  add_judge_flags(*app, flags->judges);
  add_verdict_options(*app, flags->output);
  return {app, [flags] { return accept(*flags); }};
}

}  // namespace assay::cli
