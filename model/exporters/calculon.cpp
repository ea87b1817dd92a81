// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file of Calculon with what was measured instead of what was there: exporters/calculon says
// how.
#include <fmt/format.h>

#include <initializer_list>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/exporters/calculon/system_export.hpp"
#include "model/exporters/calculon/system_of_coefficients.hpp"
#include "model/exporters/exporters.hpp"

namespace assay::model::exporters {
namespace {

void expect_calculon_timings(const ExportRequest& request) {
  if (!request.gemm && !request.collectives)
    core::usage_error(
        "export calculon: expected timings of GEMMs (--csv), of collectives (--collectives), or a run with "
        "either");
  const auto expect = [&](bool there, std::initializer_list<const char*> options, const char* timings) {
    for (const char* option : options)
      if (!there && request.given.contains(option))
        core::usage_error(
            fmt::format("export calculon: {} is of {}, or a run with them: got none", option, timings));
  };
  expect(request.gemm.has_value(), {"--mode", "--smallest", "--gemm"}, "GEMMs (--csv)");
  expect(request.collectives.has_value(),
         {"--tier", "--ranks", "--nodes", "--dtype", "--algorithm", "--least-bytes"},
         "collectives (--collectives)");
}

/// Refuses options that say how timings become a system: a file of coefficients has one.
void refuse_options_of_timings(const ExportRequest& request) {
  for (const std::string& option : request.given)
    if (option != coefficients_option && option != "--base")
      core::usage_error(
          fmt::format("export calculon: {} excludes --coefficients, whose system is fitted", option));
}

Exported export_measured_system(const ExportRequest& request) {
  refuse_options_of_timings(request);
  calculon::SystemOfCoefficients made =
      calculon::system_of_coefficients(request.coefficients.front(), request.base);
  return {
      .files = {{"", core::json_text(made.system, 1) + "\n"}}, .notes = std::move(made.notes), .fits = {}};
}

Exported export_calculon(const ExportRequest& request) {
  if (!request.coefficients.empty()) return export_measured_system(request);
  expect_calculon_timings(request);
  using calculon::ProcessingMode;
  const std::string& tier = request.own_option("--tier");
  calculon::ExportedSystem system = calculon::export_system(
      {.csv = request.gemm,
       .gemm_group = request.gemm_group,
       .base = request.base,
       .mode =
           request.own_option("--mode") == "roofline" ? ProcessingMode::roofline : ProcessingMode::no_overlap,
       .network = {.rows = request, .tier = std::stoul(tier)},
       .smallest = std::stoll(request.own_option("--smallest"))});
  Exported made{.files = {{"", std::move(system.text)}}, .notes = {}, .fits = {}};
  if (system.gemms) {
    made.notes.push_back(fmt::format("matrix.{}.gflops_efficiency and mem1.MB_efficiency are of {} GEMMs",
                                     system.gemms->datatype, system.gemms->rows));
    made.fits.emplace_back("GEMM", FittedFormula{{}, std::move(system.gemms->held_out)});
  } else {
    made.notes.emplace_back("no GEMM: matrix, mem1 and processing_mode are the base's");
  }
  if (system.network)
    made.fits.emplace_back(fmt::format("networks[{}]", tier), std::move(system.network->fitted));
  return made;
}

}  // namespace

Exporter calculon_exporter() {
  using Kind = OwnOption::Kind;
  return {.name = "calculon",
          .about = "a system file of Calculon (--base) with what was measured of GEMMs, collectives or both",
          .uses = {"--csv", "--gemm", "--base"},
          .takes_system = true,
          .write = export_calculon,
          .own = {{.flag = "--mode",
                   .about = "an operation takes the longer of compute and memory, or their sum",
                   .otherwise = "roofline",
                   .words = {"roofline", "no_overlap"}},
                  {.flag = "--tier",
                   .about = "the network that the collectives were timed on",
                   .kind = Kind::from_zero,
                   .otherwise = "0"},
                  {.flag = "--smallest",
                   .about = "least m, n and k of a GEMM that counts",
                   .kind = Kind::from_one,
                   .otherwise = "512"}},
          .base = "SYSTEM, a file of Calculon"};
}

}  // namespace assay::model::exporters
