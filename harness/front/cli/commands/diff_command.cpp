// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/or_bad_input.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/models/models.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/front/cli/output/verdict_output.hpp"
#include "results/bundle/judgement.hpp"

namespace assay::cli {
namespace {

struct DiffFlags {
  std::string a, b, format = "text";
};

int diff(const DiffFlags& flags) {
  return answers::or_bad_input([&] {
    const results::BundleDiff found = results::diff_bundles(
        results::read_bundle(flags.a).evidence, results::read_bundle(flags.b).evidence, models_for_judges());
    render_table(results::to_table(found), flags.format, print_piece);
    return found.changes.empty() ? core::exit_code::pass : core::exit_code::fail;
  });
}

}  // namespace

Command diff_command(CLI::App& parent) {
  const auto flags = std::make_shared<DiffFlags>();
  CLI::App* app = parent.add_subcommand(
      "diff", "Which verdicts changed from one bundle to another, and whether data, limit or code did it");
  app->add_option("a", flags->a, "the earlier bundle")->required()->type_name("A");
  app->add_option("b", flags->b, "the bundle that is compared with it")->required()->type_name("B");
  add_format_option(*app, flags->format);
  app->footer("Exit codes: 0 no verdict changed, 1 one did, 2 a bundle was altered or cannot be read.");
  return {app, [flags] { return diff(*flags); }};
}

}  // namespace assay::cli
