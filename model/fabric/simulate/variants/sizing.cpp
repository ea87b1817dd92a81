// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/variants/sizing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "model/fabric/sharing/window.hpp"

namespace assay::model::fabric {
namespace {

using Column = results::Column;

struct Candidate {
  std::string key, meaning;
  std::vector<double> values;  // the least first
  std::string (*text)(double value);
  Finer finer = Finer::none;
};

std::string count_text(double value) { return fmt::format("{:g}", value); }
std::string kib_text(double value) { return fmt::format("{:g}KiB", value); }

/// The least capacity first.
constexpr double most_ratio = 8;
std::string ratio_text(double value) { return count_text(most_ratio - value); }

std::vector<double> powers_from(double first, double most) {
  std::vector<double> all = powers_of_two(most);
  std::erase_if(all, [&](double value) { return value < first; });
  return all;
}

constexpr std::uint32_t most_counts_tried = 64;

/// From one to twice as many as a non-blocking leaf has; every one of few, else evenly spaced.
std::vector<double> uplinks_of(std::uint32_t hosts_per_leaf, std::uint32_t uplinks_per_spine) {
  const std::uint32_t most = std::max(1U, 2 * hosts_per_leaf / uplinks_per_spine);
  const std::uint32_t step = (most + most_counts_tried - 1) / most_counts_tried;
  std::vector<double> spines;
  for (std::uint32_t count = step; count <= most; count += step) spines.push_back(count);
  return spines;
}

/// Hosts below a leaf, and its uplinks to each spine, of shapes with spines of their own.
std::optional<std::pair<std::uint32_t, std::uint32_t>> leaf_of(const FabricShape& shape) {
  if (const auto* zone = std::get_if<ZoneShape>(&shape))
    return std::pair(zone->gpus_per_leaf, zone->uplinks_per_spine);
  if (const auto* rail = std::get_if<RailShape>(&shape))
    return std::pair(rail->nodes_per_group, rail->uplinks_per_spine);
  return std::nullopt;
}

std::vector<Candidate> candidates_of(const FabricFile& fabric) {
  std::vector<Candidate> all;
  if (const auto leaf = leaf_of(fabric.shape))
    all.push_back({"spines", "uplinks of a leaf over those to a spine", uplinks_of(leaf->first, leaf->second),
                   count_text});
  if (std::holds_alternative<DataCentreShape>(fabric.shape))
    all.push_back({"ratio", "capacity of a zone down over up", {0, 1, 2, 3, 4, 5, 6, 7}, ratio_text});
  const RoutingKind kind = fabric.routing.kind;
  const bool splits =
      kind == RoutingKind::tables ? fabric.routing.spread_lids : kind != RoutingKind::adaptive;
  if (!fabric.engineered && splits)
    all.push_back({"routing.queue_pairs", "of a message", powers_of_two(64), count_text, Finer::each});
  if (fabric.switches.kind == BufferKind::fixed && !fabric.rate_control)
    all.push_back({"switch.xoff", "buffer of an input port below XOFF", powers_from(8, 4096), kib_text,
                   Finer::halving});
  if (fabric.admission)
    all.push_back({"admission.buffer", fmt::format("of each of {} channels", fabric.admission->channels),
                   powers_from(4, 4096), kib_text, Finer::halving});
  return all;
}

double simulated_us(const SizeQuestion& question, FabricFile fabric, const std::vector<KeyValue>& replaced) {
  const Scenario scenario(std::move(fabric), question.workload);
  const Simulation simulation = simulate_connected(scenario, question.simulation);
  if (question.see) question.see(scenario, simulation, replaced);
  return median_us(simulation);
}

double time_us_with(const SizeQuestion& question, const KeyValue& value) {
  std::vector<KeyValue> replaced = question.replaced;
  replaced.push_back(value);
  if (value.key == "switch.xoff") replaced.push_back({"switch.xon", "4KiB"});  // below every XOFF
  try {
    return simulated_us(question, parse_fabric(question.fabric_toml, question.fabric_file, replaced),
                        replaced);
  } catch (const core::Error&) {  // the file as it is has no fault
    return std::numeric_limits<double>::infinity();
  }
}

std::string tried_text(const std::string& value, double time_us) {
  return std::isinf(time_us) ? value + ": not possible" : fmt::format("{}: {:.4g} ms", value, 1e-3 * time_us);
}

results::Table table_of(const std::vector<SizedKey>& keys) {
  results::Table table{.title = "Least that does it, one at a time"};
  table.columns = {{"key", "", Column::Kind::word},
                   {"meaning", "", Column::Kind::text},
                   {"least", "", Column::Kind::word},
                   {"time", "ms", Column::Kind::number},
                   {"values tried", "", Column::Kind::text}};
  for (const SizedKey& one : keys) {
    const auto& tried = one.answer.tried;
    std::vector<std::string> values;
    for (const SizeTried& each : tried) values.push_back(tried_text(one.text(each.value), each.step_us));
    const double time_us = one.answer.least
                               ? std::ranges::find(tried, *one.answer.least, &SizeTried::value)->step_us
                               : one.answer.fastest_us;
    table.rows.push_back(
        {one.key, one.meaning, one.answer.least ? one.text(*one.answer.least) : "none",
         std::isinf(time_us) ? results::Cell() : results::Cell(results::Number{1e-3 * time_us}),
         fmt::format("{}", fmt::join(values, ", "))});
  }
  return table;
}

std::optional<double> headroom_of(const FabricFile& fabric) {
  if (fabric.link_metres <= 0 || !response_time_is_known(fabric.link.gbit_per_s)) return std::nullopt;
  const double packet = largest_packet_bytes();
  return headroom_bytes({.gbit_per_s = fabric.link.gbit_per_s,
                         .metres = fabric.link_metres,
                         .far_packet_bytes = packet,
                         .near_packet_bytes = packet});
}

std::string json_of(const SizeQuestion& question, const Answer& answer, const SizedFabric& sized,
                    const std::optional<double>& headroom) {
  nlohmann::ordered_json json = {{"origin", "simulated"},
                                 {"answer", answer.sentence},
                                 {"notes", answer.notes},
                                 {"at_most_us", question.at_most_us},
                                 {"as_it_is_us", sized.as_it_is_us},
                                 {"keys", nlohmann::ordered_json::array()}};
  if (headroom) json["headroom_bytes"] = *headroom;
  for (const SizedKey& one : sized.keys) {
    nlohmann::ordered_json tried = nlohmann::ordered_json::array();
    for (const SizeTried& each : one.answer.tried)
      tried.push_back({{"value", one.text(each.value)},
                       {"time_us", std::isinf(each.step_us) ? nlohmann::ordered_json()
                                                            : nlohmann::ordered_json(each.step_us)}});
    nlohmann::ordered_json least;
    if (one.answer.least) least = one.text(*one.answer.least);
    json["keys"].push_back({{"key", one.key}, {"least", least}, {"tried", tried}});
  }
  return core::json_text(json, 2);
}

}  // namespace

SizedFabric size_fabric(const SizeQuestion& question) {
  SizedFabric sized{parse_fabric(question.fabric_toml, question.fabric_file, question.replaced)};
  sized.as_it_is_us = simulated_us(question, sized.as_it_is, question.replaced);
  for (Candidate& one : candidates_of(sized.as_it_is)) {
    const StepOf step_us = [&](double value) { return time_us_with(question, {one.key, one.text(value)}); };
    SizeAnswer answer = least_that_reaches(one.values, question.at_most_us, step_us);
    refine(answer, one.finer, question.at_most_us, step_us);
    sized.keys.push_back({std::move(one.key), std::move(one.meaning), one.text, std::move(answer)});
  }
  return sized;
}

Answer size_answer(const SizeQuestion& question, const SizedFabric& sized) {
  const FabricFile& fabric = sized.as_it_is;
  std::vector<std::string> enough;
  for (const SizedKey& one : sized.keys)
    if (one.answer.least) enough.push_back(fmt::format("{} {}", one.key, one.text(*one.answer.least)));
  const std::string limit = core::format_seconds(1e-6 * question.at_most_us);
  Answer answer;
  const bool as_it_is = sized.as_it_is_us <= question.at_most_us;
  const std::string now = core::format_seconds(1e-6 * sized.as_it_is_us);
  answer.holds = as_it_is || !enough.empty();
  answer.sentence = fmt::format("at most {}: ", limit);
  if (!enough.empty())
    answer.sentence += fmt::format("{} is enough; as it is: {}", fmt::join(enough, ", or "), now);
  else
    answer.sentence += as_it_is ? fmt::format("reached as it is, in {}", now)
                                : fmt::format("no key reaches it alone; as it is: {}", now);
  answer.notes = {
      fmt::format("Simulated; medians of hash seeds 1 to {}; each key alone, the others as in {}.",
                  question.simulation.seeds, question.fabric_file)};
  for (std::string& note : origin_notes(fabric)) answer.notes.push_back(std::move(note));
  const std::optional<double> headroom = headroom_of(fabric);
  if (headroom)
    answer.notes.push_back(fmt::format("Priority flow control needs {:.0f} kB a port above XOFF on {:g} m.",
                                       1e-3 * *headroom, fabric.link_metres));
  else if (fabric.link_metres > 0)
    answer.notes.push_back(
        fmt::format("Headroom above XOFF is not known at {:g} Gbit/s: no response time to a "
                    "pause is published.",
                    fabric.link.gbit_per_s));
  answer.tables = {table_of(sized.keys)};
  answer.json = json_of(question, answer, sized, headroom);
  return answer;
}

}  // namespace assay::model::fabric
