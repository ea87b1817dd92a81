// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/fit_source_flags.hpp"
#include "harness/front/cli/flags/open_store.hpp"
#include "harness/front/cli/tasks/tool_export.hpp"
#include "results/export/nccl_tuner.hpp"

namespace assay::cli {
namespace {

using Kind = model::fit::CoefficientsKind;

constexpr std::array<std::pair<const char*, Kind>, 8> timings_forms{
    {{"gemm-timings", Kind::gemm},
     {"collective-timings", Kind::collectives},
     {"memory-timings", Kind::memory},
     {"vector-timings", Kind::vector},
     {"link-timings", Kind::links},
     {"verbs-timings", Kind::loggp},
     {"slowdowns", Kind::interference},
     {"overlaps", Kind::overlap}}};

struct ExportFlags {
  std::string form, run = "latest", store, output;
  ToolFlags tool;
};

/// Standard output gets the file alone; standard error says what was left out.
int export_nccl_tuner(const ExportFlags& flags) {
  const results::Store store = open_existing_store(flags.store);
  const results::NcclTunerFile file = results::nccl_tuner_file(store, flags.run);
  for (const std::string& reason : file.left_out) std::cerr << fmt::format("left out: {}\n", reason);
  if (flags.output.empty()) {
    std::cout << file.text;
    return core::exit_code::pass;
  }
  core::write_whole_file(flags.output, file.text);
  std::cout << fmt::format("{}: {} rows from {} points; assay-check-nccl-tuner reads it back\n", flags.output,
                           file.rows, file.points);
  return core::exit_code::pass;
}

int export_timings(const ExportFlags& flags, Kind kind) {
  const results::Store store = open_existing_store(flags.store);
  const results::TimingsCsv csv = answers::timings_csv(store, flags.run, kind, flags.tool.filter);
  if (csv.left_out > 0) std::cerr << fmt::format("left out: {} points that are not timings\n", csv.left_out);
  if (flags.output.empty()) {
    std::cout << csv.text;
    return core::exit_code::pass;
  }
  core::write_whole_file(flags.output, csv.text);
  std::cout << fmt::format("{}: {} rows; assay fit reads it\n", flags.output, csv.rows);
  return core::exit_code::pass;
}

int export_to_tool(const ExportFlags& flags) {
  const std::vector<model::exporters::ExportedFile> files =
      tool_files(flags.form, flags.tool, flags.store, flags.run);
  if (files.size() > 1 && flags.output.empty())
    core::usage_error(fmt::format("export {}: expected -o, as it makes {} files", flags.form, files.size()));
  for (const auto& [suffix, text] : files) {
    if (flags.output.empty())
      std::cout << text;
    else
      core::write_whole_file(flags.output + suffix, text);
  }
  return core::exit_code::pass;
}

std::vector<std::string> forms() {
  std::vector<std::string> all{"nccl-tuner"};
  for (const auto& [form, kind] : timings_forms) all.emplace_back(form);
  for (const model::exporters::Exporter& exporter : model::exporters::exporters())
    all.emplace_back(exporter.name);
  return all;
}

/// Refuses flags that a form would ignore, and a run together with files that replace it.
void check_given(const CLI::App& app, ExportFlags& flags) {
  bool of_run = false;
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "form" || name == "--output") continue;
    if (name == "run" || name == "--store" || name == "--filter")
      of_run = true;
    else
      flags.tool.request.given.insert(name);
  }
  if (flags.form == "nccl-tuner" && !flags.tool.filter.empty())
    core::usage_error("export nccl-tuner: --filter is not for this form");
  refuse_unused(flags.form, flags.tool.request.given, of_run);
  refuse_two_sources(flags.form, flags.tool.request, of_run);
}

int export_form(const ExportFlags& flags) {
  if (flags.form == "nccl-tuner") return export_nccl_tuner(flags);
  for (const auto& [form, kind] : timings_forms)
    if (flags.form == form) return export_timings(flags, kind);
  return export_to_tool(flags);
}

}  // namespace

Command export_command(CLI::App& parent) {
  const auto flags = std::make_shared<ExportFlags>();
  CLI::App* app =
      parent.add_subcommand("export", "Write what was measured in the form that another program reads");
  app->add_option("form", flags->form, "which form (see below)")
      ->required()
      ->check(CLI::IsMember(forms()))
      ->type_name("FORM");
  app->add_option("run", flags->run, "run id")->capture_default_str()->type_name("RUN");
  add_store_option(*app, flags->store);
  add_timings_filter(*app, flags->tool.filter);
  add_file(*app, "-o,--output", flags->output, "write to this file instead of standard output");
  add_tool_options(*app, flags->tool);
  app->footer(
      "Forms:\n"
      "  nccl-tuner   the fastest of NCCL's algorithms at each size, as a file for NCCL's example tuner\n"
      "               plug-in (NCCL_TUNER_CONFIG_FILE); assay-check-nccl-tuner reads it back\n"
      "  gemm-timings, collective-timings, memory-timings, vector-timings, link-timings, verbs-timings,\n"
      "  slowdowns, overlaps\n"
      "               what a run measured, as the CSV that assay fit reads\n" +
      about_tools() +
      "Without --csv, --collectives, --memory and --coefficients the timings are those of the run. How near\n"
      "each file comes to what was measured is reported on standard error (docs/reference/exporters.md).");
  return {app, [app, flags] {
            check_given(*app, *flags);
            return export_form(*flags);
          }};
}

}  // namespace assay::cli
