// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/version.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "harness/front/cli/signing/bundle_signature.hpp"
#include "results/bundle/judgement.hpp"

namespace assay::cli {
namespace {

struct ReplayFlags {
  std::string bundle, signers;
  std::optional<std::string> seal;
  std::vector<std::string> limits;
  VerdictOutput output;
};

constexpr std::size_t seal_digits = 64;

results::Bundle opened(const ReplayFlags& flags) {
  if (flags.seal && (flags.seal->size() != seal_digits ||
                     flags.seal->find_first_not_of("0123456789abcdef") != std::string::npos))
    core::usage_error(
        fmt::format("--seal '{}': expected the 64 hex digits that assay bundle printed", *flags.seal));
  results::Bundle bundle = results::read_bundle(flags.bundle);
  if (flags.seal && *flags.seal != bundle.seal)
    throw std::runtime_error(
        fmt::format("{}: its seal is {}, expected {}: another bundle, or one that was rebuilt", flags.bundle,
                    bundle.seal, *flags.seal));
  return bundle;
}

struct Replayed {
  results::Judgement judgement;
  std::string last_lines = {};  // of its text
};

/// The program that made the bundle would have said what this one says: what the bundle holds was changed by
/// someone who rebuilt its chain.
void doubt_the_bundle(const results::BundledEvidence& evidence, Replayed& replayed) {
  const std::string because = fmt::format(
      "this is the program that made the bundle, {} ({}), and it judges what the bundle holds otherwise than "
      "the "
      "bundle says: its records, limits or verdicts were exchanged and its chain rebuilt",
      evidence.assay_version, evidence.source_revision);
  results::Verdicts doubt{.command = "replay"};
  doubt.rows.push_back({.kind = "bundle",
                        .metric = "verdicts.json",
                        .verdict = results::Verdict::inconclusive,
                        .because = because,
                        .meaning = "what is judged here is not what was judged then",
                        .action = results::Action::retest});
  results::settle(doubt);
  results::Verdicts& whole = replayed.judgement.verdicts;
  results::append(whole, std::move(doubt));
  replayed.last_lines += fmt::format("bundle: {}\nreplay: {}\n", because, to_string(whole.verdict));
}

/// `again` is what this program says of the bundle as it is, `replayed` what it says under the limits asked
/// for.
void compare_with_then(const results::BundledEvidence& evidence, const results::Judgement& again,
                       Replayed& replayed) {
  if (evidence.text == again.text && evidence.verdicts == again.json()) return;
  if (evidence.assay_version == core::version() && evidence.source_revision == core::source_revision())
    return doubt_the_bundle(evidence, replayed);
  const std::string note =
      fmt::format("this program, {} ({}), does not say what the one that made the bundle said, {} ({})",
                  core::version(), core::source_revision(), evidence.assay_version, evidence.source_revision);
  std::cerr << note << "\n";
  replayed.judgement.verdicts.notes.push_back(note);
}

void note(const std::string& text, Replayed& replayed) {
  replayed.judgement.verdicts.notes.push_back(text);
  replayed.last_lines += text + "\n";
}

/// Notes who signed the bundle, or that nothing says whether it is the original. A replay under a seal alone
/// is the same to the byte, without a note.
void note_origin(const ReplayFlags& flags, const std::string& signer, Replayed& replayed) {
  if (!signer.empty()) return note("signed by " + signer, replayed);
  if (flags.seal) return;
  note("no seal was given (--seal): whether this is the original bundle or one that was rebuilt is unknown",
       replayed);
}

Replayed judged_again(const ReplayFlags& flags, const results::BundledEvidence& evidence,
                      const std::string& signer) {
  const results::Judgement again = results::judge(evidence, models_for_judges());
  Replayed replayed{again};
  if (!flags.limits.empty()) {
    results::BundledEvidence under_others = evidence;
    std::vector<results::Member>& limits = under_others.files["limits"];
    limits.clear();
    for (const std::string& file : flags.limits) limits.push_back(results::member_from("limits", file));
    replayed.judgement = results::judge(under_others, models_for_judges());
  }
  compare_with_then(evidence, again, replayed);
  note_origin(flags, signer, replayed);
  return replayed;
}

results::TestedSystem system_in(const results::BundledEvidence& evidence, const results::Verdicts& verdicts) {
  results::Store store("");
  store.import_lines("records.jsonl", evidence.records.source());
  return system_of(verdicts, {&store});
}

int replay(const ReplayFlags& flags) {
  return answers::or_bad_input([&] {
    const results::Bundle bundle = opened(flags);
    const std::string signer =
        flags.signers.empty() ? "" : signer_of(flags.bundle, bundle.seal, flags.signers);
    const auto [judgement, last_lines] = judged_again(flags, bundle.evidence, signer);
    if (is_text(flags.output.format)) {
      judgement.text.write_to(print_piece);
      std::cout << last_lines;
    }
    const results::Verdicts& verdicts = judgement.verdicts;
    std::vector<results::LongTable> tables;
    if (flags.output.format == "markdown")
      tables.push_back(results::long_table_of(verdicts, results::TableOf::all));
    return print_verdicts(verdicts, tables, flags.output,
                          [&] { return system_in(bundle.evidence, verdicts); });
  });
}

}  // namespace

Command replay_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReplayFlags>();
  CLI::App* app =
      parent.add_subcommand("replay", "Judge a bundle again, under its own limits or under others");
  app->add_option("bundle", flags->bundle, "a file that assay bundle wrote")->required()->type_name("BUNDLE");
  add_file(*app, "--limits", flags->limits, "limits instead of the bundle's; may be repeated")
      ->allow_extra_args(false);
  app->add_option("--seal", flags->seal, "what assay bundle printed; another bundle is refused")
      ->type_name("HEX");
  add_file(*app, "--signers", flags->signers,
           "allowed signers (ssh-keygen(1)), one of whom must have signed BUNDLE in BUNDLE.sig");
  add_verdict_options(*app, flags->output);
  return {app, [flags] { return replay(*flags); }};
}

}  // namespace assay::cli
