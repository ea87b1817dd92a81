// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/fabric_answers.hpp"

#include <string_view>
#include <utility>

#include "harness/core/units.hpp"
#include "harness/front/answers/fabric/fabric_simulations.hpp"
#include "harness/front/answers/margin.hpp"
#include "model/fabric/measured/expectation.hpp"
#include "model/fabric/simulate/answer/describe.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"
#include "model/fabric/simulate/variants/placing.hpp"
#include "model/fabric/simulate/variants/policies.hpp"
#include "model/fabric/simulate/variants/sizing.hpp"

namespace assay::answers {

namespace fabric = model::fabric;

namespace {

fabric::JournalSubject subject_of(const FabricQuestion& question, std::vector<fabric::KeyValue> replaced) {
  return {.fabric_file = question.fabric.file,
          .workload_file = question.workload.file,
          .replaced = std::move(replaced),
          .command_line = question.command_line};
}

/// The question's simulations, with the loads of links where `loads` says so.
FabricSimulations simulations_of(const FabricQuestion& question,
                                 const std::vector<fabric::KeyValue>& replaced, bool loads) {
  return {question.journal, subject_of(question, replaced), question.simulation(loads)};
}

}  // namespace

std::vector<fabric::KeyValue> FabricQuestion::replaced() const {
  std::vector<fabric::KeyValue> all;
  for (const std::string& text : set) all.push_back(fabric::key_value(text, "--set"));
  return with_measured(measured, fabric, std::move(all));
}

fabric::SimulationOptions FabricQuestion::simulation(bool loads) const {
  return {.sharing = *fabric::choice_words.named(sharing),
          .seeds = seeds,
          .threads = threads,
          .loads = loads || !journal.empty(),
          .progress = progress};
}

fabric::Answer describe(const FabricQuestion& question) {
  return fabric::describe(read_fabric(question.fabric, question.replaced()));
}

fabric::Answer simulate(const FabricQuestion& question, bool scale_to_measured) {
  const std::vector<fabric::KeyValue> replaced = question.replaced();
  const fabric::Scenario scenario(read_fabric(question.fabric, replaced), read_workload(question.workload));
  if (auto cut = fabric::cut_off_answer(scenario)) return *std::move(cut);
  FabricSimulations simulations = simulations_of(question, replaced, true);
  const fabric::SimulationOptions& options = simulations.options();
  fabric::Simulation simulation = fabric::simulate(scenario, options);
  simulation.goodput_ends = fabric::simulate_goodput_ends(scenario, options);
  if (const auto see = simulations.see()) see(scenario, simulation, replaced);
  auto changes = fabric::what_would_help(scenario, simulation, options);
  if (scale_to_measured) {
    const RunExpectation run = expectation_of(question.measured, scenario.model().file(), options);
    fabric::measured::scale_to_measured(run.operations, run.run, simulation);
    changes = std::vector<fabric::Change>();  // its times are not scaled
  }
  simulations.finish();
  return fabric::with_shape(scenario.model(),
                            fabric::simulation_answer(scenario, simulation, options, changes));
}

fabric::Answer expect(const FabricQuestion& question) {
  const fabric::FabricFile file = read_fabric(question.fabric, question.replaced());
  const fabric::FabricModel model(file);
  const RunExpectation run = expectation_of(question.measured, file, question.simulation(false));
  return fabric::with_shape(model,
                            fabric::measured::expectation_answer(file, run.run, run.operations, run.left_out,
                                                                 question.simulation(false)));
}

fabric::Answer compare(const FabricQuestion& asked, const std::vector<std::string>& vary,
                       const std::string& margin) {
  fabric::PolicyQuestion question{.fabric_toml = {},
                                  .fabric_file = asked.fabric.file,
                                  .workload = {},
                                  .replaced = asked.replaced(),
                                  .varied = {},
                                  .margin = margin_from("--margin", margin)};
  for (const std::string& text : vary) question.varied.push_back(fabric::varied_key(text));
  question.fabric_toml = fabric_text(asked.fabric);
  fabric::FabricFile unvaried =
      fabric::parse_fabric(question.fabric_toml, asked.fabric.file, question.replaced);
  question.workload = read_workload(asked.workload);
  const fabric::Scenario scenario(std::move(unvaried), question.workload);
  if (auto cut = fabric::cut_off_answer(scenario)) return *std::move(cut);
  FabricSimulations simulations = simulations_of(asked, question.replaced, false);
  question.simulation = simulations.options();
  question.see = simulations.see();
  const std::vector<fabric::Policy> policies = fabric::compare_policies(question);
  simulations.finish();
  return fabric::with_shape(scenario.model(), fabric::policies_answer(question, policies));
}

fabric::Answer size(const FabricQuestion& asked, const std::string& at_most) {
  const std::vector<fabric::KeyValue> replaced = asked.replaced();
  const std::string toml = fabric_text(asked.fabric);
  fabric::FabricFile as_it_is = fabric::parse_fabric(toml, asked.fabric.file, replaced);
  const fabric::WorkloadFile workload = read_workload(asked.workload);
  const fabric::Scenario scenario(std::move(as_it_is), workload);
  if (auto cut = fabric::cut_off_answer(scenario)) return *std::move(cut);
  const std::string_view time = at_most;
  constexpr std::string_view of_step = "step=";  // the only time that there is
  FabricSimulations simulations = simulations_of(asked, replaced, false);
  const fabric::SizeQuestion question{
      .fabric_toml = toml,
      .fabric_file = asked.fabric.file,
      .workload = workload,
      .replaced = replaced,
      .at_most_us = 1e6 * core::parse_step_time_s(time.substr(time.starts_with(of_step) ? of_step.size() : 0),
                                                  "--at-most"),
      .simulation = simulations.options(),
      .see = simulations.see()};
  const fabric::SizedFabric sized = fabric::size_fabric(question);
  simulations.finish();
  return fabric::with_shape(scenario.model(), fabric::size_answer(question, sized));
}

Placement place(const FabricQuestion& question, const std::vector<std::string>& names,
                const std::string& names_file) {
  const fabric::WorkloadFile workload = read_workload(question.workload);
  const std::vector<fabric::KeyValue> replaced = question.replaced();
  const fabric::Scenario scenario(read_fabric(question.fabric, replaced), workload);
  if (auto cut = fabric::cut_off_answer(scenario)) return {*std::move(cut)};
  const fabric::PlacedRanks placed = fabric::place_ranks(scenario);
  const fabric::Scenario better(scenario.model().file(), workload, placed.host_of_rank);
  FabricSimulations simulations = simulations_of(question, replaced, false);
  const fabric::SimulationOptions& options = simulations.options();
  const fabric::Simulation before = fabric::simulate_connected(scenario, options),
                           after = fabric::simulate_connected(better, options);
  simulations.see_placement({scenario, before, options, replaced}, {better, after, options, replaced},
                            placed.cuts);
  simulations.finish();
  return {fabric::placement_answer(scenario, before, placed, after),
          fabric::rank_places(scenario, placed.host_of_rank, names, names_file)};
}

}  // namespace assay::answers
