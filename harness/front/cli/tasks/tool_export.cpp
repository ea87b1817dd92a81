// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/tool_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <limits>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/front/answers/fit_source.hpp"
#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {
namespace {

using Kind = model::fit::CoefficientsKind;
using model::exporters::Exported;
using model::exporters::ExportedFile;
using model::exporters::Exporter;
using model::exporters::exporters;
using model::exporters::ExportRequest;
using model::exporters::OwnOption;

constexpr std::array<const char*, 3> timings_options{"--csv", "--collectives", "--memory"};

/// The CSV of the flags, or what the file of coefficients keeps; without any of them, what the run holds.
ExportRequest request_of(const Exporter& exporter, const ToolFlags& flags, const std::string& store,
                         const std::string& run) {
  const bool of_run = flags.gemm_csv.empty() && flags.collectives_csv.empty() && flags.memory_csv.empty();
  const auto source = [&](const char* option, const std::string& csv,
                          Kind kind) -> std::optional<model::fit::CsvSource> {
    if (!csv.empty()) return model::fit::CsvSource(csv);
    if (!exporter.takes(option)) return std::nullopt;
    if (!flags.request.coefficients.empty())
      return exporter.takes_system ? std::nullopt
                                   : model::fit::timings_in(flags.request.coefficients.front(), kind);
    return of_run ? answers::rows_if_any(store, run, kind, flags.filter) : std::nullopt;
  };
  ExportRequest request = flags.request;
  request.gemm = source("--csv", flags.gemm_csv, Kind::gemm);
  request.collectives = source("--collectives", flags.collectives_csv, Kind::collectives);
  request.memory = source("--memory", flags.memory_csv, Kind::memory);
  return request;
}

/// Prints how good a file is: the tool's format has no place for it.
void print_error(const std::string& what, const model::fit::Errors& held_out) {
  if (held_out.empty()) {
    std::cerr << fmt::format("{}: too few rows to hold some out: the error is not known\n", what);
    return;
  }
  const model::fit::Accuracy off = held_out.whole();
  std::cerr << fmt::format("{}: held out {} rows: MAPE {:.2f} %, p90 {:.2f} %, bias {:+.2f} %\n", what,
                           off.rows, off.mape_percent, off.p90_percent, off.bias_percent);
}

void print_fit(const std::string& what, const model::exporters::FittedFormula& fitted) {
  for (const model::fit::Coefficient& coefficient : fitted.coefficients)
    std::cerr << fmt::format("{}: {} {:.5g}, 95 % interval {:.5g} to {:.5g}{}\n", what, coefficient.name,
                             coefficient.value, coefficient.lower, coefficient.upper,
                             coefficient.supported ? "" : " (warning: the rows do not determine it)");
  print_error(what, fitted.held_out);
}

bool reads_timings(const Exporter& exporter) {
  return std::ranges::any_of(timings_options, [&](const char* option) { return exporter.takes(option); });
}

std::vector<std::string_view> names_of_those_with(const std::string& option) {
  std::vector<std::string_view> names;
  for (const Exporter& exporter : exporters())
    if (exporter.takes(option)) names.push_back(exporter.name);
  return names;
}

CLI::Range whole_from(std::int64_t least, const char* called) {
  return {least, std::numeric_limits<std::int64_t>::max(), called};
}

void add_own_option(CLI::App& app, const OwnOption& option, const std::string& about, ToolFlags& flags) {
  std::string& value = flags.request.own[std::string(option.flag)];
  value = option.otherwise;
  CLI::Option* added = app.add_option(std::string(option.flag), value, about)->capture_default_str();
  switch (option.kind) {
    case OwnOption::Kind::word:
      if (!option.words.empty()) added->check(CLI::IsMember(option.words));
      break;
    case OwnOption::Kind::from_zero:
      added->type_name("INT")->check(whole_from(0, "NONNEGATIVE"));
      break;
    case OwnOption::Kind::from_one:
      added->type_name("INT")->check(whole_from(1, "POSITIVE"));
      break;
  }
}

}  // namespace

std::string about_tools() {
  std::string text;
  for (const Exporter& exporter : exporters())
    text += exporter.name.size() <= 12 ? fmt::format("  {:<12} {}\n", exporter.name, exporter.about)
                                       : fmt::format("  {}\n{:15}{}\n", exporter.name, "", exporter.about);
  return text;
}

void refuse_two_sources(const std::string& form, const ExportRequest& request, bool of_run) {
  const bool of_coefficients = !request.coefficients.empty();
  for (const char* option : timings_options)
    if (request.given.contains(option) && (of_run || of_coefficients))
      core::usage_error(fmt::format(
          "{} excludes RUN, --store, --filter and --coefficients (see assay export --help)", option));
  if (!of_coefficients) return;
  if (of_run)
    core::usage_error("--coefficients excludes RUN, --store and --filter (see assay export --help)");
  if (request.coefficients.size() > 1 && reads_timings(*model::exporters::exporter_named(form)))
    core::usage_error(fmt::format("export {}: expected one --coefficients FILE", form));
}

void refuse_unused(const std::string& form, const std::set<std::string>& given, bool of_run) {
  const Exporter* exporter = model::exporters::exporter_named(form);
  for (const std::string& option : given)
    if (exporter == nullptr || !exporter->takes(option))
      core::usage_error(fmt::format("export {}: {} is not for this form (it is for {})", form, option,
                                    fmt::join(names_of_those_with(option), ", ")));
  if (of_run && exporter != nullptr && !reads_timings(*exporter))
    core::usage_error(fmt::format("export {}: RUN, --store and --filter are not for this form", form));
}

std::vector<ExportedFile> tool_files(const std::string& form, const ToolFlags& flags,
                                     const std::string& store, const std::string& run) {
  const Exporter& exporter = *model::exporters::exporter_named(form);
  if (!exporter.base.empty() && flags.request.base.empty() && flags.request.coefficients.empty())
    core::usage_error(fmt::format("export {}: expected --base {}", form, exporter.base));
  const Exported made = model::exporters::exported(exporter, request_of(exporter, flags, store, run));
  for (const auto& [what, fitted] : made.fits) print_fit(what, fitted);
  for (const std::string& note : made.notes) std::cerr << fmt::format("note: {}\n", note);
  return made.files;
}

void add_tool_options(CLI::App& app, ToolFlags& flags) {
  add_file(app, "--csv", flags.gemm_csv, "GEMM timings, as assay fit reads them");
  add_file(app, "--collectives", flags.collectives_csv, "timings of collectives, as assay fit reads them");
  add_file(app, "--memory", flags.memory_csv, "timings of a memory, as assay fit reads them");
  add_file(app, "--coefficients", flags.request.coefficients,
           "a file of assay calibrate or assay fit, instead of a run");
  app.add_option("--gemm", flags.request.gemm_group,
                 "only GEMMs of this dtype and layout, e.g. \"bf16/cuda TN\"");
  add_file(app, "--base", flags.request.base, "a file of the tool, the source of what was not measured");
  app.add_option("--ranks", flags.request.ranks, "only collectives of this number of ranks")
      ->check(CLI::PositiveNumber);
  app.add_option("--nodes", flags.request.nodes, "only collectives on this number of nodes")
      ->check(CLI::PositiveNumber);
  app.add_option("--dtype", flags.request.dtype, "only collectives of this dtype");
  app.add_option("--algorithm", flags.request.algorithm,
                 "only collectives by this algorithm, as the run names it");
  app.add_option("--least-bytes", flags.request.least_bytes,
                 "only collectives and memory of at least this many bytes")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--operation", flags.request.operation, "only this operation of the memory, e.g. cuda.copy");
  for (const Exporter& exporter : exporters())
    for (const OwnOption& option : exporter.own)
      add_own_option(app, option, fmt::format("{}: {}", exporter.name, option.about), flags);
}

}  // namespace assay::cli
