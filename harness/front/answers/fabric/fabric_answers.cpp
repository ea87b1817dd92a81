// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/fabric_answers.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/front/answers/fabric/fabric_simulations.hpp"
#include "harness/front/answers/margin.hpp"
#include "model/fabric/measured/expectation.hpp"
#include "model/fabric/simulate/answer/describe.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"
#include "model/fabric/simulate/usual_seeds.hpp"
#include "model/fabric/simulate/variants/placing.hpp"
#include "model/fabric/simulate/variants/policies.hpp"
#include "model/fabric/simulate/variants/sizing.hpp"

namespace assay::answers {

namespace fabric = model::fabric;

namespace {

/// A question's fabric and workload, read once, and the scenario of both.
struct AskedFabric {
  explicit AskedFabric(const FabricQuestion& asked)
      : AskedFabric(asked, asked.replaced(), fabric_text(asked.fabric)) {}

  /// The question's simulations, with the loads of links where `loads` says so, of this number of seeds where
  /// none is asked for.
  FabricSimulations simulations(bool loads, std::uint32_t usual = 1) const {
    return {question.journal,
            {.fabric_file = question.fabric.file,
             .workload_file = source.file,
             .replaced = replaced,
             .command_line = question.command_line},
            question.simulation(loads, usual)};
  }

  const FabricQuestion& question;
  const std::vector<fabric::KeyValue> replaced;
  const std::string toml;
  TomlSource source;  // of the workload
  const fabric::WorkloadFile workload;
  const fabric::Scenario scenario;
  const std::optional<fabric::Answer> cut_off;  // the answer where links that are down part the ranks

 private:
  AskedFabric(const FabricQuestion& asked, const std::vector<fabric::KeyValue>& own, const std::string& text)
      : AskedFabric(asked, own, text, fabric::parse_fabric(text, asked.fabric.file, own)) {}
  AskedFabric(const FabricQuestion& asked, const std::vector<fabric::KeyValue>& own, const std::string& text,
              fabric::FabricFile file)
      : question(asked),
        replaced(own),
        toml(text),
        source(question.workload),
        workload(workload_on(file)),
        scenario(std::move(file), workload),
        cut_off(fabric::cut_off_answer(scenario)) {}

  fabric::WorkloadFile workload_on(const fabric::FabricFile& file) {
    if (!question.collective.name.empty())
      source = workload_of(question.collective, fabric::topology_of(file).hosts());
    return read_workload(source);
  }
};

}  // namespace

TomlSource workload_of(const AskedCollective& asked, std::uint32_t gpus) {
  if (asked.bytes.empty()) core::usage_error("--collective: expected --bytes SIZE with it");
  const std::uint32_t ranks = asked.ranks == 0 ? gpus : asked.ranks;
  if (ranks > gpus) core::usage_error(fmt::format("--ranks {}: the fabric has {} GPUs", ranks, gpus));
  const std::string algorithm =
      asked.algorithm.empty() ? "" : fmt::format("algorithm = {:?}\n", asked.algorithm);
  const bool is_pattern = asked.name != "all_to_all" && fabric::pattern_words.named(asked.name);
  return {
      "--collective",
      fmt::format("name = {0:?}\nranks = {1}\n[[stream]]\n[[stream.op]]\n{2} = {0:?}\n{3}bytes = \"{4}B\"\n",
                  asked.name, ranks, is_pattern ? "pattern" : "collective", algorithm,
                  core::parse_bytes(asked.bytes))};
}

std::vector<fabric::KeyValue> FabricQuestion::replaced() const {
  return with_measured(measured, fabric, fabric::key_values(set, "--set"));
}

fabric::SimulationOptions FabricQuestion::simulation(bool loads, std::uint32_t usual) const {
  return {.sharing = *fabric::choice_words.named(sharing),
          .seeds = seeds.value_or(usual),
          .threads = threads,
          .loads = loads || !journal.empty(),
          .progress = progress};
}

fabric::Answer describe(const FabricQuestion& question) {
  return fabric::describe(read_fabric(question.fabric, question.replaced()));
}

fabric::Answer simulate(const FabricQuestion& question, bool scale_to_measured) {
  const AskedFabric asked(question);
  if (asked.cut_off) return *asked.cut_off;
  const fabric::Scenario& scenario = asked.scenario;
  const fabric::UsualSeeds usual = fabric::usual_seeds(scenario.model());
  FabricSimulations simulations = asked.simulations(true, usual.count);
  const fabric::SimulationOptions& options = simulations.options();
  fabric::Simulation simulation = fabric::simulate(scenario, options);
  simulation.goodput_ends = fabric::simulate_goodput_ends(scenario, options);
  if (const auto see = simulations.see()) see(scenario, simulation, asked.replaced);
  auto changes = fabric::what_would_help(scenario, simulation, options);
  if (scale_to_measured) {
    const RunExpectation run = expectation_of(question.measured, scenario.model().file(), options);
    fabric::measured::scale_to_measured(run.operations, run.run, simulation);
    changes = std::vector<fabric::Change>();  // its times are not scaled
  }
  simulations.finish();
  fabric::Answer answer = fabric::simulation_answer(scenario, simulation, options, changes);
  if (!question.seeds && !usual.reason.empty()) answer.notes.insert(answer.notes.begin(), usual.reason);
  return fabric::with_shape(scenario.model(), std::move(answer));
}

fabric::Answer expect(const FabricQuestion& question) {
  const fabric::FabricFile file = read_fabric(question.fabric, question.replaced());
  const fabric::FabricModel model(file);
  const RunExpectation run = expectation_of(question.measured, file, question.simulation(false));
  return fabric::with_shape(model,
                            fabric::measured::expectation_answer(file, run.run, run.operations, run.left_out,
                                                                 question.simulation(false)));
}

fabric::Answer compare(const FabricQuestion& question, const std::vector<std::string>& vary,
                       const std::string& margin) {
  const double margin_share = margin_from("--margin", margin);
  std::vector<fabric::VariedKey> varied;
  for (const std::string& text : vary) varied.push_back(fabric::varied_key(text));
  const AskedFabric asked(question);
  if (asked.cut_off) return *asked.cut_off;
  FabricSimulations simulations = asked.simulations(false);
  const fabric::PolicyQuestion policies{.fabric_toml = asked.toml,
                                        .fabric_file = question.fabric.file,
                                        .workload = asked.workload,
                                        .replaced = asked.replaced,
                                        .varied = varied,
                                        .margin = margin_share,
                                        .simulation = simulations.options(),
                                        .see = simulations.see()};
  const std::vector<fabric::Policy> compared = fabric::compare_policies(policies);
  simulations.finish();
  return fabric::with_shape(asked.scenario.model(), fabric::policies_answer(policies, compared));
}

fabric::Answer size(const FabricQuestion& question, const std::string& at_most) {
  const AskedFabric asked(question);
  if (asked.cut_off) return *asked.cut_off;
  const std::string_view time = at_most;
  constexpr std::string_view of_step = "step=";  // the only time that there is
  FabricSimulations simulations = asked.simulations(false);
  const fabric::SizeQuestion sizes{
      .fabric_toml = asked.toml,
      .fabric_file = question.fabric.file,
      .workload = asked.workload,
      .replaced = asked.replaced,
      .at_most_us = 1e6 * core::parse_step_time_s(time.substr(time.starts_with(of_step) ? of_step.size() : 0),
                                                  "--at-most"),
      .simulation = simulations.options(),
      .see = simulations.see()};
  const fabric::SizedFabric sized = fabric::size_fabric(sizes);
  simulations.finish();
  return fabric::with_shape(asked.scenario.model(), fabric::size_answer(sizes, sized));
}

Placement place(const FabricQuestion& question, const std::vector<std::string>& names,
                const std::string& names_file) {
  const AskedFabric asked(question);
  if (asked.cut_off) return {*asked.cut_off};
  const fabric::Scenario& scenario = asked.scenario;
  const fabric::PlacedRanks placed = fabric::place_ranks(scenario);
  const fabric::Scenario better(scenario.model().file(), asked.workload, placed.host_of_rank);
  FabricSimulations simulations = asked.simulations(false);
  const fabric::SimulationOptions& options = simulations.options();
  const fabric::Simulation before = fabric::simulate_connected(scenario, options),
                           after = fabric::simulate_connected(better, options);
  simulations.see_placement({scenario, before, options, asked.replaced},
                            {better, after, options, asked.replaced}, placed.cuts);
  simulations.finish();
  Placement all{fabric::placement_answer(scenario, before, placed, after),
                fabric::rank_places(scenario, placed.host_of_rank, names, names_file)};
  if (names.empty()) all.named_places = fabric::places_by_nodes(scenario, placed.host_of_rank);
  if (all.named_places.empty()) all.named_places = all.places;
  return all;
}

}  // namespace assay::answers
