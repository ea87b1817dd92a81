// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/answer/answer_tables.hpp"
#include "model/fabric/simulate/jobs.hpp"
#include "model/fabric/simulate/steps/bursts.hpp"

namespace assay::model::fabric {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return core::json_text(json, 2); }

Json quantiles_json(const std::vector<double>& of_seeds) {
  return {
      {"median", core::quantile_of(of_seeds, 0.5)},
      {"mean", std::accumulate(of_seeds.begin(), of_seeds.end(), 0.0) / static_cast<double>(of_seeds.size())},
      {"p5", core::quantile_of(of_seeds, 0.05)},
      {"p95", core::quantile_of(of_seeds, 0.95)},
      {"of_seeds", of_seeds}};
}

Json congestion_json(const FabricModel& model, const CongestedStep& at) {
  Json json = {{"link", model.name_of_link(at.link.link)},
               {"flows", at.link.flows},
               {"lost_us", 1e6 * at.link.start.lost_s},
               {"most_queued_bytes", at.link.start.most_queued_bytes}};
  if (at.link.flows < 2) return json;
  const DcqcnFixedPoint rest = dcqcn_fixed_point(at.settings);
  json["marked"] = rest.marked;
  if (rest.queue_bytes) json["queue_bytes"] = *rest.queue_bytes;
  return json;
}

Json operation_json(const FabricModel& model, const OperationTimes& one, std::uint32_t median_seed) {
  const double median_us = core::quantile_of(one.time_us, 0.5);
  Json json = {
      {"stream", one.stream}, {"operation", one.operation->text()}, {"time_us", quantiles_json(one.time_us)}};
  if (one.operation->kind == OperationKind::compute) return json;
  json["bytes"] = one.operation->bytes;
  if (one.scale != 1) json["scaled_by"] = one.scale;
  json["groups"] = one.operation->groups.size();
  json["ranks"] = one.operation->ranks();
  json["algbw_gb_per_s"] = 1e-3 * one.algorithm_bandwidth(median_us);
  json["busbw_gb_per_s"] = 1e-3 * one.bus_bandwidth(median_us);
  json["steps"] = Json::array();
  if (one.steps.empty()) return json;
  json["links_allow_us"] = one.even_us;
  json["sampled"] = !one.sample_half_width_us.empty();
  if (!one.sample_half_width_us.empty())
    json["sample_half_width_us"] = quantiles_json(one.sample_half_width_us);
  for (const StepTimes& step : one.steps) {
    json["steps"].push_back({{"first", step.first},
                             {"alike", step.repeats},
                             {"flows", step.flows},
                             {"sharing", rule_words.of(step.rule)},
                             {"time_us", quantiles_json(step.time_us)}});
    if (const auto& at = step.congested[median_seed - 1])
      json["steps"].back()["dcqcn"] = congestion_json(model, *at);
  }
  return json;
}

Json jobs_json(const Scenario& scenario, const Simulation& simulation) {
  Json json = Json::array();
  for (std::size_t at = 0; at < simulation.jobs.size(); ++at) {
    const Job& job = scenario.workload().jobs[at];
    const JobTimes& times = simulation.jobs[at];
    json.push_back({{"job", job.name}, {"ranks", job.ranks.count}, {"start_us", job.start_us}});
    if (times.alone_us.empty()) continue;
    json.back()["alone_us"] = quantiles_json(times.alone_us);
    json.back()["together_us"] = quantiles_json(times.together_us);
    json.back()["slowdown"] = quantiles_json(slowdown_of(times));
  }
  return json;
}

Json links_json(const FabricModel& model, const Simulation& simulation) {
  Json json = Json::object();
  for (const TierLoad& tier : tier_loads(model, simulation.bytes_of_links)) {
    Json bytes = Json::array();
    std::vector<double> over_mean;
    for (const LinkId link : tier.links) {
      bytes.push_back(simulation.bytes_of_links[link]);
      over_mean.push_back(simulation.bytes_of_links[link] / tier.mean_bytes);
    }
    json[tier.tier] = {{"first_link", model.name_of_link(tier.links.front())},
                       {"mean_bytes", tier.mean_bytes},
                       {"max_over_mean", tier.max_over_mean},
                       {"p5_over_mean", core::quantile_of(over_mean, 0.05)},
                       {"p95_over_mean", core::quantile_of(over_mean, 0.95)},
                       {"bytes", std::move(bytes)}};
  }
  return json;
}

Json busiest_json(const FabricModel& model, const Simulation& simulation) {
  Json json = Json::array();
  const std::vector<TierLoad> tiers = tier_loads(model, simulation.bytes_of_links);
  for (const BusyLink& one : busiest_links(model, simulation.bytes_of_links, tiers, most_rows))
    json.push_back({{"link", model.name_of_link(one.link)},
                    {"bytes", one.bytes},
                    {"time_us", one.time_us},
                    {"over_mean", one.over_mean}});
  return json;
}

Json ranks_json(const Scenario& scenario, const Simulation& simulation) {
  const FabricModel& model = scenario.model();
  Json json = Json::array();
  if (simulation.hosts.empty()) return json;
  for (const std::uint32_t rank : slowest_ranks(scenario, simulation, most_rows)) {
    const NodeId host = scenario.host_of_rank()[rank];
    if (simulation.hosts[host].time_us <= 0) break;
    const Job& job = scenario.workload().job_of(rank);
    json.push_back({{"job", job.name},
                    {"rank", rank - job.ranks.first},
                    {"gpu", model.topology().name_of(host)},
                    {"leaf", model.topology().name_of(model.topology().leaf_of(host))},
                    {"time_us", simulation.hosts[host].time_us},
                    {"link", model.name_of_link(simulation.hosts[host].link)}});
  }
  return json;
}

/// Null where the rules know no pauses.
Json pauses_json(const FabricModel& model, const Simulation& simulation) {
  const auto hosts = paused_hosts(model, simulation);
  if (!hosts) return nullptr;
  Json names = Json::array();
  for (const LinkId link : simulation.paused_links) names.push_back(model.name_of_link(link));
  return {{"hosts", *hosts}, {"links", std::move(names)}};
}

Json bursts_json(const std::vector<OperationBursts>& bursts) {
  Json json = Json::array();
  for (const OperationBursts& one : bursts)
    json.push_back({{"operation", one.operation},
                    {"round_trip_us", one.round_trip_us},
                    {"unaligned_bytes", one.unaligned.most_bytes},
                    {"unaligned_mean_bytes", one.unaligned.mean_bytes},
                    {"staggered_bytes", one.staggered.most_bytes}});
  return json;
}

Json changes_json(const std::vector<Change>& changes) {
  Json json = Json::array();
  for (const Change& one : changes)
    if (!one.refused.empty())
      json.push_back({{"change", one.what}, {"not_simulated", one.refused}});
    else
      json.push_back({{"change", one.what},
                      {"seeds", one.seeds},
                      {"time_us", one.time_us},
                      {"gain", one.gain},
                      {"gain_p5", one.gain_lower},
                      {"gain_p95", one.gain_upper}});
  return json;
}

}  // namespace

std::string finding_json(const std::string& finding, const std::vector<std::string>& hosts) {
  return dumped({{"origin", "simulated"}, {"finding", finding}, {"hosts", hosts}});
}

std::string simulation_json(const Scenario& scenario, const Simulation& simulation,
                            const std::vector<OperationBursts>& bursts, const Answer& answer,
                            const std::optional<std::vector<Change>>& changes) {
  const FabricModel& model = scenario.model();
  Json json = {{"origin", "simulated"},
               {"answer", answer.sentence},
               {"notes", answer.notes},
               {"fabric", model.file().name},
               {"workload", scenario.workload().name},
               {"gpus", model.topology().hosts()},
               {"ranks", scenario.workload().ranks()},
               {"sharing", Json::array()},
               {"streams_overlap", simulation.overlaps},
               {"steps_alike_as_one", simulation.alike_as_one},
               {"seeds", simulation.time_us.size()},
               {"median_seed", simulation.median_seed},
               {"time_us", quantiles_json(simulation.time_us)},
               {"uplinks_max_over_mean", quantiles_json(simulation.uplinks_max_over_mean)}};
  for (const SharingRuleKind rule : simulation.rules)
    json["sharing"].push_back(
        {{"rule", rule_words.of(rule)}, {"known_error", known_error(rule, model.sprays())}});
  if (!simulation.scaled_to.empty()) json["scaled_to"] = simulation.scaled_to;
  if (simulation.goodput_ends)
    json["time_us_over_goodput"] = {{"fastest", simulation.goodput_ends->fastest_us},
                                    {"slowest", simulation.goodput_ends->slowest_us}};
  if (simulation.even_us > 0) json["links_allow_us"] = simulation.even_us;
  json["jobs"] = jobs_json(scenario, simulation);
  json["operations"] = Json::array();
  for (const OperationTimes& one : simulation.operations)
    json["operations"].push_back(operation_json(model, one, simulation.median_seed));
  json["busiest_links"] = busiest_json(model, simulation);
  json["slowest_ranks"] = ranks_json(scenario, simulation);
  json["links"] = links_json(model, simulation);
  json["pauses"] = pauses_json(model, simulation);
  json["bursts"] = bursts_json(bursts);
  json["settling"] = {{"solutions", simulation.settling.solutions},
                      {"unsettled", simulation.settling.unsettled}};
  if (changes) json["would_help"] = changes_json(*changes);
  return dumped(json);
}

}  // namespace assay::model::fabric
