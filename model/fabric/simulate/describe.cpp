// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/json_text.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/simulate/answer_tables.hpp"

namespace assay::model::fabric {

namespace {

using Kind = results::Column::Kind;
using results::Number;

constexpr std::size_t most_hosts_named = 16;

TierShape shape_of_tier(const FabricModel& model, std::size_t tier) {
  const Topology& topology = model.topology();
  TierShape shape{.name = topology.kind_of_tier(tier),
                  .nodes = topology.first_of_tier(tier + 1) - topology.first_of_tier(tier)};
  for (NodeId node = topology.first_of_tier(tier); node < topology.first_of_tier(tier + 1); ++node) {
    for (LinkId link = topology.first_up(node); link < topology.end_up(node); ++link)
      if (topology.live(link))
        shape.up_gb_per_s += 1e-3 * topology.capacity(link);
      else
        ++shape.failed_cables;
    for (LinkId link = topology.first_down(node); link < topology.end_down(node); ++link)
      if (topology.live(link)) shape.down_gb_per_s += 1e-3 * topology.capacity(link);
  }
  return shape;
}

/// From the first host to the last it reaches, which is as far as any in these shapes.
std::vector<LinkId> longest_path(const FabricModel& model) {
  const Topology& topology = model.topology();
  const Router router(topology, {});
  std::vector<LinkId> longest;
  for (NodeId leaf = topology.hosts(); leaf < topology.hosts() + topology.leaves(); ++leaf) {
    if (topology.first_down(leaf) == topology.end_down(leaf)) continue;
    const NodeId to = topology.to(topology.end_down(leaf) - 1);
    if (to == 0) continue;
    try {
      router.route(0, to, 1, 0, [&](std::span<const LinkId> path, std::uint64_t) {
        if (path.size() > longest.size()) longest.assign(path.begin(), path.end());
      });
    } catch (const core::Error&) {  // separated by failures, which is a finding of its own
    }
  }
  return longest;
}

results::Table tier_table(const FabricShapeFacts& facts) {
  results::Table table{.title = "Tiers"};
  table.columns = {{"tier", "", Kind::word},       {"nodes", "", Kind::count},
                   {"down", "GB/s", Kind::number}, {"up", "GB/s", Kind::number},
                   {"down/up", "", Kind::number},  {"failed cables up", "", Kind::count}};
  const auto unless_zero = [](double value) {
    return value > 0 ? results::Cell(Number{value}) : results::Cell();
  };
  for (const TierShape& one : facts.tiers)
    table.rows.push_back({one.name, std::int64_t{one.nodes}, unless_zero(one.down_gb_per_s),
                          unless_zero(one.up_gb_per_s), unless_zero(one.ratio()),
                          static_cast<std::int64_t>(one.failed_cables)});
  return table;
}

results::Table property_table(const FabricShapeFacts& facts) {
  results::Table table{.title = "Properties"};
  table.columns = {{"property", "", Kind::text}, {"value", "", Kind::number}, {"unit", "", Kind::word}};
  const auto add = [&](const char* name, double value, const char* unit) {
    table.rows.push_back({name, Number{value}, unit});
  };
  add("cables", static_cast<double>(facts.cables), "");
  add("diameter", facts.diameter, "links");
  add("round trip over it, without load", facts.round_trip_us, "us");
  add("window for full rate over it", 1e-6 * facts.window_bytes, "MB");
  add("bisection", facts.bisection_gb_per_s, "GB/s");
  if (std::isfinite(facts.pause_above_bytes))
    add("XOFF of a leaf's port", 1e-3 * facts.pause_above_bytes, "kB");
  return table;
}

std::string json_of(const FabricFile& fabric, const FabricModel& model, const FabricShapeFacts& facts,
                    const Answer& answer, const std::vector<std::string>& cut) {
  nlohmann::ordered_json json = {{"origin", "simulated"},
                                 {"answer", answer.sentence},
                                 {"notes", answer.notes},
                                 {"fabric", fabric.name},
                                 {"preset", fabric.preset},
                                 {"gpus", model.topology().hosts()},
                                 {"cables", facts.cables},
                                 {"diameter_links", facts.diameter},
                                 {"round_trip_us", facts.round_trip_us},
                                 {"full_rate_window_bytes", facts.window_bytes},
                                 {"bisection_gb_per_s", facts.bisection_gb_per_s},
                                 {"buffer_cycle", nlohmann::ordered_json::array()},
                                 {"cut_off_hosts", cut},
                                 {"tiers", nlohmann::ordered_json::array()}};
  for (const TierShape& one : facts.tiers)
    json["tiers"].push_back({{"name", one.name},
                             {"nodes", one.nodes},
                             {"down_gb_per_s", one.down_gb_per_s},
                             {"up_gb_per_s", one.up_gb_per_s},
                             {"ratio", one.ratio()},
                             {"failed_cables", one.failed_cables}});
  return core::json_text(json, 2);
}

/// "4,096 GPUs on 256 leafs": counts from hosts up, and the ratios that are not 1.
std::string sentence_of(const FabricFile& fabric, const FabricShapeFacts& facts) {
  std::vector<std::string> counts, ratios;
  for (const TierShape& one : facts.tiers) {
    const std::string what = one.name == "host" ? "GPU" : one.name + " switch";
    const char* const plural = one.name == "host" ? "s" : "es";
    counts.push_back(fmt::format("{} {}{}", one.nodes, what, one.nodes == 1 ? "" : plural));
    if (one.name != "host" && one.ratio() > 0)
      ratios.push_back(fmt::format("1:{:.4g} above {}", one.ratio(), one.name));
  }
  return fmt::format("{}: {}{}{}; diameter {} links, round trip {:.3g} us", fabric.name,
                     fmt::join(counts, ", "), ratios.empty() ? "" : "; ", fmt::join(ratios, ", "),
                     facts.diameter, facts.round_trip_us);
}

}  // namespace

std::optional<Answer> cycle_answer(const FabricFile& fabric) {
  const auto* const cables = std::get_if<std::vector<NamedCable>>(&fabric.shape);
  if (cables == nullptr) return std::nullopt;
  const std::vector<std::string> cycle = cycle_of_cables(*cables);
  if (cycle.empty()) return std::nullopt;
  Answer answer{
      .sentence = fmt::format("{}: buffers can wait for one another in a circle, a possible deadlock "
                              "of priority flow control: {}",
                              fabric.name, fmt::join(cycle, ", ")),
      .holds = false};
  answer.json = core::json_text(
      nlohmann::ordered_json{{"origin", "simulated"}, {"finding", answer.sentence}, {"buffer_cycle", cycle}},
      2);
  return answer;
}

FabricShapeFacts facts_of(const FabricModel& model) {
  const Topology& topology = model.topology();
  FabricShapeFacts facts{.tiers = {}, .cables = topology.links() / 2};
  double least_up = std::numeric_limits<double>::infinity();
  for (std::size_t tier = 0; tier < topology.tiers(); ++tier) {
    facts.tiers.push_back(shape_of_tier(model, tier));
    if (facts.tiers.back().up_gb_per_s > 0) least_up = std::min(least_up, facts.tiers.back().up_gb_per_s);
  }
  facts.bisection_gb_per_s = least_up / 2;
  const std::vector<LinkId> path = longest_path(model);
  facts.diameter = static_cast<int>(path.size());
  facts.pause_above_bytes = pause_above_bytes(model.file(), topology, topology.hosts());
  if (path.empty()) return facts;
  facts.round_trip_us = model.round_trip_us(path);
  const double wait_us = model.file().admission ? model.file().admission->wait_us : 0;
  facts.window_bytes = model.capacity(path.front()) * (facts.round_trip_us + wait_us);
  return facts;
}

Answer describe(const FabricFile& fabric) {
  if (auto cycle = cycle_answer(fabric)) return *cycle;
  const FabricModel model(fabric);
  const FabricShapeFacts facts = facts_of(model);
  Answer answer{.sentence = sentence_of(fabric, facts), .notes = origin_notes(fabric)};
  std::vector<std::string> cut;
  for (const NodeId host : Router(model.topology(), {}).next_hops().cut_off(model.topology()))
    cut.push_back(model.topology().name_of(host));
  if (!cut.empty()) {
    std::vector<std::string> named(
        cut.begin(), cut.begin() + static_cast<std::ptrdiff_t>(std::min(cut.size(), most_hosts_named)));
    const std::string hosts =
        fmt::format("{}{}", fmt::join(named, ", "), cut.size() > named.size() ? ", ..." : "");
    refuse_without_failures(fabric, hosts);
    answer.holds = false;
    answer.sentence = fmt::format("{}: failures cut {} of {} hosts off: {}", fabric.name, cut.size(),
                                  model.topology().hosts(), hosts);
  }
  answer.tables = {tier_table(facts), property_table(facts)};
  answer.json = json_of(fabric, model, facts, answer, cut);
  return answer;
}

}  // namespace assay::model::fabric
