// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/or_bad_input.hpp"
#include "harness/cli/verdict_output.hpp"
#include "harness/core/version.hpp"
#include "results/bundle/judgement.hpp"

namespace assay::cli {
namespace {

struct ReplayFlags {
  std::string bundle, seal;
  std::vector<std::string> limits;
  VerdictOutput output;
};

results::Bundle opened(const ReplayFlags& flags) {
  results::Bundle bundle = results::read_bundle(flags.bundle);
  if (!flags.seal.empty() && flags.seal != bundle.seal)
    throw std::runtime_error(
        fmt::format("{}: its seal is {}, expected {}: another bundle, or one that was made anew",
                    flags.bundle, bundle.seal, flags.seal));
  return bundle;
}

/// On standard error: what is replayed is on standard output, to the byte.
void tell_of_program(const results::Evidence& evidence, const results::Judgement& judgement) {
  if (evidence.text == judgement.text && evidence.verdicts == results::to_json(judgement.verdicts)) return;
  std::cerr << fmt::format(
      "this program, {} ({}), does not say what the one that made the bundle said, {} ({})\n",
      core::version(), core::source_revision(), evidence.assay_version, evidence.source_revision);
}

int replay(const ReplayFlags& flags) {
  return or_bad_input([&] {
    results::Evidence evidence = opened(flags).evidence;
    if (!flags.limits.empty()) {
      evidence.limits.clear();
      for (const std::string& file : flags.limits)
        evidence.limits.push_back(results::member_from("limits", file));
    }
    const results::Judgement judgement = results::judge(evidence);
    if (flags.limits.empty()) tell_of_program(evidence, judgement);
    if (flags.output.format == "text") std::cout << judgement.text;
    std::vector<results::Table> tables;
    if (flags.output.format == "markdown") tables.push_back(results::to_table(judgement.verdicts));
    return tell(judgement.verdicts, tables, flags.output);
  });
}

}  // namespace

Command replay_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReplayFlags>();
  CLI::App* app =
      parent.add_subcommand("replay", "Judge a bundle again, under its own limits or under others");
  app->add_option("bundle", flags->bundle, "a file that assay bundle wrote")->required()->type_name("BUNDLE");
  app->add_option("--limits", flags->limits, "limits in the place of the bundle's; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app->add_option("--seal", flags->seal, "what assay bundle printed; another bundle is refused")
      ->type_name("HEX");
  add_verdict_options(*app, flags->output);
  return {app, [flags] { return replay(*flags); }};
}

}  // namespace assay::cli
