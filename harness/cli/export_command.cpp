// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iostream>
#include <utility>

#include "harness/cli/command.hpp"
#include "harness/cli/fit_source.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "model/calculon/system_export.hpp"
#include "results/nccl_tuner.hpp"

namespace assay::cli {
namespace {

using Kind = model::fit::CoefficientsKind;

constexpr std::array<std::pair<const char*, Kind>, 6> timings_forms{
    {{"gemm-timings", Kind::gemm},
     {"collective-timings", Kind::collectives},
     {"memory-timings", Kind::memory},
     {"link-timings", Kind::links},
     {"verbs-timings", Kind::loggp},
     {"slowdowns", Kind::interference}}};

struct ExportFlags {
  std::string form, run = "latest", store, output;
  model::calculon::SystemRequest system;
};

void write(const std::string& text, const std::string& path) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) core::usage_error(path + ": cannot be written");
}

/// The file goes out alone; what was left out is told beside it.
int export_nccl_tuner(const ExportFlags& flags) {
  const results::Store store = open_existing_store(flags.store);
  const results::NcclTunerFile file = results::nccl_tuner_file(store, flags.run);
  for (const std::string& reason : file.left_out) std::cerr << fmt::format("left out: {}\n", reason);
  if (flags.output.empty()) {
    std::cout << file.text;
    return core::exit_code::pass;
  }
  write(file.text, flags.output);
  std::cout << fmt::format("{}: {} rows from {} points; assay-check-nccl-tuner reads it back\n", flags.output,
                           file.rows, file.points);
  return core::exit_code::pass;
}

int export_timings(const ExportFlags& flags, Kind kind) {
  const results::Store store = open_existing_store(flags.store);
  const results::TimingsCsv csv = timings_csv(store, flags.run, kind);
  if (csv.left_out > 0) std::cerr << fmt::format("left out: {} points that are no timing\n", csv.left_out);
  if (flags.output.empty()) {
    std::cout << csv.text;
    return core::exit_code::pass;
  }
  write(csv.text, flags.output);
  std::cout << fmt::format("{}: {} rows; assay fit reads it\n", flags.output, csv.rows);
  return core::exit_code::pass;
}

/// How good the file is goes beside it, as it goes nowhere in Calculon's format.
int export_calculon(const ExportFlags& flags) {
  if (flags.system.csv.empty() || flags.system.base.empty())
    core::usage_error("export calculon: expected --csv TIMINGS and --base SYSTEM");
  const model::calculon::ExportedSystem system = model::calculon::export_system(flags.system);
  const model::fit::Accuracy off = system.held_out.whole();
  std::cerr << fmt::format(
      "matrix.{}.gflops_efficiency and mem1.MB_efficiency are of {} GEMMs, the rest is the base's; held-out "
      "GEMMs: "
      "MAPE {:.2f} %, p90 {:.2f} %, bias {:+.2f} %\n",
      system.datatype, system.rows, off.mape_percent, off.p90_percent, off.bias_percent);
  if (flags.output.empty())
    std::cout << system.text;
  else
    write(system.text, flags.output);
  return core::exit_code::pass;
}

int export_form(const ExportFlags& flags) {
  if (flags.form == "nccl-tuner") return export_nccl_tuner(flags);
  if (flags.form == "calculon") return export_calculon(flags);
  for (const auto& [form, kind] : timings_forms)
    if (flags.form == form) return export_timings(flags, kind);
  return core::exit_code::usage;
}

}  // namespace

Command export_command(CLI::App& parent) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* app =
      parent.add_subcommand("export", "What was measured, in the form that another program reads");
  app->add_option("form", flags->form, "which form (see below)")
      ->required()
      ->check(CLI::IsMember({"nccl-tuner", "gemm-timings", "collective-timings", "memory-timings",
                             "link-timings", "verbs-timings", "slowdowns", "calculon"}))
      ->type_name("FORM");
  app->add_option("run", flags->run, "run id")->capture_default_str()->type_name("RUN");
  add_store_option(*app, flags->store);
  app->add_option("-o,--output", flags->output, "write to this file instead of standard output")
      ->type_name("FILE");
  app->add_option("--csv", flags->system.csv, "calculon: GEMM timings, as assay fit reads them")
      ->type_name("FILE");
  app->add_option("--base", flags->system.base, "calculon: the system file that the rest comes from")
      ->type_name("SYSTEM");
  app->add_option("--smallest", flags->system.smallest, "calculon: least m, n and k of a GEMM that counts")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app->footer(
      "Forms:\n"
      "  nccl-tuner   the fastest of NCCL's algorithms at each size, as a file for NCCL's example tuner\n"
      "               plug-in (NCCL_TUNER_CONFIG_FILE); assay-check-nccl-tuner reads it back\n"
      "  gemm-timings, collective-timings, memory-timings, link-timings, verbs-timings, slowdowns\n"
      "               what a run measured, as the CSV that assay fit reads\n"
      "  calculon     a system file of Calculon (--base) with the GEMM efficiency of --csv, in roofline "
      "mode");
  return {app, [flags] { return export_form(*flags); }};
}

}  // namespace assay::cli
