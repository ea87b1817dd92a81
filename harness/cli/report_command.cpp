// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/fit_source.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/core/exit_code.hpp"
#include "model/fit/evaluate.hpp"
#include "results/report.hpp"

namespace assay::cli {
namespace {

using model::fit::Judged;

struct ReportFlags {
  std::string store, run = "latest", output = "report.html";
  std::vector<std::string> coefficients;
};

constexpr std::size_t rows_at_most = 200;

/// Rows that the fit has not seen, the worst first.
results::Table predictions_of(const ReportFlags& flags, const std::string& coefficients) {
  using Kind = results::Column::Kind;
  const auto kind = model::fit::kind_of_coefficients(coefficients);
  FitSource source;
  source.store = flags.store;
  source.runs = {flags.run};
  model::fit::Evaluation judged = model::fit::evaluate(coefficients, fit_rows(source, kind));
  const model::fit::Accuracy off = judged.all.whole();
  results::Table table{
      .title = fmt::format("Predicted against measured: {}", model::fit::to_string(kind)),
      .notes = {fmt::format(
          "{}, fitted on {}; {} rows that the fit has not seen ({} that it has are left out): "
          "MAPE {:.2f} %, p90 {:.2f} %, bias {:+.2f} %",
          coefficients, judged.fitted_on, off.rows, judged.seen, off.mape_percent, off.p90_percent,
          off.bias_percent)},
      .columns = {{"what", "", Kind::text},
                  {"size", judged.size_unit, Kind::number},
                  {"measured", "us", Kind::number},
                  {"predicted", "us", Kind::number},
                  {"error", "%", Kind::number}}};
  std::ranges::sort(judged.rows, std::greater{},
                    [](const Judged& row) { return std::abs(row.error_percent()); });
  if (judged.rows.size() > rows_at_most) {
    table.notes.push_back(fmt::format("the {} farthest off are shown", rows_at_most));
    judged.rows.resize(rows_at_most);
  }
  for (const Judged& row : judged.rows)
    table.rows.push_back({row.what, results::Number{row.size}, results::Number{row.measured_us},
                          results::Number{row.predicted_us}, results::Number{row.error_percent()}});
  return table;
}

int report(const ReportFlags& flags) {
  const results::Store store = open_existing_store(flags.store);
  std::vector<results::Table> predictions;
  for (const std::string& coefficients : flags.coefficients)
    predictions.push_back(predictions_of(flags, coefficients));
  results::write_report(store, flags.run, flags.output, predictions);
  std::cout << fmt::format("report   {}\n", flags.output);
  return core::exit_code::pass;
}

}  // namespace

Command report_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* app = parent.add_subcommand("report", "One HTML file with everything in it, to read anywhere");
  add_store_option(*app, flags->store);
  app->add_option("--run", flags->run, "run id")->type_name("ID")->capture_default_str();
  app->add_option("-o,--output", flags->output, "the file to write")
      ->type_name("FILE")
      ->capture_default_str();
  app->add_option(
         "--coefficients", flags->coefficients,
         "files that assay fit wrote: the run's timings that they have not seen, predicted and measured")
      ->type_name("FILE...");
  return {app, [flags] { return report(*flags); }};
}

}  // namespace assay::cli
