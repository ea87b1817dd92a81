// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay workload: the operations of a training step, by formula or from a file.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "harness/training/presets.hpp"
#include "harness/training/step_file.hpp"
#include "model/fabric/file/rank_order.hpp"
#include "model/workload/chakra/group_file.hpp"
#include "model/workload/chakra/traced_step.hpp"
#include "model/workload/operation_tables.hpp"
#include "model/workload/tier_traffic.hpp"

namespace assay::cli {
namespace {

struct WorkloadFlags {
  std::string what, model = "llama3-8b", output, format = "text", fabric, order, groups;
  std::vector<std::string> set, chakra;
  std::uint32_t ranks = 0;
};

training::TrainingStep step_of_traces(const WorkloadFlags& flags) {
  const auto files = static_cast<std::uint32_t>(flags.chakra.size());
  if (files == 1 ? flags.ranks < 2 : flags.ranks != 0 && flags.ranks != files)
    core::usage_error(files == 1
                          ? "workload: --ranks: expected at least 2, the ranks that do as this trace does"
                          : "workload: --ranks: expected one trace for each rank, or a single trace");
  std::vector<model::workload::Trace> traces;
  for (const std::string& file : flags.chakra) traces.push_back(model::workload::read_trace(file));
  if (!flags.groups.empty())
    model::workload::state_groups(traces, model::workload::read_group_file(flags.groups));
  model::workload::TracedStep traced = model::workload::traced_step(traces, files == 1 ? flags.ranks : files);
  for (const std::string& note : traced.notes) std::cerr << "assay: " << note << "\n";
  if (traced.left_out > 0)
    std::cerr << fmt::format(
        "assay: {} left out: gathers, scatters, barriers, and messages without a size or the other rank\n",
        core::counted(static_cast<std::int64_t>(traced.left_out), "exchange"));
  return std::move(traced.step);
}

training::TrainingStep step_of(const WorkloadFlags& flags) {
  if (!flags.chakra.empty()) return step_of_traces(flags);
  if (flags.what.empty()) core::usage_error("workload: expected a preset, a workload file, or --chakra");
  if (flags.what.ends_with(".toml")) {
    if (flags.ranks != 0 || !flags.set.empty())
      core::usage_error("workload: --ranks and --set are for presets, not for a file");
    training::TrainingStep step = training::read_step(flags.what);
    for (const std::string& key : step.unused) std::cerr << "assay: " << key << "\n";
    return step;
  }
  const training::Preset& preset = training::preset(flags.what);
  if (flags.ranks == 0) core::usage_error("workload: --ranks: missing: expected how many ranks train");
  return training::preset_step(
      preset, flags.ranks,
      preset.has_blocks ? ::assay::workload::find_model(flags.model) : ::assay::workload::Transformer(),
      flags.set);
}

results::Table tiers_of(const WorkloadFlags& flags, const training::TrainingStep& step) {
  namespace fabric = model::fabric;
  const fabric::FabricModel model(fabric::read_fabric(flags.fabric));
  const std::uint32_t gpus = model.topology().hosts();
  const std::vector<fabric::NodeId> order =
      flags.order.empty() ? fabric::linear_order(step.ranks, gpus, flags.fabric)
                          : fabric::read_order(flags.order, step.ranks, gpus, model.file().server.gpus);
  const auto levels = model::workload::levels_of(model, order);
  return tier_table(model::workload::traffic_by_level(step, levels), levels);
}

bool is_preset(const WorkloadFlags& flags) { return flags.chakra.empty() && !flags.what.ends_with(".toml"); }

const char* origin_of(const WorkloadFlags& flags) {
  if (!flags.chakra.empty()) return "imported from Chakra traces";
  return is_preset(flags) ? "by formula, not measured" : "of a workload file";
}

/// One object, whatever the number of tables.
std::string json_of(const WorkloadFlags& flags, const training::TrainingStep& step,
                    const std::vector<results::Table>& tables) {
  nlohmann::ordered_json json{{"name", step.name},
                              {"ranks", step.ranks},
                              {"origin", origin_of(flags)},
                              {"tables", nlohmann::ordered_json::array()}};
  for (const results::Table& table : tables)
    json["tables"].push_back(core::json_from<nlohmann::ordered_json>(render_table(table, flags.format)));
  return core::json_text(json, 2) + "\n";
}

bool has_vocabulary(const WorkloadFlags& flags) {
  return std::ranges::any_of(flags.set, [](const std::string& text) {
    return text.starts_with("vocabulary=") && text != "vocabulary=0";
  });
}

int print_workload(const CLI::App& app, const WorkloadFlags& flags) {
  if (app.count("--model") > 0 && !(is_preset(flags) && training::preset(flags.what).has_blocks))
    core::usage_error("workload: --model: expected a preset that has blocks: ddp, fsdp, megatron or moe");
  const training::TrainingStep step = step_of(flags);
  if (!flags.output.empty()) training::write_step(step, flags.output);
  std::vector<results::Table> tables{model::workload::operation_table(step),
                                     model::workload::size_table(step)};
  if (is_preset(flags) && training::preset(flags.what).has_blocks)
    tables.front().notes.push_back(
        fmt::format("Without {}.", has_vocabulary(flags) ? training::never_counted : training::not_counted));
  if (!flags.fabric.empty()) tables.push_back(tiers_of(flags, step));
  if (flags.format == "json") {
    std::cout << json_of(flags, step, tables);
    return core::exit_code::pass;
  }
  if (is_text(flags.format))
    std::cout << fmt::format("{} on {}; {}\n\n", step.name, core::counted(step.ranks, "rank"),
                             origin_of(flags));
  for (std::size_t at = 0; at < tables.size(); ++at)
    std::cout << (at > 0 ? "\n" : "") << render_table(tables[at], flags.format);
  return core::exit_code::pass;
}

/// Every preset with its keys, for the help page.
std::string presets_text() {
  std::string text = fmt::format("Presets of blocks are without {}; --set vocabulary=N counts the first two.",
                                 training::not_counted);
  for (const training::Preset& one : training::presets()) {
    text += fmt::format("\n{}: {} ({}).", one.name, one.meaning, one.source);
    for (const training::PresetKey& key : one.keys)
      text += fmt::format("\n  {}={}: {}", key.name,
                          key.is_size ? core::format_bytes(static_cast<std::int64_t>(key.value))
                                      : fmt::format("{}", key.value),
                          key.meaning);
  }
  return text;
}

}  // namespace

Command workload_command(CLI::App& parent) {
  const auto flags = std::make_shared<WorkloadFlags>();
  CLI::App* app = parent.add_subcommand(
      "workload", "What a training step computes and exchanges; a file for assay fabric and collectives");
  CLI::Option* what =
      app->add_option("what", flags->what, "a preset (below), or a workload file (NAME.toml)");
  CLI::Option* chakra = add_file(*app, "--chakra", flags->chakra,
                                 "instead: Chakra execution traces of ranks 0, 1, ...", "FILE");
  chakra->excludes(what);
  add_file(*app, "--groups", flags->groups, "of traces: ASTRA-sim's file of communicator groups (JSON)",
           "FILE")
      ->needs(chakra);
  app->add_option("--ranks", flags->ranks, "of a preset, or of a single trace")
      ->check(CLI::Range(1U, 1U << 20U).description(""))
      ->type_name("N");
  app->add_option("--model", flags->model, "of a preset: a published model, or a TOML file")
      ->type_name("MODEL")
      ->capture_default_str();
  app->add_option("--set", flags->set, "a number of the preset: bucket=64MiB")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_file(*app, "-o,--output", flags->output, "write the step here (TOML)", "FILE");
  CLI::Option* fabric = add_file(*app, "--fabric", flags->fabric,
                                 "also bytes by dimension and level of this fabric (TOML)", "FABRIC");
  add_file(*app, "--order", flags->order, "ranks on GPUs, as assay fabric place -o; default: in a row",
           "FILE")
      ->needs(fabric);
  add_format_option(*app, flags->format);
  app->footer(presets_text());
  return {app, [app, flags] { return print_workload(*app, *flags); }};
}

}  // namespace assay::cli
