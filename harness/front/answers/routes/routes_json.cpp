// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "harness/core/text/json_text.hpp"
#include "harness/front/answers/routes/judged_routes.hpp"

namespace assay::answers {
namespace {

namespace routes = model::fabric::routes;

using RouteJson = nlohmann::ordered_json;

RouteJson patterns_json(const JudgedRoutes& all) {
  const routes::RouteJudgement& judged = all.judged;
  RouteJson json = {{"verdict", all.verdict()},
                    {"faults", all.faults},
                    {"hosts", judged.hosts},
                    {"planes", judged.planes},
                    {"pairs", judged.pairs}};
  json["ring"] = judged.ring.worst;
  json["shifts"] = {{"free", judged.free_shifts()}, {"of", judged.shifts.size()},
                    {"mean", judged.mean_shift()},  {"worst", judged.worst_shift()},
                    {"worst_by", all.worst_by()},   {"busiest", judged.shifts}};
  if (!judged.permutations.empty())
    json["permutations"] = {{"drawn", judged.permutations.size()},
                            {"seed", all.question.seed},
                            {"median", quantile_of(judged.permutations, 0.5)},
                            {"quantile_95", quantile_of(judged.permutations, 0.95)},
                            {"worst", judged.permutations.back()},
                            {"effective_bisection_bandwidth", judged.effective_bisection}};
  return json;
}

RouteJson lost_json(const JudgedRoutes& all) {
  RouteJson json = RouteJson::array();
  for (const routes::LostCable& one : all.lost)
    json.push_back({{"cable", all.topology.name_of_link(one.cable)},
                    {"pairs_cut", one.pairs},
                    {"pairs_separated", one.separated},
                    {"entries_moved", one.moved},
                    {"all_to_all_busiest", one.busiest},
                    {"all_to_all_link", all.topology.name_of_link(one.at)},
                    {"all_to_all_times", one.times}});
  return json;
}

RouteJson lanes_json(const JudgedRoutes& all) {
  if (!all.lanes) return {{"virtual_lanes", 1}, {"service_levels", "unknown"}};
  return {{"virtual_lanes", all.lanes->lanes_used},
          {"service_levels", "stated"},
          {"paths", all.lanes->pairs},
          {"paths_at_assumed_level_0", all.lanes->unknown},
          {"maps", all.has_lane_maps ? "stated" : "assumed"}};
}

}  // namespace

std::string routes_json(const JudgedRoutes& all) {
  const routes::RouteJudgement& judged = all.judged;
  RouteJson json = patterns_json(all);
  const auto& all_to_all = judged.all_to_all;
  json["all_to_all"] = {{"busiest", all_to_all.worst},
                        {"link", all_to_all.worst == 0 ? "" : all.topology.name_of_link(all_to_all.busiest)},
                        {"times", judged.all_to_all_times},
                        {"times_dealt_evenly", judged.even_all_to_all_times},
                        {"undelivered", all_to_all.undelivered}};
  for (const routes::TierBalance& tier : judged.tiers)
    json["tiers"].push_back({{"name", tier.name},
                             {"links", tier.links},
                             {"least", tier.least},
                             {"mean", tier.mean()},
                             {"most", tier.most}});
  json["detours"] = {{"pairs", judged.detours.pairs}, {"most_links", judged.detours.most_hops}};
  if (const routes::LostCable* most = all.cuts_most())
    json["lost_cable"] = {{"pairs_cut", most->pairs}, {"cable", all.topology.name_of_link(most->cable)}};
  json["lost_cables"] = lost_json(all);
  json["credit_loop"] = all.cycle_names();
  json["credit_loop_lanes"] = lanes_json(all);
  json["notes"] = all.file.route_notes;
  json["findings"] = RouteJson::array();
  for (const routes::RouteFinding& one : judged.findings)
    json["findings"].push_back({{"kind", core::word_of(one.kind)},
                                {"switch", all.topology.name_of(one.at)},
                                {"lid", one.lid},
                                {"lids", one.lids},
                                {"port", one.port},
                                {"text", routes::text_of(all.topology, one)}});
  return core::json_text(json, 2) + "\n";
}

}  // namespace assay::answers
