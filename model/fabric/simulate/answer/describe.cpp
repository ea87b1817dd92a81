// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/text/json_text.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/routing/route_rule.hpp"
#include "model/fabric/simulate/answer/answer_tables.hpp"
#include "model/fabric/simulate/answer/shape_findings.hpp"

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
    double up = 0, down = 0;
    for (LinkId link = topology.first_down(node); link < topology.end_down(node); ++link)
      if (topology.live(link) && !topology.within_tier(link)) down += 1e-3 * topology.capacity(link);
    for (LinkId link = topology.first_up(node); link < topology.end_up(node); ++link)
      if (!topology.live(link))
        ++shape.failed_cables;
      else if (topology.within_tier(link))
        ++shape.cables_within;
      else
        up += 1e-3 * topology.capacity(link);
    shape.down_gb_per_s += down;
    shape.up_gb_per_s += up;
    if (down > 0) shape.fed_gb_per_s += up;
  }
  return shape;
}

bool has_cables_within(const FabricShapeFacts& facts) {
  return std::ranges::any_of(facts.tiers, [](const TierShape& one) { return one.cables_within > 0; });
}

results::Table tier_table(const FabricShapeFacts& facts) {
  results::Table table{.title = "Tiers"};
  table.columns = {{"tier", "", Kind::word},       {"nodes", "", Kind::count},
                   {"down", "GB/s", Kind::number}, {"up", "GB/s", Kind::number},
                   {"down/up", "", Kind::number},  {"failed cables up", "", Kind::count}};
  const auto unless_zero = [](double value) {
    return value > 0 ? results::Cell(Number{value}) : results::Cell();
  };
  const bool within = has_cables_within(facts);
  if (within) table.columns.push_back({"cables within", "", Kind::count});
  for (const TierShape& one : facts.tiers) {
    table.rows.push_back({one.name, std::int64_t{one.nodes}, unless_zero(one.down_gb_per_s),
                          unless_zero(one.up_gb_per_s), unless_zero(one.ratio()),
                          static_cast<std::int64_t>(one.failed_cables)});
    if (within) table.rows.back().emplace_back(static_cast<std::int64_t>(one.cables_within));
  }
  return table;
}

results::Table property_table(const FabricShapeFacts& facts) {
  results::Table table{.title = "Properties"};
  table.columns = {{"property", "", Kind::text}, {"value", "", Kind::number}, {"unit", "", Kind::word}};
  const auto add = [&](const char* name, double value, const char* unit) {
    table.rows.push_back({name, Number{value}, unit});
  };
  add("cables", static_cast<double>(facts.cables), "");
  add("diameter", facts.farthest.links, "links");
  add("longest round trip, without load", facts.farthest.round_trip_us, "us");
  add("window for full rate over it", 1e-6 * facts.farthest.window_bytes, "MB");
  if (facts.bisection_gb_per_s) add("bisection", *facts.bisection_gb_per_s, "GB/s");
  if (std::isfinite(facts.pause_above_bytes))
    add("XOFF of a leaf's port", 1e-3 * facts.pause_above_bytes, "kB");
  return table;
}

std::string json_of(const FabricFile& fabric, const FabricModel& model, const FabricShapeFacts& facts,
                    const Answer& answer, const std::vector<NodeId>& cut) {
  std::vector<std::string> names;
  for (const NodeId host : cut) names.push_back(model.topology().name_of(host));
  nlohmann::ordered_json json = {{"origin", "simulated"},
                                 {"answer", answer.sentence},
                                 {"notes", answer.notes},
                                 {"fabric", fabric.name},
                                 {"preset", fabric.preset},
                                 {"gpus", model.topology().hosts()},
                                 {"cables", facts.cables},
                                 {"diameter_links", facts.farthest.links},
                                 {"round_trip_us", facts.farthest.round_trip_us},
                                 {"full_rate_window_bytes", facts.farthest.window_bytes},
                                 {"bisection_gb_per_s", nullptr},
                                 {"buffer_cycle", cycle_names(model)},
                                 {"cut_off_hosts", names},
                                 {"tiers", nlohmann::ordered_json::array()}};
  if (facts.bisection_gb_per_s) json["bisection_gb_per_s"] = *facts.bisection_gb_per_s;
  for (const TierShape& one : facts.tiers) {
    json["tiers"].push_back({{"name", one.name},
                             {"nodes", one.nodes},
                             {"down_gb_per_s", one.down_gb_per_s},
                             {"up_gb_per_s", one.up_gb_per_s},
                             {"ratio", one.ratio()},
                             {"failed_cables", one.failed_cables}});
    if (has_cables_within(facts)) json["tiers"].back()["cables_within"] = one.cables_within;
  }
  return core::json_text(json, 2);
}

/// "4,096 GPUs on 256 leafs": counts from hosts up, and the ratios that are not 1.
std::string sentence_of(const FabricFile& fabric, const FabricShapeFacts& facts) {
  std::vector<std::string> counts, more;
  for (std::size_t tier = 0; tier < facts.tiers.size(); ++tier) {
    const TierShape& one = facts.tiers[tier];
    const std::string what = tier == 0 ? "GPU" : one.name + " switch";
    const char* const plural = tier == 0 ? "s" : "es";
    counts.push_back(fmt::format("{} {}{}", one.nodes, what, one.nodes == 1 ? "" : plural));
    if (tier > 0 && one.ratio() > 0) more.push_back(fmt::format("1:{:.4g} above {}", one.ratio(), one.name));
    if (one.cables_within > 0)
      more.push_back(fmt::format("{} cable{} within {}", one.cables_within, one.cables_within == 1 ? "" : "s",
                                 one.name));
  }
  return fmt::format("{}: {}{}{}; diameter {} links, round trip {:.3g} us", fabric.name,
                     fmt::join(counts, ", "), more.empty() ? "" : "; ", fmt::join(more, ", "),
                     facts.farthest.links, facts.farthest.round_trip_us);
}

/// Whether servers with ports in several parts join all of them, as planes.
bool are_planes(const FabricFile& fabric, const std::vector<std::vector<NodeId>>& parts) {
  if (!fabric.states_servers) return false;
  std::map<NodeId, std::size_t> part_of_server;
  std::vector<std::size_t> joined(parts.size());
  std::iota(joined.begin(), joined.end(), 0U);
  const auto root = [&](std::size_t part) {
    while (joined[part] != part) part = joined[part];
    return part;
  };
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const NodeId host : parts[part]) {
      const auto [at, is_new] = part_of_server.try_emplace(host / fabric.server.gpus, part);
      if (!is_new) joined[root(part)] = root(at->second);
    }
  return std::ranges::all_of(
      parts, [&, part = std::size_t{0}](const auto&) mutable { return root(part++) == root(0); });
}

/// Hosts that failures cut off from the others; or, where nothing has failed, parts that no cable joins.
std::vector<NodeId> find_cut_off(const FabricModel& model, const NextHops& hops, Answer& answer) {
  const Topology& topology = model.topology();
  const std::vector<NodeId> cut = hops.cut_off(topology);
  if (cut.empty()) return cut;
  if (!model.file().failed.empty()) {
    answer.holds = false;
    answer.sentence = fmt::format("{}: failures cut {} of {} hosts off: {}", model.file().name, cut.size(),
                                  topology.hosts(), some_names(topology, cut, most_hosts_named));
    return cut;
  }
  const std::vector<std::vector<NodeId>> parts = parts_of_hosts(topology);
  const std::string text = parts_text(topology, parts);
  if (are_planes(model.file(), parts)) {
    answer.notes.push_back(fmt::format("{} planes, which only servers join: {}.", parts.size(), text));
    return {};
  }
  answer.holds = false;
  answer.sentence += fmt::format("; no cable joins {}", text);
  return cut;
}

}  // namespace

FabricShapeFacts facts_of(const FabricModel& model, const NextHops& hops) {
  const Topology& topology = model.topology();
  FabricShapeFacts facts{.tiers = {}, .cables = topology.links() / 2};
  double least_up = std::numeric_limits<double>::infinity();
  for (std::size_t tier = 0; tier < topology.tiers(); ++tier) {
    facts.tiers.push_back(shape_of_tier(model, tier));
    const TierShape& shape = facts.tiers.back();
    const double up = tier == 0 ? shape.up_gb_per_s : shape.fed_gb_per_s;
    if (up > 0) least_up = std::min(least_up, up);
  }
  if (topology.route_rule() == RouteRule::up_down) facts.bisection_gb_per_s = least_up / 2;
  facts.pause_above_bytes = pause_above_bytes(model.file(), topology, topology.hosts());
  facts.farthest = farthest_of(model, hops, model.file().admission ? model.file().admission->wait_us : 0);
  return facts;
}

Answer describe(const FabricFile& fabric) {
  const FabricModel model(fabric);
  const NextHops hops(model.topology());
  const FabricShapeFacts facts = facts_of(model, hops);
  Answer answer{.sentence = sentence_of(fabric, facts), .notes = origin_notes(fabric)};
  const std::vector<NodeId> cut = find_cut_off(model, hops, answer);
  answer.tables = {tier_table(facts), property_table(facts)};
  answer.json = json_of(fabric, model, facts, answer, cut);
  return with_shape(model, std::move(answer));
}

}  // namespace assay::model::fabric
