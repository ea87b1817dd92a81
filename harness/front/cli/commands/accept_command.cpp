// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/judge_flags.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/judge/judges.hpp"

namespace assay::cli {
namespace {

struct AcceptFlags {
  std::string store;
  JudgeFlags judges;
  std::vector<std::string> only, runs;
  VerdictOutput output;
};

constexpr std::array parts_of_only{"equals", "limits", "model"};

/// Inputs of what --only selects.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> input_of_part{
    {{"limits", "limits"}, {"coefficients", "model"}}};

bool is_asked(const std::vector<std::string>& only, std::string_view part) {
  return only.empty() || std::ranges::find(only, part) != only.end();
}

/// Refuses a file that --only leaves out, and a part without its file: neither may look like a pass.
void refuse_left_out(const AcceptFlags& flags) {
  for (const auto& [input, part] : input_of_part) {
    const auto given = flags.judges.files.find(std::string(input));
    const bool any = given != flags.judges.files.end() && !given->second.empty();
    if (any && !is_asked(flags.only, part))
      core::usage_error(fmt::format("--{}: left out by --only {}", input, fmt::join(flags.only, ",")));
    if (!any && !flags.only.empty() && is_asked(flags.only, part))
      core::usage_error(fmt::format("--only {}: expected --{} FILE with it", part, input));
  }
}

results::JudgeOrder order_of(const AcceptFlags& flags) {
  results::JudgeOrder order = order_from(flags.judges);
  order.accept = is_asked(flags.only, "equals");
  refuse_left_out(flags);
  return order;
}

int judge(results::Evidence evidence, const AcceptFlags& flags) {
  for (const auto& [input, files] : flags.judges.files)
    for (const std::string& file : files) evidence.files[input].push_back({.name = file});
  evidence.models = models_for_judges();
  std::vector<results::Judged> parts =
      answers::or_bad_input([&] { return results::ask_judges(evidence, results::Unjudgeable::throws); });
  evidence.store.verify();  // the judges have read most of it
  results::Verdicts whole{.command = "accept", .runs = results::judged_runs(evidence.store)};
  std::vector<results::LongTable> tables;
  for (results::Judged& part : parts) {
    tables.push_back(results::table_of(part));
    results::append(whole, std::move(part));
  }
  return print_verdicts(whole, tables, flags.output, [&] { return system_of(whole, {&evidence.store}); });
}

int accept(const AcceptFlags& flags) {
  results::JudgeOrder order = order_of(flags);
  if (flags.runs.empty()) {
    const results::Store store = open_existing_store(flags.store);
    return judge({store, std::move(order)}, flags);
  }
  const results::Store all = open_store_to_judge(flags.store);
  const results::Store chosen =
      answers::or_bad_input([&] { return results::store_of_runs(all, flags.runs); });
  return judge({chosen, std::move(order), {}, results::damage_of_runs(all, flags.runs)}, flags);
}

}  // namespace

Command accept_command(CLI::App& parent) {
  const auto flags = std::make_shared<AcceptFlags>();
  CLI::App* app =
      parent.add_subcommand("accept", "Judge whether any unit of a fleet is slower than its equals");
  add_store_option(*app, flags->store);
  app->add_option("--run", flags->runs, "run ids (default: every run of the store)")->type_name("ID...");
  add_judge_flags(*app, flags->judges);
  app->add_option("--only", flags->only,
                  "judge by these alone: comparison with equals, limits files, the model's coefficients")
      ->delimiter(',')
      ->check(CLI::IsMember(std::vector<std::string>(parts_of_only.begin(), parts_of_only.end())))
      ->type_name("PART,...");
  add_verdict_options(*app, flags->output);
  return {app, [flags] { return accept(*flags); }};
}

}  // namespace assay::cli
