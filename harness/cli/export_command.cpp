// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <fstream>
#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "results/nccl_tuner.hpp"
#include "results/timings_csv.hpp"

namespace assay::cli {
namespace {

struct ExportFlags {
  std::string form, run = "latest", store, output;
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

int export_timings(const ExportFlags& flags) {
  const results::Store store = open_existing_store(flags.store);
  const results::TimingsCsv csv = flags.form == "gemm-timings"
                                      ? results::gemm_timings_csv(store, flags.run)
                                      : results::collective_timings_csv(store, flags.run);
  if (csv.left_out > 0) std::cerr << fmt::format("left out: {} points that are no timing\n", csv.left_out);
  if (flags.output.empty()) {
    std::cout << csv.text;
    return core::exit_code::pass;
  }
  write(csv.text, flags.output);
  std::cout << fmt::format("{}: {} rows; assay fit reads it\n", flags.output, csv.rows);
  return core::exit_code::pass;
}

}  // namespace

Command export_command(CLI::App& parent) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* app =
      parent.add_subcommand("export", "What was measured, in the form that another program reads");
  app->add_option("form", flags->form, "which form (see below)")
      ->required()
      ->check(CLI::IsMember({"nccl-tuner", "gemm-timings", "collective-timings"}))
      ->type_name("FORM");
  app->add_option("run", flags->run, "run id")->capture_default_str()->type_name("RUN");
  add_store_option(*app, flags->store);
  app->add_option("-o,--output", flags->output, "write to this file instead of standard output")
      ->type_name("FILE");
  app->footer(
      "Forms:\n"
      "  nccl-tuner   the fastest of NCCL's algorithms at each size, as a file for NCCL's example tuner\n"
      "               plug-in (NCCL_TUNER_CONFIG_FILE); assay-check-nccl-tuner reads it back\n"
      "  gemm-timings, collective-timings\n"
      "               a run's times as the CSV that assay fit reads");
  return {app, [flags] {
            return flags->form == "nccl-tuner" ? export_nccl_tuner(*flags) : export_timings(*flags);
          }};
}

}  // namespace assay::cli
