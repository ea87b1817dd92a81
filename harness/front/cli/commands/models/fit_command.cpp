// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fit_kinds.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/fit_source_flags.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"
#include "harness/front/cli/tasks/write_fit_all.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/evaluate.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;
using fit::CoefficientsKind;

struct FitFlags : answers::FitChoices {
  answers::FitSource source;
  std::string output, coefficients, predictions, coefficients_dtype;
};

int fit_one(CoefficientsKind kind, const FitFlags& flags) {
  const answers::FittedKind fitted = answers::fit_kind(kind, answers::fit_rows(flags.source, kind), flags);
  fit::write_coefficients(flags.output, fitted.section);
  print_warnings(fitted.warnings);
  std::cout << fitted.text;
  return core::exit_code::pass;
}

/// Evaluates every section that the runs have rows for.
int evaluate_sections(const FitFlags& flags, const std::vector<std::string>& sections) {
  if (!flags.source.csv.empty() || !flags.predictions.empty())
    core::usage_error(fmt::format("{}: --csv and --predictions are of one kind: expected {}",
                                  flags.coefficients, fmt::join(sections, " or ")));
  answers::for_each_section(
      flags.coefficients, flags.source,
      [&](const std::string& section, CoefficientsKind kind, const fit::CsvSource& rows) {
        std::cout << fit::to_string(kind) << ": "
                  << fit::text_of(fit::evaluate(section, rows, flags.coefficients_dtype));
      });
  return core::exit_code::pass;
}

int evaluate(const FitFlags& flags) {
  const std::vector<std::string> sections = fit::sections_of_coefficients(flags.coefficients);
  if (sections.size() > 1) return evaluate_sections(flags, sections);
  const fit::Evaluation evaluation = fit::evaluate(
      sections.front(), answers::fit_rows(flags.source, fit::kind_of_coefficients(sections.front())),
      flags.coefficients_dtype);
  if (!flags.predictions.empty()) core::write_whole_file(flags.predictions, fit::csv_of(evaluation));
  std::cout << fit::text_of(evaluation);
  return core::exit_code::pass;
}

CLI::App* fit_subcommand(CLI::App& parent, const char* name, const char* what, FitFlags& flags) {
  CLI::App* app = parent.add_subcommand(name, what);
  add_fit_source_options(*app, flags.source);
  add_file(*app, "-o,--output", flags.output, "file of coefficients to write")->required();
  app->add_option("--seed", flags.seed, "of splits and bootstrap")->capture_default_str();
  app->add_option("--keep-out", flags.keep_out_percent,
                  "percent of the rows (at most 90), by hash, kept for evaluate")
      ->capture_default_str()
      ->check(CLI::Range(0, 90).description(""));
  return app;
}

void add_multiprocessors(CLI::App& app, FitFlags& flags) {
  app.add_option("--multiprocessors", flags.multiprocessors,
                 "of the GPU (default: what the rows say, else 132 as an H100 SXM has)")
      ->check(CLI::Range(1, 100000).description(""));
}

CLI::App* evaluate_subcommand(CLI::App& parent, FitFlags& flags) {
  CLI::App* app = parent.add_subcommand("evaluate", "MAPE, p90 and bias on rows that a fit has not seen");
  add_file(*app, "coefficients", flags.coefficients, "file of assay fit", "COEFFICIENTS")->required();
  add_fit_source_options(*app, flags.source);
  add_file(*app, "--predictions", flags.predictions, "CSV file of each row, measured and predicted");
  app->add_option("--coefficients-dtype", flags.coefficients_dtype,
                  "use the coefficients of this dtype for every row")
      ->type_name("DTYPE");
  return app;
}

}  // namespace

Command fit_command(CLI::App& parent) {
  const auto flags = std::make_shared<FitFlags>();
  CLI::App* app = parent.add_subcommand(
      "fit", "Fit coefficients of a machine to timings, with their error on unseen timings");
  app->require_subcommand(1);
  app->footer("Every kind takes the options of gemm; --multiprocessors is for gemm and all.");
  using Run = std::function<int(const FitFlags&)>;
  std::vector<std::pair<const CLI::App*, Run>> parts;
  const auto add = [&](const char* name, const char* what, Run run) {
    CLI::App* part = fit_subcommand(*app, name, what, *flags);
    parts.emplace_back(part, std::move(run));
    return part;
  };
  const auto add_kind = [&](CoefficientsKind kind, const char* what) {
    return add(fit::to_string(kind).c_str(), what, [kind](const FitFlags& of) { return fit_one(kind, of); });
  };
  add_multiprocessors(*add_kind(CoefficientsKind::gemm, "GEMM time against m, n, k, dtype and layout"),
                      *flags);
  add_kind(CoefficientsKind::collectives, "time against size, for each operation, ranks and dtype");
  add_kind(CoefficientsKind::memory, "time against bytes moved, for each operation and cache level");
  add_kind(CoefficientsKind::vector, "time of a transformer's vector kernels against bytes of one tensor");
  add_kind(CoefficientsKind::links, "time of copies between host and GPU against size");
  add_kind(CoefficientsKind::loggp, "LogGP of messages over verbs: L, o, g and G");
  add_kind(CoefficientsKind::interference, "share of a processor lost to concurrent work");
  add_kind(CoefficientsKind::overlap, "share hidden of what exchanges could hide behind a pass");
  add_multiprocessors(*add("all", "every kind that the runs have, and the system they describe, in one file",
                           [](const FitFlags& of) { return write_fit_all(of.source, of, of.output); }),
                      *flags);
  parts.emplace_back(evaluate_subcommand(*app, *flags), evaluate);
  return {app, [flags, parts] {
            for (const auto& [part, run] : parts)
              if (part->parsed()) return run(*flags);
            return core::exit_code::usage;
          }};
}

}  // namespace assay::cli
