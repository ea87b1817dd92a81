// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/routes/routes_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/front/answers/routes/judged_routes.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace routes = model::fabric::routes;

std::vector<std::string> faults_of(const JudgedRoutes& all) {
  const RoutesQuestion& question = all.question;
  const routes::RouteJudgement& judged = all.judged;
  std::vector<std::string> faults;
  if (!judged.findings.empty() || judged.all_to_all.undelivered > 0)
    faults.push_back(
        fmt::format("{} of {} pairs of hosts have no way", judged.all_to_all.undelivered, judged.pairs));
  if (const auto most = question.shift_at_most; most && judged.worst_shift() > *most)
    faults.push_back(
        fmt::format("a shift puts {} paths on a cable, and the limit is {}", judged.worst_shift(), *most));
  if (const auto most = question.all_to_all_at_most; most && judged.all_to_all_times > *most)
    faults.push_back(
        fmt::format("an all-to-all takes {:.2f} times as long as over hosts' own cables, and the limit is {}",
                    judged.all_to_all_times, *most));
  const routes::LostCable* worst = all.lost.empty() ? nullptr : &all.lost.front();
  if (const auto most = question.lost_at_most; most && worst && worst->separated > 0)
    faults.push_back(fmt::format("the loss of {} separates {} pairs of hosts",
                                 all.topology.name_of_link(worst->cable), worst->separated));
  else if (most && worst && worst->times > *most)
    faults.push_back(
        fmt::format("an all-to-all takes {:.2f} times as long once {} is lost, and the limit is {}",
                    worst->times, all.topology.name_of_link(worst->cable), *most));
  if (all.lanes && all.has_lane_maps && !all.lanes->cycle.empty())
    faults.push_back(fmt::format("{} buffers can wait for one another in a circle", all.lanes->cycle.size()));
  return faults;
}

JudgedRoutes judge(const RoutesQuestion& question, fabric::FabricFile file) {
  if (!file.routing.tables)
    core::usage_error(
        fmt::format("{}: routing.kind: expected tables, as of assay fabric read --routes FILE, got {}",
                    file.file, file.routing_word));
  if (!question.lane_maps.empty() && question.path_levels.empty())
    core::usage_error("--sl2vl: expected --path-sls FILE with it: which service level each path has");
  fabric::Topology topology = fabric::topology_of(file);
  const fabric::ForwardingTables& tables = *file.routing.tables;
  routes::RouteJudgement judged = routes::judge_routes(
      topology, tables, file.subnet,
      {.permutations = question.permutations, .seed = question.seed, .threads = question.threads});
  auto lost = routes::lost_cables(topology, tables, routes::planes_of(topology), question.threads);
  std::optional<routes::LaneCycle> lanes;
  if (!question.path_levels.empty())
    lanes = routes::lane_cycle(
        topology, tables, file.subnet, routes::read_path_levels(question.path_levels),
        question.lane_maps.empty() ? routes::LaneMaps() : routes::read_lane_maps(question.lane_maps));
  JudgedRoutes all{question,        std::move(file),  std::move(topology),        std::move(judged),
                   std::move(lost), std::move(lanes), !question.lane_maps.empty()};
  all.faults = faults_of(all);
  return all;
}

EngineRow row_of(const JudgedRoutes& all) {
  const routes::RouteJudgement& judged = all.judged;
  EngineRow row{.free_shifts = judged.free_shifts(),
                .shifts = judged.shifts.size(),
                .mean_shift = judged.mean_shift(),
                .worst_shift = judged.worst_shift(),
                .effective_bisection = judged.effective_bisection,
                .all_to_all = judged.all_to_all.worst,
                .all_to_all_times = judged.all_to_all_times,
                .lost_cable_times = all.lost.empty() ? 1 : all.lost.front().times,
                .has_cycle = !judged.cycle.empty()};
  if (!judged.permutations.empty()) {
    row.median_permutation = quantile_of(judged.permutations, 0.5);
    row.worst_permutation = judged.permutations.back();
  }
  return row;
}

}  // namespace

std::vector<std::string> route_remarks(const std::string& toml, const std::string& file) {
  constexpr std::size_t most_remarks = 20;
  const fabric::FabricFile read = fabric::parse_fabric(toml, file);
  const fabric::Topology topology = fabric::topology_of(read);
  std::vector<std::string> remarks = read.route_notes;
  const auto findings = routes::route_findings(topology, *read.routing.tables, read.subnet);
  for (std::size_t at = 0; at < std::min(most_remarks, findings.size()); ++at)
    remarks.push_back(routes::text_of(topology, findings[at]));
  if (findings.size() > most_remarks)
    remarks.push_back(fmt::format("and {} findings more: assay fabric routes --format json has all",
                                  findings.size() - most_remarks));
  return remarks;
}

RoutesAnswer judge_routes(const RoutesQuestion& question) {
  const JudgedRoutes all =
      judge(question, fabric::read_fabric(question.fabric, fabric::key_values(question.set, "--set")));
  return {.text = routes_text(all),
          .json = routes_json(all),
          .loads = route_loads(all),
          .row = row_of(all),
          .holds = all.holds()};
}

}  // namespace assay::answers
