// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/core/units.hpp"
#include "model/reliability/job.hpp"

namespace assay::model::reliability {
namespace {

std::string with_bounds(const Bounded& one, double factor, const char* unit) {
  constexpr double least = 1e-6;  // that is worth its digits
  if (factor * std::max(one.value, one.better.value_or(0)) < least)
    return fmt::format("below {:g}{}", least, unit);
  std::string text = fmt::format("{:.3g}{}", factor * one.value, unit);
  if (one.worse)
    text += fmt::format(" ({:.3g} to {:.3g})", factor * std::min(*one.worse, *one.better),
                        factor * std::max(*one.worse, *one.better));
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
  for (const Scheme& scheme : answer.schemes)
    text += fmt::format("  {:<14} stall {:<14} best interval {:<14} useful {:.2f} %\n", scheme.name,
                        core::format_seconds(scheme.stall_s), core::format_seconds(scheme.best_interval_s),
                        100 * scheme.best_share);
  for (const SharePoint& point : answer.shares)
    text += fmt::format("  every {:<14} {:>6.2f} %\n", core::format_seconds(point.interval_s),
                        100 * point.useful_share);
  return text;
}

std::string time_text(const JobReliability& answer) {
  std::string text = fmt::format("\nwhere the time goes, checkpoints every {}\n",
                                 core::format_seconds(answer.checkpointing.interval_s));
  const TimeShares& time = answer.time;
  for (const auto& [name, share] : {std::pair{"useful", time.useful},
                                    {"stalls of checkpoints", time.stalls},
                                    {"lost work", time.lost},
                                    {"detection", time.detection},
                                    {"diagnosis", time.diagnosis},
                                    {"restart and restore", time.restart}})
    if (share > 0) text += fmt::format("  {:<22} {:>7.3f} %\n", name, 100 * share);
  return text;
}

std::string spares_text(const JobRequest& request, const JobReliability& answer) {
  if (answer.spare_points.empty()) return "";
  std::string text = fmt::format("\nspare nodes, repair in {:g} days: {} restart the job at once in {:g} %\n",
                                 request.repair_days, answer.spares, 100 * request.spare_probability);
  for (const SparePoint& point : answer.spare_points)
    text += fmt::format("  {:>6} {:>8.3f} %\n", point.spares, 100 * point.probability);
  if (!answer.causes_without_damage.empty())
    text += fmt::format("  {} count as a node in repair too: their tables state no repair_days\n",
                        fmt::join(answer.causes_without_damage, ", "));
  for (const DomainSpares& one : answer.domain_spares)
    text += fmt::format("  of these for {} of {} nodes, {:.0f} in the job, repair in {:g} days: {} whole\n",
                        one.name, one.nodes, one.units, one.repair_days, one.spares);
  return text;
}

std::string burn_in_text(const JobReliability& answer) {
  if (!answer.burn_in) return "";
  const BurnInChoice& choice = *answer.burn_in;
  std::string text = fmt::format(
      "\nburn-in before {:g} days of service, {} of the cluster lost an interruption: {}\n"
      "  {:>8} {:>10} {:>14} {:>8} {:>14}\n",
      choice.service_days, core::format_seconds(86400 * choice.days_lost_each),
      choice.best_days > 0 ? fmt::format("{:.3g} days pay best", choice.best_days)
                           : std::string("none pays for itself"),
      "days", "found", "interruptions", "saved", "days gained");
  for (const BurnInPoint& point : choice.points)
    text += fmt::format("  {:>8.3g} {:>10.1f} {:>14.1f} {:>8.1f} {:>14.2f}{}\n", point.days, point.found,
                        point.interruptions, point.saved, point.days_gained,
                        point.days == choice.best_days ? "  best" : "");
  return text;
}

std::string corruption_text(const JobRequest& request, const CorruptedRun& run) {
  const std::string share = fmt::format("{:.3g} % of the time has one", 100 * run.share);
  std::string probes = "without probes " + share;
  if (request.probe_hours > 0)
    probes = fmt::format("no probe falls into it (every {:g} h): {}", request.probe_hours, share);
  if (run.is_probed)
    probes = fmt::format("probes of all nodes every {:g} h find one after {:.2g} days, {}",
                         request.probe_hours, run.days_undetected, share);
  return fmt::format("\nno silent corruption in {:g} days: {:.3g} %; {}\n", request.run_days, 100 * run.clean,
                     probes);
}

std::string losses_text(const JobRequest& request, const JobReliability& answer) {
  std::string text;
  if (request.rank_spread > 0 || request.slower > 0)
    text +=
        fmt::format("\na step takes {:.4f} times as long as on equal ranks: spread {:.3g} % ({}){}\n",
                    answer.step_slowdown, 100 * request.rank_spread, request.spread_source,
                    request.slower > 0 ? fmt::format(", one rank {:g} % slower", 100 * request.slower) : "");
  if (answer.corruption) text += corruption_text(request, *answer.corruption);
  return text;
}

}  // namespace

std::string to_text(const Rates& rates, const JobRequest& request, const JobReliability& answer) {
  constexpr double shortest_h = 0.1;
  const std::string job = rates.components.empty()
                              ? "the job"
                              : core::counted(std::llround(request.gpus), "GPU") + " on " +
                                    core::counted(std::llround(answer.nodes), "node");
  std::string text = fmt::format(
      "{}: a failure every {}, {} a day; checkpoints every {} leave {} of the time useful (predicted)\n", job,
      answer.hours_to_failure.value < shortest_h ? with_bounds(answer.hours_to_failure, 3600, " s")
                                                 : with_bounds(answer.hours_to_failure, 1, " h"),
      with_bounds(answer.failures_a_day, 1, ""), core::format_seconds(answer.checkpointing.interval_s),
      with_bounds(answer.useful_share, 100, " %"));
  text += fmt::format("a day without a failure: {:.3g} %\n", 100 * answer.day_without_failure);
  for (const std::string& caution : answer.cautions) text += fmt::format("caution: {}\n", caution);
  if (!rates.components.empty()) text += "\n" + rates_text(rates);
  return text + checkpoints_text(request, answer) + time_text(answer) + spares_text(request, answer) +
         burn_in_text(answer) + losses_text(request, answer);
}

}  // namespace assay::model::reliability
