// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <string>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/version.hpp"
#include "harness/front/answers/margin.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/judge_flags.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "harness/front/cli/signing/bundle_signature.hpp"
#include "results/bundle/judgement.hpp"
#include "results/bundle/stored_lines.hpp"
#include "results/store/remove_run.hpp"

namespace assay::cli {
namespace {

struct BundleFlags {
  std::string output, store, sign, margin = "3%";
  std::vector<std::string> runs, compare, baseline, candidate;
  JudgeFlags judges{.margins = {.margin_flag = "--accept-margin"}};
  bool no_accept = false;
};

results::JudgeOrder order_of_bundle(const BundleFlags& flags) {
  results::JudgeOrder order = order_from(flags.judges);
  order.accept = !flags.no_accept;
  const double margin = answers::margin_from("--margin", flags.margin);
  for (std::size_t i = 0; i + 1 < flags.compare.size(); i += 2)
    order.comparisons.push_back({{flags.compare[i]}, {flags.compare[i + 1]}, margin, order.filter});
  if (flags.baseline.empty() != flags.candidate.empty())
    core::usage_error("--baseline and --candidate: expected both or neither");
  if (!flags.baseline.empty())
    order.comparisons.push_back({flags.baseline, flags.candidate, margin, order.filter});
  return order;
}

/// A bundle is handed to others.
void refuse_secrets(const results::Store& store, const std::vector<std::string>& runs) {
  const std::vector<std::string> secrets = results::secrets_of_runs(store, runs);
  if (secrets.empty()) return;
  for (const std::string& secret : secrets) std::cerr << secret << " looks like a secret\n";
  throw std::runtime_error(fmt::format(
      "{}: not bundled: its records hold {} secrets: replace these, and import the journals into a new "
      "store, which leaves them out",
      store.path().string(), secrets.size()));
}

results::BundledEvidence evidence_from(const BundleFlags& flags) {
  results::BundledEvidence evidence;
  evidence.assay_version = core::version();
  evidence.source_revision = core::source_revision();
  evidence.order = order_of_bundle(flags);
  const results::Store store = open_store_to_judge(flags.store);
  refuse_secrets(store, flags.runs);
  evidence.records = results::lines_of_runs(store, flags.runs);
  evidence.damage = results::damage_of_runs(store, flags.runs);
  for (const auto& [input, files] : flags.judges.files)
    for (const std::string& file : files) evidence.files[input].push_back(results::member_from(input, file));
  if (evidence.records.empty() && !evidence.files.contains("checks"))
    throw std::runtime_error("nothing to bundle: the store holds no run, and no check was given");
  return evidence;
}

/// Writes the bundle, and its signature where a key was given; nothing where it cannot be signed. Returns the
/// seal.
std::string write_bundle(const BundleFlags& flags, const results::BundledEvidence& evidence) {
  std::string seal, signature;
  core::write_whole_file(flags.output, [&](const core::ByteSink& sink) {
    seal = results::pack(evidence, sink);
    if (!flags.sign.empty()) signature = signature_of(seal, flags.sign);
  });
  if (!flags.sign.empty()) core::write_whole_file(signature_file_of(flags.output), signature);
  return seal;
}

int bundle(const BundleFlags& flags) {
  return answers::or_bad_input([&] {
    results::BundledEvidence evidence = evidence_from(flags);
    const results::Judgement judgement = results::judge(evidence, models_for_judges());
    evidence.verdicts = judgement.json();
    evidence.text = judgement.text;
    const std::string seal = write_bundle(flags, evidence);
    judgement.text.write_to(print_piece);
    std::cout << fmt::format("bundle   {}\nseal     {}\n", flags.output, seal);
    if (!flags.sign.empty()) std::cout << fmt::format("signed   {}\n", signature_file_of(flags.output));
    return results::exit_code_of(judgement.verdicts.verdict);
  });
}

void add_flags(CLI::App& app, BundleFlags& flags) {
  add_file(app, "-o,--output", flags.output, "the file to write")->required();
  add_file(app, "--sign", flags.sign,
           "sign the seal with this SSH key (ssh-keygen -Y sign) in OUTPUT.sig; a public key: by the agent",
           "KEY");
  add_store_option(app, flags.store);
  app.add_option("--run", flags.runs, "run ids (default: every run of the store)")->type_name("ID...");
  add_judge_flags(app, flags.judges);
  app.add_option("--compare", flags.compare, "two run ids to compare with each other")
      ->type_name("ID")
      ->expected(2);
  app.add_option("--baseline", flags.baseline, "several runs to compare --candidate with (assay compare)")
      ->type_name("RUN");
  app.add_option("--candidate", flags.candidate, "the runs that are judged by --baseline")->type_name("RUN");
  app.add_option("--margin", flags.margin, "with --compare and --baseline: how far apart is still equal")
      ->type_name("SHARE")
      ->capture_default_str();
  app.add_flag("--no-accept", flags.no_accept, "do not judge the fleet by itself and its limits");
}

}  // namespace

Command bundle_command(CLI::App& parent) {
  const auto flags = std::make_shared<BundleFlags>();
  CLI::App* app = parent.add_subcommand(
      "bundle",
      "Evidence in one file: records, limits, checks, versions and verdicts, closed by a hash chain");
  add_flags(*app, *flags);
  app->footer(
      "The file is a tar archive. What it holds is judged as it is packed; the exit code is that of the "
      "verdict.\nKeep the seal elsewhere: `assay replay --seal` detects a bundle that was rebuilt.");
  return {app, [flags] { return bundle(*flags); }};
}

}  // namespace assay::cli
