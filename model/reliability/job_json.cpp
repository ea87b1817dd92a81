// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "model/reliability/job.hpp"

namespace assay::model::reliability {
namespace {

using Json = nlohmann::ordered_json;

Json bounded_json(const Bounded& one) {
  Json json{{"value", one.value}};
  if (one.worse) json["worse"] = *one.worse, json["better"] = *one.better;
  return json;
}

Json checkpoints_json(const JobRequest& request, const JobReliability& answer) {
  const Checkpointing& job = answer.checkpointing;
  Json json{{"source", request.checkpoint_source},
            {"interval_s", job.interval_s},
            {"stall_s", job.stall_s},
            {"durable_after_s", job.durable_after_s},
            {"recovery_s", job.recovery_s},
            {"useful_share", bounded_json(answer.useful_share)},
            {"best_interval_s", answer.best_interval_s},
            {"best_useful_share", answer.best_share},
            {"young_interval_s", answer.young_interval_s},
            {"young_loss", young_loss(answer.checkpointing.stall_s, answer.checkpointing.mean_to_failure_s)},
            {"time",
             {{"useful", answer.time.useful},
              {"stalls", answer.time.stalls},
              {"lost", answer.time.lost},
              {"detection", answer.time.detection},
              {"diagnosis", answer.time.diagnosis},
              {"restart", answer.time.restart}}},
            {"schemes", Json::array()},
            {"shares", Json::array()}};
  for (const Scheme& scheme : answer.schemes)
    json["schemes"].push_back({{"name", scheme.name},
                               {"stall_s", scheme.stall_s},
                               {"durable_after_s", scheme.durable_after_s},
                               {"best_interval_s", scheme.best_interval_s},
                               {"best_useful_share", scheme.best_share}});
  for (const SharePoint& point : answer.shares)
    json["shares"].push_back({{"interval_s", point.interval_s}, {"useful_share", point.useful_share}});
  return json;
}

Json spares_json(const JobRequest& request, const JobReliability& answer) {
  Json json{{"repair_days", request.repair_days},
            {"probability", request.spare_probability},
            {"nodes", answer.spares},
            {"causes_without_damage", answer.causes_without_damage},
            {"table", Json::array()}};
  for (const SparePoint& point : answer.spare_points)
    json["table"].push_back({{"nodes", point.spares}, {"probability", point.probability}});
  for (const DomainSpares& one : answer.domain_spares)
    json["domains"].push_back({{"name", one.name},
                               {"nodes", one.nodes},
                               {"units", one.units},
                               {"repair_days", one.repair_days},
                               {"spares", one.spares}});
  return json;
}

Json burn_in_json(const BurnInChoice& choice) {
  Json json{{"best_days", choice.best_days},
            {"service_days", choice.service_days},
            {"days_lost_each", choice.days_lost_each},
            {"table", Json::array()}};
  for (const BurnInPoint& point : choice.points)
    json["table"].push_back({{"days", point.days},
                             {"found", point.found},
                             {"interruptions", point.interruptions},
                             {"saved", point.saved},
                             {"days_gained", point.days_gained}});
  return json;
}

Json corruption_json(const JobRequest& request, const CorruptedRun& run) {
  return {{"run_days", request.run_days},
          {"probe_hours", request.probe_hours},
          {"clean_run", run.clean},
          {"corrupted_share", run.share},
          {"days_undetected", run.days_undetected}};
}

}  // namespace

nlohmann::ordered_json to_json(const Rates& rates, const JobRequest& request, const JobReliability& answer) {
  Json json{{"origin", "predicted"},
            {"gpus", request.gpus},
            {"nodes", answer.nodes},
            {"hours_to_failure", bounded_json(answer.hours_to_failure)},
            {"failures_a_day", bounded_json(answer.failures_a_day)},
            {"day_without_failure", answer.day_without_failure},
            {"rates", rates_json(rates)},
            {"checkpoints", checkpoints_json(request, answer)}};
  if (!answer.spare_points.empty()) json["spares"] = spares_json(request, answer);
  if (request.rank_spread > 0 || request.slower > 0) {
    json["step_slowdown"] = answer.step_slowdown;
    json["rank_spread"] = {{"relative", request.rank_spread}, {"source", request.spread_source}};
  }
  if (answer.burn_in) json["burn_in"] = burn_in_json(*answer.burn_in);
  if (answer.corruption) json["silent_corruption"] = corruption_json(request, *answer.corruption);
  json["cautions"] = answer.cautions;
  return json;
}

}  // namespace assay::model::reliability
