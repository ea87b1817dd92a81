// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fabric: what a fabric is, and how long workloads take on it, simulated.
#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/core/whole_file.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/cli/fabric_measured.hpp"
#include "harness/front/cli/fabric_orders.hpp"
#include "harness/front/cli/fabric_simulations.hpp"
#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/margin.hpp"
#include "harness/front/cli/naming_file.hpp"
#include "harness/front/cli/own_command_line.hpp"
#include "harness/front/cli/render_table.hpp"
#include "model/fabric/simulate/answer.hpp"
#include "model/fabric/simulate/describe.hpp"
#include "model/fabric/simulate/placing.hpp"
#include "model/fabric/simulate/policies.hpp"
#include "model/fabric/simulate/sizing.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;

struct FabricFlags {
  std::string fabric, workload, format = "text", sharing = "auto", margin = "1%", at_most, order, as = "csv",
                                names, journal;
  std::vector<std::string> set, vary;
  std::uint32_t seeds = 1;
  unsigned threads = 2;
  bool json = false, scale_to_measured = false;
  MeasuredFlags measured;

  /// What --set replaces, over what was measured, which is read for it.
  std::vector<fabric::KeyValue> replaced() const {
    std::vector<fabric::KeyValue> all;
    for (const std::string& text : set) all.push_back(fabric::key_value(text, "--set"));
    return with_measured(measured, fabric, std::move(all));
  }
  /// Loads of links: as `loads` says, or for the journal.
  fabric::SimulationOptions simulation(bool loads) const {
    return {.sharing = *fabric::choice_words.named(sharing),
            .seeds = seeds,
            .threads = threads,
            .loads = loads || !journal.empty()};
  }
  fabric::JournalSubject subject(std::vector<fabric::KeyValue> replaced) const {
    return {.fabric_file = fabric,
            .workload_file = workload,
            .replaced = std::move(replaced),
            .command_line = own_command_line()};
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
  const std::vector<fabric::KeyValue> replaced = flags.replaced();
  fabric::FabricFile file = fabric::read_fabric(flags.fabric, replaced);
  if (const auto cycle = fabric::cycle_answer(file)) return print(*cycle, flags);
  const fabric::Scenario scenario(std::move(file), fabric::read_workload(flags.workload));
  if (const auto cut = fabric::cut_off_answer(scenario)) return print(*cut, flags);
  FabricSimulations simulations(flags.journal, flags.subject(replaced), flags.simulation(true));
  const fabric::SimulationOptions& options = simulations.options();
  fabric::Simulation simulation = fabric::simulate(scenario, options);
  simulation.goodput_ends = fabric::simulate_goodput_ends(scenario, options);
  if (const auto see = simulations.see()) see(scenario, simulation, replaced);
  auto changes = fabric::what_would_help(scenario, simulation, options);
  if (flags.scale_to_measured) {
    const RunExpectation run = expectation_of(flags.measured, scenario.model().file(), options);
    fabric::measured::scale_to_measured(run.operations, run.run, simulation);
    changes = std::vector<fabric::Change>();  // its times are not scaled
  }
  simulations.finish();
  return print(fabric::simulation_answer(scenario, simulation, options, changes), flags);
}

int expect(const FabricFlags& flags) {
  const fabric::FabricFile file = fabric::read_fabric(flags.fabric, flags.replaced());
  if (const auto cycle = fabric::cycle_answer(file)) return print(*cycle, flags);
  const RunExpectation run = expectation_of(flags.measured, file, flags.simulation(false));
  return print(fabric::measured::expectation_answer(file, run.run, run.operations, run.left_out,
                                                    flags.simulation(false)),
               flags);
}

int compare(const FabricFlags& flags) {
  fabric::PolicyQuestion question{.fabric_file = flags.fabric,
                                  .workload_file = flags.workload,
                                  .replaced = flags.replaced(),
                                  .varied = {},
                                  .margin = margin_from("--margin", flags.margin)};
  for (const std::string& text : flags.vary) question.varied.push_back(fabric::varied_key(text));
  fabric::FabricFile unvaried = fabric::read_fabric(flags.fabric, question.replaced);
  if (const auto cycle = fabric::cycle_answer(unvaried)) return print(*cycle, flags);
  const fabric::Scenario scenario(std::move(unvaried), fabric::read_workload(flags.workload));
  if (const auto cut = fabric::cut_off_answer(scenario)) return print(*cut, flags);
  FabricSimulations simulations(flags.journal, flags.subject(question.replaced), flags.simulation(false));
  question.simulation = simulations.options();
  question.see = simulations.see();
  const std::vector<fabric::Policy> policies = fabric::compare_policies(question);
  simulations.finish();
  return print(fabric::policies_answer(question, policies), flags);
}

int size(const FabricFlags& flags) {
  const std::vector<fabric::KeyValue> replaced = flags.replaced();
  const std::string toml = fabric::fabric_text(flags.fabric);
  fabric::FabricFile as_it_is = fabric::parse_fabric(toml, flags.fabric, replaced);
  if (const auto cycle = fabric::cycle_answer(as_it_is)) return print(*cycle, flags);
  const fabric::WorkloadFile workload = fabric::read_workload(flags.workload);
  const fabric::Scenario scenario(std::move(as_it_is), workload);
  if (const auto cut = fabric::cut_off_answer(scenario)) return print(*cut, flags);
  const std::string_view at_most = flags.at_most;
  constexpr std::string_view of_step = "step=";  // the only time that there is
  FabricSimulations simulations(flags.journal, flags.subject(replaced), flags.simulation(false));
  const fabric::SizeQuestion question{
      .fabric_toml = toml,
      .fabric_file = flags.fabric,
      .workload = workload,
      .replaced = replaced,
      .at_most_us = 1e6 * core::parse_step_time_s(
                              at_most.substr(at_most.starts_with(of_step) ? of_step.size() : 0), "--at-most"),
      .simulation = simulations.options(),
      .see = simulations.see()};
  const fabric::SizedFabric sized = fabric::size_fabric(question);
  simulations.finish();
  return print(fabric::size_answer(question, sized), flags);
}

int place(const FabricFlags& flags) {
  const fabric::WorkloadFile workload = fabric::read_workload(flags.workload);
  const std::vector<fabric::KeyValue> replaced = flags.replaced();
  const fabric::Scenario scenario(fabric::read_fabric(flags.fabric, replaced), workload);
  if (const auto cut = fabric::cut_off_answer(scenario)) return print(*cut, flags);
  const fabric::PlacedRanks placed = fabric::place_ranks(scenario);
  const fabric::Scenario better(scenario.model().file(), workload, placed.host_of_rank);
  FabricSimulations simulations(flags.journal, flags.subject(replaced), flags.simulation(false));
  const fabric::SimulationOptions& options = simulations.options();
  const fabric::Simulation before = fabric::simulate_connected(scenario, options),
                           after = fabric::simulate_connected(better, options);
  simulations.see_placement({scenario, before, options, replaced}, {better, after, options, replaced},
                            placed.cuts);
  simulations.finish();
  if (!flags.order.empty())
    core::write_whole_file(flags.order,
                           order_text(flags.as, fabric::rank_places(scenario, placed.host_of_rank,
                                                                    names_in(flags.names), flags.names)));
  return print(fabric::placement_answer(scenario, before, placed, after), flags);
}

void add_fabric(CLI::App& app, FabricFlags& flags) {
  add_file(app, "fabric", flags.fabric, "who is wired to whom, and by which rules (TOML)", "FABRIC")
      ->required();
  app.add_option("--set", flags.set, "replace a key of FABRIC: routing.queue_pairs=16")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  app.add_flag("--json", flags.json, "print every number as JSON");
  add_format_option(app, flags.format);
  add_measured(app, flags.measured);
}

void add_seeds(CLI::App& app, FabricFlags& flags) {
  app.add_option("--seeds", flags.seeds, "simulate hash seeds 1 to N: median and 5 to 95 %")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""))
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "change no digit")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""))
      ->capture_default_str();
  add_file(app, "--journal", flags.journal, "append records of every simulation, for assay import", "FILE");
  app.add_option("--sharing", flags.sharing, "how flows share links; auto says which")
      ->check(CLI::IsMember({"auto", "bound", "max-min", "occupancy"}))
      ->capture_default_str();
}

void add_simulation(CLI::App& app, FabricFlags& flags) {
  add_fabric(app, flags);
  add_file(app, "workload", flags.workload, "who sends what when (TOML)", "WORKLOAD")->required();
  add_seeds(app, flags);
}

CLI::App* add_expect(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "expect", "Collectives and patterns of a run against what the fabric should do with its coefficients");
  add_fabric(*app, flags);
  app->get_option("--store")->required();
  add_seeds(*app, flags);
  return app;
}

CLI::App* add_size(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "size", "Least uplinks, queue pairs, buffer or window that reach a time, each alone");
  add_simulation(*app, flags);
  app->add_option("--at-most", flags.at_most, "for the workload: 12ms")->type_name("TIME")->required();
  return app;
}

CLI::App* add_place(CLI::App& group, FabricFlags& flags) {
  CLI::App* app = group.add_subcommand(
      "place", "An order of ranks that keeps traffic within racks and zones; times before and after");
  add_simulation(*app, flags);
  add_file(*app, "-o,--order", flags.order, "write the order here", "FILE");
  app->add_option("--as", flags.as,
                  "csv (rank,host,gpu), an MPI hostfile, or for Slurm's arbitrary distribution")
      ->check(CLI::IsMember({"csv", "hostfile", "slurm"}))
      ->capture_default_str();
  add_file(*app, "--names", flags.names, "of servers, one a line; default: their numbers", "FILE");
  return app;
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
  simulated
      ->add_flag("--scale-to-measured", flags->scale_to_measured,
                 "times of collectives as much longer as the run's were than simulated")
      ->needs(simulated->get_option("--store"));
  CLI::App* compared = app->add_subcommand("compare", "The workload under every combination of values");
  add_simulation(*compared, *flags);
  compared->add_option("--vary", flags->vary, "a key of FABRIC and its values: routing=ecmp,e-ecmp")
      ->type_name("KEY=A,B,...")
      ->required()
      ->allow_extra_args(false);
  compared->add_option("--margin", flags->margin, "times within it are equal")->capture_default_str();
  CLI::App* expected = add_expect(*app, *flags);
  CLI::App* sized = add_size(*app, *flags);
  CLI::App* placed = add_place(*app, *flags);
  const Command located = fabric_locate_command(*app), made = fabric_read_command(*app);
  app->footer("Exit code 1: the fabric is cut in two, its buffers can deadlock, or no size is enough.");
  return {app, [flags, shown, simulated, expected, sized, placed, located, made] {
            if (located.app->parsed()) return located.run();
            if (made.app->parsed()) return made.run();
            return naming_file(flags->fabric, [&] {
              if (shown->parsed()) return describe(*flags);
              if (expected->parsed()) return expect(*flags);
              if (sized->parsed()) return size(*flags);
              if (placed->parsed()) return place(*flags);
              return simulated->parsed() ? simulate(*flags) : compare(*flags);
            });
          }};
}

}  // namespace assay::cli
