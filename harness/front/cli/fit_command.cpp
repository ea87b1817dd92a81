// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/core/whole_file.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/fit_source.hpp"
#include "harness/front/cli/tell_warnings.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/fit/evaluate.hpp"
#include "model/fit/usage_fit.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;
using Kind = fit::CoefficientsKind;

struct FitFlags {
  FitSource source;
  std::string output, coefficients, predictions, coefficients_dtype;
  std::uint64_t seed = 1;
  int keep_out_percent = 0;
  int multiprocessors = 132;
};

template <class Row>
using Reader = fit::Timings<Row> (*)(const fit::CsvSource&);

/// Which rows are kept out does not depend on which are held out to judge the fit.
template <class Row>
fit::Timings<Row> timings_for(const FitFlags& flags, Kind kind, Reader<Row> read) {
  fit::Timings<Row> timings = read(fit_rows(flags.source, kind));
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

void print_held_out(const std::string& title, const fit::Errors& errors, const std::string& size_unit) {
  if (errors.empty()) return;
  std::cout << fmt::format("{:<24} {:>7} {:>8} {:>8} {:>8}\n", title, "rows", "MAPE %", "p90 %", "bias %")
            << fit::text_of(errors, size_unit);
}

std::string text_of(const fit::Coefficient& coefficient) {
  return fmt::format("  {:<18} {:>12.5g}  95 % interval {:.5g} to {:.5g}\n", coefficient.name,
                     coefficient.value, coefficient.lower, coefficient.upper);
}

void print_model(const std::string& group, const fit::GemmModel& model) {
  std::cout << fmt::format("{}, formula: {}\n", group, fit::to_string(model.formula));
  for (const fit::Coefficient& coefficient : model.coefficients) std::cout << text_of(coefficient);
}

int fit_gemm(const FitFlags& flags) {
  const auto timings = timings_for(flags, Kind::gemm, fit::read_gemm_timings);
  const auto fits = fit::fit_gemm(
      timings, {.seed = flags.seed, .multiprocessors = double(flags.multiprocessors), .trees = {}});
  fit::write_gemm_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows), fits);
  print_warnings(fit::warnings_of(fits));
  for (const auto& [group, result] : fits.groups) {
    print_model(group, result.model);
    print_held_out("held-out shapes", result.held_out.rows, "FLOP");
    print_held_out("held-out (n, k) pairs", result.held_out.pairs, "FLOP");
    print_held_out("repeats, off each other", result.held_out.repeats, "FLOP");
  }
  return core::exit_code::pass;
}

int fit_collectives(const FitFlags& flags) {
  const auto timings = timings_for(flags, Kind::collectives, fit::read_collective_timings);
  const fit::CollectiveFit result = fit::fit_collectives(timings, flags.seed);
  fit::write_collective_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows),
                            result);
  print_warnings(fit::warnings_of(result));
  print_held_out("held-out sizes", result.held_out, "bytes");
  print_held_out("held-out ends", result.held_out_ends, "bytes");
  print_held_out("segments alone", result.held_out_segments, "bytes");
  std::cout << fit::text_of(result.rank_laws);
  return core::exit_code::pass;
}

int fit_sizes(const FitFlags& flags, Kind kind) {
  const auto timings = timings_for(flags, kind, fit::read_size_timings);
  const fit::SizeFit result = fit::fit_sizes(timings, flags.seed);
  fit::write_size_fit(flags.output, kind, provenance(timings, flags), fit::SeenRows::of(timings.rows),
                      result);
  print_warnings(fit::warnings_of(result));
  for (const auto& [name, segments] : result.curves) {
    std::cout << name << '\n';
    for (const fit::Segment& segment : segments)
      std::cout << fmt::format("  {:.0f} to {:.0f} bytes\n", segment.from_bytes, segment.to_bytes)
                << text_of(segment.latency) << text_of(segment.bandwidth);
  }
  print_held_out("held-out sizes", result.held_out, "bytes");
  return core::exit_code::pass;
}

int fit_memory(const FitFlags& flags) { return fit_sizes(flags, Kind::memory); }
int fit_links(const FitFlags& flags) { return fit_sizes(flags, Kind::links); }

int fit_loggp(const FitFlags& flags) {
  const auto timings = timings_for(flags, Kind::loggp, fit::read_verbs_timings);
  const fit::LogGpFit result = fit::fit_loggp(timings, flags.seed);
  fit::write_loggp_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows), result);
  print_warnings(fit::warnings_of(result));
  for (const auto& [name, link] : result.links) {
    std::cout << name << '\n';
    for (const fit::Coefficient& coefficient : link.coefficients) std::cout << text_of(coefficient);
    for (const fit::Coefficient& coefficient : {link.overhead, link.latency})
      if (!std::isnan(coefficient.value)) std::cout << text_of(coefficient);
  }
  print_held_out("held-out messages", result.held_out, "bytes");
  return core::exit_code::pass;
}

int fit_interference(const FitFlags& flags) {
  const auto timings = timings_for(flags, Kind::interference, fit::read_slowdowns);
  const auto usages = fit::fit_usage(timings);
  fit::write_usage_fit(flags.output, provenance(timings, flags), fit::SeenRows::of(timings.rows), usages);
  print_warnings(fit::warnings_of(usages));
  for (const auto& [contest, usage] : usages) std::cout << contest << '\n' << text_of(usage);
  return core::exit_code::pass;
}

int evaluate(const FitFlags& flags) {
  const Kind kind = fit::kind_of_coefficients(flags.coefficients);
  const fit::Evaluation evaluation =
      fit::evaluate(flags.coefficients, fit_rows(flags.source, kind), flags.coefficients_dtype);
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
  app->footer("Every kind takes the options of gemm; --multiprocessors is gemm's alone.");
  std::vector<std::pair<const CLI::App*, int (*)(const FitFlags&)>> parts;
  const auto add = [&](const char* name, const char* what, int (*run)(const FitFlags&)) {
    CLI::App* part = fit_subcommand(*app, name, what, *flags);
    parts.emplace_back(part, run);
    return part;
  };
  add("gemm", "GEMM time against m, n, k, dtype and layout", fit_gemm)
      ->add_option("--multiprocessors", flags->multiprocessors, "of the GPU: 132 on an H100 SXM, 114 on PCIe")
      ->capture_default_str()
      ->check(CLI::Range(1, 100000).description(""));
  add("collectives", "time against size, for each operation, ranks and dtype", fit_collectives);
  add("memory", "time against bytes moved, for each operation and cache level", fit_memory);
  add("links", "time of copies between host and GPU against size", fit_links);
  add("loggp", "LogGP of messages over verbs: L, o, g and G", fit_loggp);
  add("interference", "share of a processor lost to concurrent work", fit_interference);
  parts.emplace_back(evaluate_subcommand(*app, *flags), evaluate);
  return {app, [flags, parts] {
            for (const auto& [part, run] : parts)
              if (part->parsed()) return run(*flags);
            return core::exit_code::usage;
          }};
}

}  // namespace assay::cli
