// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric: what a fabric is, and how long workloads take on it, simulated.
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/margin.hpp"
#include "harness/front/cli/render_table.hpp"
#include "model/fabric/simulate/answer.hpp"
#include "model/fabric/simulate/describe.hpp"
#include "model/fabric/simulate/policies.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;

struct FabricFlags {
  std::string fabric, workload, format = "text", sharing = "auto", margin = "1%";
  std::vector<std::string> set, vary;
  std::uint32_t seeds = 1;
  unsigned threads = 2;
  bool json = false;

  std::vector<fabric::KeyValue> replaced() const {
    std::vector<fabric::KeyValue> all;
    for (const std::string& text : set) all.push_back(fabric::key_value(text, "--set"));
    return all;
  }
  fabric::SimulationOptions simulation() const {
    return {.sharing = *fabric::choice_words.named(sharing), .seeds = seeds, .threads = threads};
  }
};

std::string tables_text(const std::vector<results::Table>& tables, const std::string& format) {
  const bool list = format == "json";
  std::string text;
  for (const results::Table& table : tables) {
    if (!text.empty()) text += list ? ",\n" : "\n";
    text += render_table(table, format);
  }
  return list ? "[" + text + "]\n" : text;
}

int print(const fabric::Answer& answer, const FabricFlags& flags) {
  if (flags.json) {
    std::cout << answer.json << "\n";
  } else if (flags.format == "csv" || flags.format == "json") {
    std::cout << tables_text(answer.tables, flags.format);
  } else {
    std::cout << answer.sentence << "\n";
    for (const std::string& note : answer.notes) std::cout << note << "\n";
    std::cout << (answer.tables.empty() ? "" : "\n") << tables_text(answer.tables, flags.format);
  }
  if (!answer.holds && (flags.json || flags.format == "csv" || flags.format == "json"))
    std::cerr << fmt::format("assay: {}\n", answer.sentence);
  return answer.holds ? core::exit_code::pass : core::exit_code::fail;
}

int describe(const FabricFlags& flags) {
  return print(fabric::describe(fabric::read_fabric(flags.fabric, flags.replaced())), flags);
}

int simulate(const FabricFlags& flags) {
  fabric::FabricFile file = fabric::read_fabric(flags.fabric, flags.replaced());
  if (const auto cycle = fabric::cycle_answer(file)) return print(*cycle, flags);
  const fabric::Scenario scenario(std::move(file), fabric::read_workload(flags.workload));
  if (const auto cut = fabric::cut_off_answer(scenario)) return print(*cut, flags);
  const fabric::SimulationOptions options = flags.simulation();
  const fabric::Simulation simulation = fabric::simulate(scenario, options);
  const auto changes = fabric::what_would_help(scenario, simulation, options);
  return print(fabric::simulation_answer(scenario, simulation, options, changes), flags);
}

int compare(const FabricFlags& flags) {
  fabric::PolicyQuestion question{.fabric_file = flags.fabric,
                                  .workload_file = flags.workload,
                                  .replaced = flags.replaced(),
                                  .varied = {},
                                  .margin = margin_from("--margin", flags.margin),
                                  .simulation = flags.simulation()};
  for (const std::string& text : flags.vary) question.varied.push_back(fabric::varied_key(text));
  return print(fabric::policies_answer(question, fabric::compare_policies(question)), flags);
}

void add_fabric(CLI::App& app, FabricFlags& flags) {
  add_file(app, "fabric", flags.fabric, "who is wired to whom, and by which rules (TOML)", "FABRIC")
      ->required();
  app.add_option("--set", flags.set, "replace a key of FABRIC: routing.queue_pairs=16")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--json", flags.json, "print every number as JSON");
  add_format_option(app, flags.format);
}

void add_simulation(CLI::App& app, FabricFlags& flags) {
  add_fabric(app, flags);
  add_file(app, "workload", flags.workload, "who sends what when (TOML)", "WORKLOAD")->required();
  app.add_option("--seeds", flags.seeds, "simulate hash seeds 1 to N: median and 5 to 95 %")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""))
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "change no digit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  app.add_option("--sharing", flags.sharing, "how flows share links; auto says which")
      ->check(CLI::IsMember({"auto", "bound", "max-min", "occupancy"}))
      ->capture_default_str();
}

}  // namespace

Command fabric_command(CLI::App& parent) {
  const auto flags = std::make_shared<FabricFlags>();
  CLI::App* app =
      parent.add_subcommand("fabric", "Simulate a fabric: what it is, and how long workloads take on it");
  app->require_subcommand(1);
  CLI::App* shown =
      app->add_subcommand("describe", "Counts, ratios, diameter, round trip and cycles of buffers");
  add_fabric(*shown, *flags);
  CLI::App* simulated = app->add_subcommand(
      "simulate", "Time of each step, bandwidth, busiest links, slowest ranks, what would help");
  add_simulation(*simulated, *flags);
  CLI::App* compared = app->add_subcommand("compare", "The workload under every combination of values");
  add_simulation(*compared, *flags);
  compared->add_option("--vary", flags->vary, "a key of FABRIC and its values: routing=ecmp,e-ecmp")
      ->type_name("KEY=A,B,...")
      ->required()
      ->allow_extra_args(false);
  compared->add_option("--margin", flags->margin, "times within it are equal")->capture_default_str();
  const Command located = fabric_locate_command(*app);
  app->footer("Exit code 1: the fabric is cut in two, or its buffers can deadlock.");
  return {app, [flags, shown, simulated, located] {
            if (located.app->parsed()) return located.run();
            if (shown->parsed()) return describe(*flags);
            return simulated->parsed() ? simulate(*flags) : compare(*flags);
          }};
}

}  // namespace assay::cli
