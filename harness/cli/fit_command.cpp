// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/core/calendar.hpp"
#include "harness/core/exit_code.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/fit/evaluate.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;

struct FitFlags {
  std::string csv, output, coefficients;
  std::uint64_t seed = 1;
  int keep_out_percent = 0;
  int multiprocessors = 132;
};

/// Which rows are kept out does not depend on which are held out to judge the fit.
template <class Row>
fit::Timings<Row> without_kept_out(fit::Timings<Row> timings, const FitFlags& flags) {
  std::erase_if(timings.rows, [&](const Row& row) {
    return fit::split_bucket(flags.seed, "keep out," + row.key()) < flags.keep_out_percent;
  });
  return timings;
}

template <class Row>
fit::Provenance provenance(const fit::Timings<Row>& timings, const FitFlags& flags) {
  return fit::provenance_of(timings.table, timings.machine, timings.rows.size(), flags.seed,
                            core::iso_time_now());
}

void tell(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) std::cerr << fmt::format("warning: {}\n", warning);
}

void tell_held_out(const std::string& title, const fit::Errors& errors, const std::string& size_unit) {
  if (errors.empty()) return;
  std::cout << fmt::format("{:<24} {:>7} {:>8} {:>8} {:>8}\n", title, "rows", "MAPE %", "p90 %", "bias %")
            << fit::text_of(errors, size_unit);
}

void tell_model(const std::string& group, const fit::GemmModel& model) {
  std::cout << fmt::format("{}, formula: {}\n", group, fit::to_string(model.formula));
  for (const fit::Coefficient& coefficient : model.coefficients)
    std::cout << fmt::format("  {:<18} {:>12.5g}  95 % interval {:.5g} to {:.5g}\n", coefficient.name,
                             coefficient.value, coefficient.lower, coefficient.upper);
}

int fit_gemm(const FitFlags& flags) {
  const auto timings = without_kept_out(fit::read_gemm_timings(flags.csv), flags);
  const auto fits = fit::fit_gemm(
      timings, {.seed = flags.seed, .multiprocessors = double(flags.multiprocessors), .trees = {}});
  fit::write_gemm_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows), fits);
  tell(fit::warnings_of(fits));
  for (const auto& [group, result] : fits) {
    tell_model(group, result.model);
    tell_held_out("held-out shapes", result.held_out.rows, "FLOP");
    tell_held_out("held-out (n, k) pairs", result.held_out.pairs, "FLOP");
  }
  return core::exit_code::pass;
}

int fit_collectives(const FitFlags& flags) {
  const auto timings = without_kept_out(fit::read_collective_timings(flags.csv), flags);
  const fit::CollectiveFit result = fit::fit_collectives(timings, flags.seed);
  fit::write_collective_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows),
                            result);
  tell(fit::warnings_of(result.models));
  tell_held_out("held-out sizes", result.held_out, "bytes");
  tell_held_out("segments alone", result.held_out_segments, "bytes");
  return core::exit_code::pass;
}

int evaluate(const FitFlags& flags) {
  std::cout << fit::text_of(fit::evaluate(flags.coefficients, flags.csv));
  return core::exit_code::pass;
}

void add_csv_option(CLI::App& app, FitFlags& flags) {
  app.add_option("--csv", flags.csv, "timings, one a line (columns: docs/fitting.md)")
      ->required()
      ->type_name("FILE");
}

CLI::App* fit_subcommand(CLI::App& parent, const char* name, const char* what, FitFlags& flags) {
  CLI::App* app = parent.add_subcommand(name, what);
  add_csv_option(*app, flags);
  app->add_option("-o,--output", flags.output, "write the coefficients to this file")
      ->required()
      ->type_name("FILE");
  app->add_option("--seed", flags.seed, "of the splits and of the bootstrap")->capture_default_str();
  app->add_option("--keep-out", flags.keep_out_percent,
                  "percent of the rows, by hash, that the fit never sees: for evaluate")
      ->capture_default_str()
      ->check(CLI::Range(0, 90));
  return app;
}

}  // namespace

Command fit_command(CLI::App& parent) {
  const auto flags = std::make_shared<FitFlags>();
  CLI::App* app = parent.add_subcommand(
      "fit", "Coefficients of a machine from timings, and how far they are off on timings not seen");
  app->require_subcommand(1);
  CLI::App* gemm = fit_subcommand(*app, "gemm", "GEMM time against m, n, k, dtype and layout", *flags);
  gemm->add_option("--multiprocessors", flags->multiprocessors, "of the GPU; 132 on an H100 SXM, 114 on PCIe")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000));
  const CLI::App* collectives = fit_subcommand(
      *app, "collectives", "time of collectives against size, for each operation, ranks and dtype", *flags);
  CLI::App* judged = app->add_subcommand("evaluate", "MAPE, p90 and bias on rows that the fit has not seen");
  judged->add_option("coefficients", flags->coefficients, "a file that assay fit wrote")
      ->required()
      ->type_name("COEFFICIENTS");
  add_csv_option(*judged, *flags);
  return {app, [flags, gemm, collectives] {
            if (gemm->parsed()) return fit_gemm(*flags);
            return collectives->parsed() ? fit_collectives(*flags) : evaluate(*flags);
          }};
}

}  // namespace assay::cli
