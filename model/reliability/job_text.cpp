// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/units.hpp"
#include "model/reliability/job.hpp"

namespace assay::model::reliability {
namespace {

using Json = nlohmann::ordered_json;

std::string with_bounds(const Bounded& one, double factor, const char* unit) {
  std::string text = fmt::format("{:.3g}{}", factor * one.value, unit);
  if (one.worse)
    text += fmt::format(" ({:.3g} to {:.3g})", factor * std::min(*one.worse, *one.better),
                        factor * std::max(*one.worse, *one.better));
  return text;
}

std::string rates_text(const Rates& rates) {
  std::string text = fmt::format("rates of {}: {:.3g} failures per 1,000 node-days\n", rates.name,
                                 rates.node.per_1000_node_days());
  if (!rates.source.empty()) text += fmt::format("  {}\n", rates.source);
  std::vector<ComponentRate> components = rates.components;
  std::ranges::stable_sort(components, std::ranges::greater{},
                           [](const ComponentRate& one) { return one.rate.per_node_day; });
  for (const ComponentRate& one : components) {
    text += fmt::format("  {:<22} {:>8.3g} {:>6.1f} %", one.component, one.rate.per_1000_node_days(),
                        100 * one.rate.per_node_day / rates.node.per_node_day);
    if (one.rate.interval)
      text += fmt::format("   95 %: {:.3g} to {:.3g}", 1000 * one.rate.interval->lower,
                          1000 * one.rate.interval->upper);
    text += "\n";
  }
  return text;
}

std::string checkpoints_text(const JobRequest& request, const JobReliability& answer) {
  const Checkpointing& job = answer.checkpointing;
  std::string text = fmt::format(
      "\ncheckpoints ({}): stall {}, durable after {}, recovery {}\n"
      "  best interval {} (Young: {}), useful {:.2f} % of the time\n",
      request.checkpoint_source, core::format_seconds(job.stall_s),
      job.durable_after_s > 0 ? core::format_seconds(job.durable_after_s) : "0 s",
      core::format_seconds(job.recovery_s), core::format_seconds(answer.best_interval_s),
      core::format_seconds(answer.young_interval_s), 100 * answer.best_share);
  for (const SharePoint& point : answer.shares)
    text += fmt::format("  every {:<14} {:>6.2f} %\n", core::format_seconds(point.interval_s),
                        100 * point.useful_share);
  return text;
}

std::string spares_text(const JobRequest& request, const JobReliability& answer) {
  if (answer.spare_points.empty()) return "";
  std::string text = fmt::format("\nspare nodes, repair in {:g} days: {} restart the job at once in {:g} %\n",
                                 request.repair_days, answer.spares, 100 * request.spare_probability);
  for (const SparePoint& point : answer.spare_points)
    text += fmt::format("  {:>6} {:>8.3f} %\n", point.spares, 100 * point.probability);
  return text;
}

std::string losses_text(const JobRequest& request, const JobReliability& answer) {
  std::string text;
  if (request.rank_spread > 0 || request.slower > 0)
    text +=
        fmt::format("\na step takes {:.4f} of one on equal ranks: spread {:g} %, one rank {:g} % slower\n",
                    answer.step_slowdown, 100 * request.rank_spread, 100 * request.slower);
  if (request.run_days > 0)
    text += fmt::format(
        "\nno silent corruption in {:g} days: {:.3g} %; {}\n", request.run_days, 100 * answer.clean_run,
        request.probe_hours > 0
            ? fmt::format("probes every {:g} h find one after {:.2g} days, {:.2g} % of the time "
                          "has one",
                          request.probe_hours, answer.days_undetected, 100 * answer.corrupted_share)
            : fmt::format("without probes {:.3g} % of the time has one", 100 * answer.corrupted_share));
  return text;
}

Json to_json(const Bounded& one) {
  Json json{{"value", one.value}};
  if (one.worse) json["worse"] = *one.worse, json["better"] = *one.better;
  return json;
}

Json to_json(const FailureRate& rate) {
  Json json{{"per_1000_node_days", rate.per_1000_node_days()}};
  if (rate.interval) json["lower"] = 1000 * rate.interval->lower, json["upper"] = 1000 * rate.interval->upper;
  return json;
}

Json rates_json(const Rates& rates) {
  Json json{{"name", rates.name},
            {"source", rates.source},
            {"node", to_json(rates.node)},
            {"components", Json::object()}};
  for (const ComponentRate& one : rates.components) json["components"][one.component] = to_json(one.rate);
  return json;
}

Json checkpoints_json(const JobRequest& request, const JobReliability& answer) {
  const Checkpointing& job = answer.checkpointing;
  Json json{{"source", request.checkpoint_source},
            {"interval_s", job.interval_s},
            {"stall_s", job.stall_s},
            {"durable_after_s", job.durable_after_s},
            {"recovery_s", job.recovery_s},
            {"useful_share", to_json(answer.useful_share)},
            {"best_interval_s", answer.best_interval_s},
            {"best_useful_share", answer.best_share},
            {"young_interval_s", answer.young_interval_s},
            {"shares", Json::array()}};
  for (const SharePoint& point : answer.shares)
    json["shares"].push_back({{"interval_s", point.interval_s}, {"useful_share", point.useful_share}});
  return json;
}

Json spares_json(const JobRequest& request, const JobReliability& answer) {
  Json json{{"repair_days", request.repair_days},
            {"probability", request.spare_probability},
            {"nodes", answer.spares},
            {"table", Json::array()}};
  for (const SparePoint& point : answer.spare_points)
    json["table"].push_back({{"nodes", point.spares}, {"probability", point.probability}});
  return json;
}

}  // namespace

std::string to_text(const Rates& rates, const JobRequest& request, const JobReliability& answer) {
  const std::string job = rates.components.empty()
                              ? "the job"
                              : fmt::format("{:g} GPUs on {:g} nodes", request.gpus, answer.nodes);
  std::string text = fmt::format(
      "{}: a failure every {}, {} a day; checkpoints every {} leave {} of the time useful (predicted)\n", job,
      with_bounds(answer.hours_to_failure, 1, " h"), with_bounds(answer.failures_a_day, 1, ""),
      core::format_seconds(answer.checkpointing.interval_s), with_bounds(answer.useful_share, 100, " %"));
  text += fmt::format("a day without a failure: {:.3g} %\n", 100 * answer.day_without_failure);
  for (const std::string& caution : answer.cautions) text += fmt::format("caution: {}\n", caution);
  if (!rates.components.empty()) text += "\n" + rates_text(rates);
  return text + checkpoints_text(request, answer) + spares_text(request, answer) +
         losses_text(request, answer);
}

nlohmann::ordered_json to_json(const Rates& rates, const JobRequest& request, const JobReliability& answer) {
  Json json{{"origin", "predicted"},
            {"gpus", request.gpus},
            {"nodes", answer.nodes},
            {"hours_to_failure", to_json(answer.hours_to_failure)},
            {"failures_a_day", to_json(answer.failures_a_day)},
            {"day_without_failure", answer.day_without_failure},
            {"rates", rates_json(rates)},
            {"checkpoints", checkpoints_json(request, answer)}};
  if (!answer.spare_points.empty()) json["spares"] = spares_json(request, answer);
  if (request.rank_spread > 0 || request.slower > 0) json["step_slowdown"] = answer.step_slowdown;
  if (request.run_days > 0) {
    json["silent_corruption"] = {{"run_days", request.run_days},
                                 {"clean_run", answer.clean_run},
                                 {"corrupted_share", answer.corrupted_share}};
    if (std::isfinite(answer.days_undetected))
      json["silent_corruption"]["days_undetected"] = answer.days_undetected;
  }
  json["cautions"] = answer.cautions;
  return json;
}

}  // namespace assay::model::reliability
