// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/cli/render_table.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "results/judge/run_comparison.hpp"

namespace assay::cli {
namespace {

struct CompareFlags {
  results::ComparisonRequest request;
  std::string margin = "3%", store, store_of_b, format = "text";
};

/// "3%" or "0.03".
double margin_from(const std::string& text) {
  std::size_t read = 0;
  double value = 0;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    read = 0;
  }
  const bool percent = read > 0 && text.substr(read) == "%";
  if (percent) value /= 100;
  if (read == 0 || (!percent && read != text.size()) || !(value > 0 && value <= 1))
    core::usage_error(fmt::format("--margin {}: expected a share above 0 and up to 1, as 3% or 0.03", text));
  return value;
}

int exit_code_of(const results::RunComparison& comparison) {
  if (comparison.count(core::Equivalence::higher) > 0) return core::exit_code::fail;
  if (comparison.count(core::Equivalence::not_enough_data) > 0) return core::exit_code::inconclusive;
  return core::exit_code::pass;
}

int compare(const CompareFlags& flags) {
  results::ComparisonRequest request = flags.request;
  request.margin = margin_from(flags.margin);
  const results::Store of_a = open_existing_store(flags.store);
  const results::Store of_b = open_existing_store(flags.store_of_b.empty() ? flags.store : flags.store_of_b);
  const results::RunComparison comparison = results::compare_runs(of_a, of_b, request);
  std::cout << render_table(results::to_table(comparison), flags.format);
  return exit_code_of(comparison);
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
  add_format_option(*app, flags->format);
  app->footer(
      "Equal is what is shown to be equal, by two one-sided tests at 5 % over repetitions of each point "
      "(plan:\n"
      "repetitions = 10), and never what no difference was found in. Exit codes: 0 every point equivalent "
      "or\n"
      "better, 1 one is worse, 3 of one too little is known.");
  return {app, [flags] { return compare(*flags); }};
}

}  // namespace assay::cli
