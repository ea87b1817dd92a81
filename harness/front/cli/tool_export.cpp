// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tool_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/fit_source.hpp"
#include "model/calculon/system_export.hpp"

namespace assay::cli {
namespace {

using Kind = model::fit::CoefficientsKind;
using model::exporters::Exported;
using model::exporters::ExportedFile;
using model::exporters::ExportRequest;

constexpr std::array<std::pair<const char*, Exported (*)(const ExportRequest&)>, 5> tools{
    {{"astra-sim", model::exporters::export_astra_sim},
     {"simai", model::exporters::export_simai},
     {"genz", model::exporters::export_genz},
     {"llm-analysis", model::exporters::export_llm_analysis},
     {"aiconfigurator", model::exporters::export_aiconfigurator}}};

/// Options that only some tools have a use for.
const std::map<std::string, std::set<std::string>> tools_of_option = {
    {"--csv", {"calculon", "astra-sim", "genz", "llm-analysis", "aiconfigurator"}},
    {"--base", {"calculon", "genz", "llm-analysis", "aiconfigurator"}},
    {"--memory", {"aiconfigurator"}},
    {"--operation", {"aiconfigurator"}},
    {"--mode", {"calculon"}},
    {"--tier", {"calculon"}},
    {"--smallest", {"calculon"}}};

/// The CSV of the flags; without any of them, what the run holds.
ExportRequest request_of(const ToolFlags& flags, const std::string& store, const std::string& run) {
  const bool of_run = flags.gemm_csv.empty() && flags.collectives_csv.empty() && flags.memory_csv.empty();
  const auto source = [&](const std::string& csv, Kind kind) -> std::optional<model::fit::CsvSource> {
    if (!csv.empty()) return model::fit::CsvSource(csv);
    return of_run ? rows_if_any(store, run, kind) : std::nullopt;
  };
  ExportRequest request = flags.request;
  request.gemm = source(flags.gemm_csv, Kind::gemm);
  request.collectives = source(flags.collectives_csv, Kind::collectives);
  request.memory = source(flags.memory_csv, Kind::memory);
  return request;
}

/// How good a file is goes beside it, as it goes nowhere in the tool's format.
void tell_error(const std::string& what, const model::fit::Errors& held_out) {
  if (held_out.empty()) {
    std::cerr << fmt::format("{}: too few rows to hold some out: the error is not known\n", what);
    return;
  }
  const model::fit::Accuracy off = held_out.whole();
  std::cerr << fmt::format("{}: held out {} rows: MAPE {:.2f} %, p90 {:.2f} %, bias {:+.2f} %\n", what,
                           off.rows, off.mape_percent, off.p90_percent, off.bias_percent);
}

void tell_fit(const std::string& what, const model::exporters::FittedFormula& fitted) {
  for (const model::fit::Coefficient& coefficient : fitted.coefficients)
    std::cerr << fmt::format("{}: {} {:.5g}, 95 % interval {:.5g} to {:.5g}{}\n", what, coefficient.name,
                             coefficient.value, coefficient.lower, coefficient.upper,
                             coefficient.supported ? "" : " (warning: the rows do not determine it)");
  tell_error(what, fitted.held_out);
}

void expect_timings(const ToolFlags& flags, const ExportRequest& request) {
  if (!request.gemm && !request.collectives)
    core::usage_error(
        "export calculon: expected timings of GEMMs (--csv), of collectives (--collectives), or a run with "
        "either");
  const auto expect = [&](bool there, std::initializer_list<const char*> options, const char* timings) {
    for (const char* option : options)
      if (!there && flags.given.contains(option))
        core::usage_error(
            fmt::format("export calculon: {} is of {}, or a run with them: got none", option, timings));
  };
  expect(request.gemm.has_value(), {"--mode", "--smallest"}, "GEMMs (--csv)");
  expect(request.collectives.has_value(), {"--tier", "--ranks", "--dtype", "--algorithm", "--least-bytes"},
         "collectives (--collectives)");
}

std::vector<ExportedFile> calculon_file(const ToolFlags& flags, const ExportRequest& request) {
  expect_timings(flags, request);
  using model::calculon::ProcessingMode;
  const model::calculon::ExportedSystem system = model::calculon::export_system(
      {.csv = request.gemm,
       .base = request.base,
       .mode = flags.mode == "roofline" ? ProcessingMode::roofline : ProcessingMode::no_overlap,
       .network = {.rows = request, .tier = flags.tier},
       .smallest = flags.smallest});
  if (system.gemms) {
    std::cerr << fmt::format("matrix.{}.gflops_efficiency and mem1.MB_efficiency are of {} GEMMs\n",
                             system.gemms->datatype, system.gemms->rows);
    tell_error("GEMM", system.gemms->held_out);
  } else {
    std::cerr << "note: no GEMM: matrix, mem1 and processing_mode are the base's\n";
  }
  if (system.network) tell_fit(fmt::format("networks[{}]", flags.tier), system.network->fitted);
  return {{"", system.text}};
}

}  // namespace

std::vector<std::string> tool_forms() {
  std::vector<std::string> forms{"calculon"};
  for (const auto& [form, unused] : tools) forms.emplace_back(form);
  return forms;
}

void refuse_unused(const std::string& form, const std::set<std::string>& given) {
  const std::vector<std::string> all = tool_forms();
  const bool is_tool = std::ranges::find(all, form) != all.end();
  for (const std::string& option : given) {
    const auto some = tools_of_option.find(option);
    if (is_tool && (some == tools_of_option.end() || some->second.contains(form))) continue;
    core::usage_error(fmt::format("export {}: {} is not for this form (it is for {})", form, option,
                                  some == tools_of_option.end()
                                      ? fmt::format("{}", fmt::join(all, ", "))
                                      : fmt::format("{}", fmt::join(some->second, ", "))));
  }
}

std::vector<ExportedFile> tool_files(const std::string& form, const ToolFlags& flags,
                                     const std::string& store, const std::string& run) {
  if (form == "calculon" && flags.request.base.empty())
    core::usage_error("export calculon: expected --base SYSTEM, a file of Calculon");
  const ExportRequest request = request_of(flags, store, run);
  for (const auto& [name, tool] : tools) {
    if (form != name) continue;
    const Exported made = tool(request);
    for (const auto& [what, fitted] : made.fits) tell_fit(what, fitted);
    for (const std::string& note : made.notes) std::cerr << fmt::format("note: {}\n", note);
    return made.files;
  }
  return calculon_file(flags, request);
}

void add_tool_options(CLI::App& app, ToolFlags& flags) {
  const auto file = [&](const char* name, std::string& path, const char* what) {
    app.add_option(name, path, what)->check(file_name())->type_name("FILE");
  };
  file("--csv", flags.gemm_csv, "GEMM timings, as assay fit reads them");
  file("--collectives", flags.collectives_csv, "timings of collectives, as assay fit reads them");
  file("--memory", flags.memory_csv, "timings of a memory, as assay fit reads them");
  file("--base", flags.request.base, "a file of the tool, that what was not measured comes from");
  app.add_option("--mode", flags.mode,
                 "calculon: an operation takes the longer of compute and memory, or their sum")
      ->check(CLI::IsMember({"roofline", "no_overlap"}))
      ->capture_default_str();
  app.add_option("--tier", flags.tier, "calculon: the network that the collectives were timed on")
      ->capture_default_str();
  app.add_option("--smallest", flags.smallest, "calculon: least m, n and k of a GEMM that counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--ranks", flags.request.ranks, "only collectives of so many ranks")
      ->check(CLI::PositiveNumber);
  app.add_option("--dtype", flags.request.dtype, "only collectives of this dtype");
  app.add_option("--algorithm", flags.request.algorithm,
                 "only collectives by this algorithm, as the run names it");
  app.add_option("--least-bytes", flags.request.least_bytes,
                 "only collectives and memory of so many bytes or more")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--operation", flags.request.operation, "only this operation of the memory, e.g. cuda.copy");
}

}  // namespace assay::cli
