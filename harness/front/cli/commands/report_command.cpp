// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/answers/fit_source.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/number_range.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/output/reliability_page.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"
#include "harness/front/cli/tasks/report_claims.hpp"
#include "model/fit/coefficients/evaluate.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/series/fleet_store.hpp"
#include "results/judge/verdict/verdicts.hpp"
#include "results/report/fleet.hpp"
#include "results/report/report.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
namespace {

using model::fit::Judged;

struct ReportFlags {
  std::string store, run = "latest", output = "report.html", places, filter, timeline;
  std::vector<std::string> coefficients, verdicts, claims;
  JobOfPage job;
  bool fleet = false;
};

constexpr std::size_t rows_at_most = 200;

/// Rows that the fit has not seen, the worst first.
results::Table predictions_of(const ReportFlags& flags, const std::string& coefficients) {
  using Kind = results::Column::Kind;
  const auto kind = model::fit::kind_of_coefficients(coefficients);
  answers::FitSource source;
  source.store = flags.store;
  source.runs = {flags.run};
  model::fit::Evaluation judged = model::fit::evaluate(coefficients, answers::fit_rows(source, kind));
  const model::fit::Accuracy off = judged.all.whole();
  results::Table table{
      .title = fmt::format("Predicted against measured: {}", model::fit::to_string(kind)),
      .notes = {fmt::format(
          "{}, fitted on {}; {} rows that the fit has not seen ({} that it has are left out): "
          "MAPE {:.2f} %, p90 {:.2f} %, bias {:+.2f} %",
          coefficients, model::fit::machine_and_origin(judged.fitted_on.machine, judged.fitted_on.origin),
          off.rows, judged.seen, off.mape_percent, off.p90_percent, off.bias_percent)},
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

/// Adds predictions of each section with unseen rows in the run; why there is no table of one is a warning.
void add_predictions(const ReportFlags& flags, const std::string& coefficients,
                     results::ReportContent& content) {
  const std::vector<std::string> sections = model::fit::sections_of_coefficients(coefficients);
  for (const std::string& section : sections) try {
      content.tables.push_back(predictions_of(flags, section));
    } catch (const core::Error& error) {
      if (sections.size() == 1) throw;
      print_warnings({error.what()});
    }
}

std::vector<results::MeasuredFleet> fleets_of(const ReportFlags& flags, const results::Store& store) try {
  const auto places = flags.places.empty() ? results::FleetPlaces{} : results::read_places(flags.places);
  return results::read_fleet(store, flags.filter, places);
} catch (const std::runtime_error& error) {
  core::usage_error(error.what());
}

results::Timeline timeline_in(const std::string& file) {
  results::Timeline timeline;
  try {
    timeline = results::read_timeline(file);
  } catch (const std::system_error& error) {
    core::usage_error(error.what());
  }
  if (timeline.entries.empty())
    core::usage_error(file + ": no entry of a timeline; expected what a burn-in left (timeline.jsonl)");
  return timeline;
}

std::vector<results::Verdicts> verdicts_in(const ReportFlags& flags, const results::Store& store) {
  if (flags.verdicts.empty()) return {};
  const std::string reported = flags.fleet ? "" : results::find_run(store, flags.run).run_id;
  std::vector<results::Verdicts> verdicts;
  for (const std::string& file : flags.verdicts) {
    verdicts.push_back(results::read_verdicts(file));
    if (const std::string why = results::why_not_of(store, reported, verdicts.back()); !why.empty())
      core::usage_error(fmt::format("{}: {}", file, why));
  }
  return verdicts;
}

std::string run_report(const ReportFlags& flags, const results::RunPoints& run,
                       results::ReportContent content) {
  if (results::Table claims = claims_of_run(run, flags.claims); !claims.rows.empty())
    content.tables.push_back(std::move(claims));
  return results::report_html(run, content);
}

int report(const ReportFlags& flags) {
  if (flags.fleet && !flags.coefficients.empty())
    core::usage_error("--coefficients compares one run with its predictions: expected no --fleet");
  if (flags.fleet && !flags.claims.empty())
    core::usage_error("--claims are tested for the report of one run: expected no --fleet");
  const results::Store store = open_store_to_judge(flags.store);
  results::ReportContent content;
  content.verdicts = verdicts_in(flags, store);
  for (const std::string& coefficients : flags.coefficients) add_predictions(flags, coefficients, content);
  if (!flags.job.rates.empty())
    content.reliability = predicted_reliability(flags.job, results::RunPoints(store, flags.run));
  if (!flags.timeline.empty()) content.timeline = timeline_in(flags.timeline);
  core::write_whole_file(
      flags.output,
      flags.fleet ? results::fleet_report_html(results::occasion_of(store), fleets_of(flags, store), content)
                  : run_report(flags, results::RunPoints(store, flags.run), std::move(content)));
  std::cout << fmt::format("report   {}\n", flags.output);
  return core::exit_code::pass;
}

void add_job(CLI::App& app, JobOfPage& job, CLI::Option* fleet) {
  CLI::Option* const rates = add_file(app, "--rates", job.rates,
                                      "of failures (TOML): what they would cost a job (docs/reliability.md)")
                                 ->excludes(fleet);
  CLI::Option* const gpus = app.add_option("--gpus", job.gpus, "of that job")
                                ->check(number_between(1.0, 1e9))
                                ->type_name("N")
                                ->needs(rates);
  rates->needs(gpus);
  app.add_option("--state", job.state, "that a GPU saves: costs of checkpoints as the run measured them")
      ->type_name("BYTES")
      ->needs(rates);
}

}  // namespace

Command report_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* app = parent.add_subcommand("report", "Write one self-contained HTML file");
  add_store_option(*app, flags->store);
  CLI::Option* const run =
      app->add_option("--run", flags->run, "run id")->type_name("ID")->capture_default_str();
  add_file(*app, "-o,--output", flags->output, "file to write")->capture_default_str();
  add_file(*app, "--verdicts", flags->verdicts,
           "verdicts (JSON) of accept, compare, check or burn-in for the top; without them: NOT JUDGED",
           "FILE...");
  add_file(*app, "--timeline", flags->timeline, "timeline.jsonl of a burn-in, drawn over its time");
  CLI::Option* const fleet = app->add_flag("--fleet", flags->fleet,
                                           "all runs of the store: spread over units, and the worst of them")
                                 ->excludes(run);
  add_file(*app, "--places", flags->places, "with --fleet: places of hosts (CSV: host,rack,switch ...)")
      ->needs(fleet);
  app->add_option("--filter", flags->filter, "with --fleet: only cases, or case/point, that match")
      ->type_name("GLOB")
      ->needs(fleet);
  app->add_option(
         "--claims", flags->claims,
         "also published claims that need no hardware, as assay claims tests them; all: half a minute")
      ->type_name("ID...");
  add_file(*app, "--coefficients", flags->coefficients,
           "files of assay fit: compare the run's timings that they have not seen", "FILE...");
  add_job(*app, flags->job, fleet);
  return {app, [flags] { return report(*flags); }};
}

}  // namespace assay::cli
