// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/core/error.hpp"
#include "model/reliability/silent_corruption.hpp"
#include "model/reliability/slow_ranks.hpp"
#include "model/reliability/spares.hpp"

namespace assay::model::reliability {
namespace {

using core::usage_error;

constexpr double day_s = 86400, far_from_measured = 4;

void check(const Rates& rates, const JobRequest& request) {
  if (!(request.gpus >= 1) || std::fmod(request.gpus, rates.gpus_per_node) != 0)
    usage_error(fmt::format("--gpus: expected whole nodes of {} GPUs, got {:.0f}", rates.gpus_per_node,
                            request.gpus));
  if (!(request.stall_s >= 0))
    usage_error(fmt::format("--stall: expected a time of at least 0, got {:g} s", request.stall_s));
  if (!(request.stall_s > 0 || request.durable_after_s > 0))
    usage_error("--stall: 0 s: expected --write above 0 as well, what a checkpoint takes in the background");
  for (const auto& [what, takes_s] :
       {std::pair{"stall", request.stall_s}, {"write", request.durable_after_s}})
    if (request.interval_s && *request.interval_s < takes_s)
      usage_error(fmt::format("--interval: {:g} s is shorter than the {} of a checkpoint, {:g} s",
                              *request.interval_s, what, takes_s));
  const double nodes = request.gpus / rates.gpus_per_node;
  for (const FailureDomain& domain : rates.domains)
    if (nodes > static_cast<double>(domain.nodes) && std::fmod(nodes, static_cast<double>(domain.nodes)) != 0)
      usage_error(fmt::format("{}: domain '{}': expected {:.0f} nodes to divide into domains of {}",
                              rates.name, domain.name, nodes, domain.nodes));
  if (!(rates.node.per_node_day > 0) && !rates.node.interval)
    usage_error(fmt::format("{}: no failures in it, so there is no rate to go by", rates.name));
}

/// `of` the rate and of its bounds: the upper bound is the worse.
template <class Function>
Bounded bounded(const FailureRate& rate, Function of) {
  Bounded all{.value = of(rate.per_node_day)};
  if (rate.interval) {
    all.worse = of(rate.interval->upper);
    all.better = of(std::max(rate.interval->lower, 1e-12));
  }
  return all;
}

void add_checkpoints(const Rates& rates, const JobRequest& request, JobReliability& answer) {
  const auto with_rate = [&](double per_node_day) {
    return Checkpointing{.mean_to_failure_s = 3600 * mean_hours_to_failure(per_node_day, answer.nodes),
                         .interval_s = 1,
                         .stall_s = request.stall_s,
                         .durable_after_s = request.durable_after_s,
                         .recovery_s = request.detect_s + request.diagnose_s + request.recovery_s};
  };
  Checkpointing& job = answer.checkpointing = with_rate(rates.node.per_node_day);
  answer.young_interval_s = young_interval_s(job.stall_s, job.mean_to_failure_s);
  answer.best_interval_s = best_interval_s(job);
  job.interval_s = answer.best_interval_s;
  answer.best_share = useful_share(job);
  const std::vector<SharePoint> curve = share_curve(job, answer.best_interval_s);
  for (double factor = 1.0 / 8; factor <= 8; factor *= 2)
    for (const SharePoint& point : curve)
      if (std::abs(point.interval_s / answer.best_interval_s / factor - 1) < 1e-9)
        answer.shares.push_back(point);
  job.interval_s = request.interval_s.value_or(answer.best_interval_s);
  answer.time = time_shares(job, request.detect_s, request.diagnose_s);
  answer.useful_share = bounded(rates.node, [&](double per_node_day) {
    Checkpointing at = with_rate(per_node_day);
    at.interval_s = job.interval_s;
    return useful_share(at);
  });
}

/// Thinned, where there are many.
void add_spare_curve(NodesInRepair& in_repair, JobReliability& answer) {
  constexpr std::int64_t most_points = 60;
  const std::int64_t first = in_repair.least(0.01), last = in_repair.least(0.9999);
  const std::int64_t step = std::max<std::int64_t>(1, (last - first + most_points - 2) / (most_points - 1));
  for (std::int64_t spares = first; spares <= last; spares += step)
    answer.spare_curve.push_back({spares, in_repair.at_most(spares)});
}

Scheme scheme_of(const std::string& name, Checkpointing job) {
  Scheme scheme{.name = name, .stall_s = job.stall_s, .durable_after_s = job.durable_after_s};
  scheme.best_interval_s = job.interval_s = best_interval_s(job);
  scheme.best_share = useful_share(job);
  return scheme;
}

void add_schemes(JobReliability& answer) {
  const Checkpointing& job = answer.checkpointing;
  if (job.durable_after_s <= 0) return;
  Checkpointing blocking = job;
  blocking.stall_s = job.stall_s + job.durable_after_s;
  blocking.durable_after_s = 0;
  answer.schemes = {scheme_of("blocking", blocking), scheme_of("asynchronous", job)};
}

std::vector<NodeLoss> losses_of(const Rates& rates, const JobRequest& request, double nodes) {
  std::vector<NodeLoss> losses{{rates.usual_repairs_per_node_day() * nodes, request.repair_days}};
  for (const ComponentRate& one : rates.components)
    if (one.repair_days) losses.push_back({one.rate.per_node_day * nodes, *one.repair_days});
  for (const FailureDomain& domain : rates.domains)
    losses.push_back({domain.rate.per_node_day * std::ceil(nodes / static_cast<double>(domain.nodes)),
                      domain.repair_days.value_or(request.repair_days),
                      std::min(domain.nodes, static_cast<std::int64_t>(nodes))});
  return losses;
}

/// Whose failures a restart of the job ends.
bool breaks_nothing(const std::string& component) {
  for (const char* one : {"collective_watchdog", "dependency", "maintenance", "software"})
    if (component == one) return true;
  return false;
}

void add_spares(const Rates& rates, const JobRequest& request, JobReliability& answer) {
  if (request.repair_days <= 0) return;
  NodesInRepair in_repair(losses_of(rates, request, answer.nodes));
  answer.spares = in_repair.least(request.spare_probability);
  for (const double probability : {0.5, 0.9, 0.99, 0.999}) {
    const std::int64_t spares = in_repair.least(probability);
    answer.spare_points.push_back({spares, in_repair.at_most(spares)});
  }
  add_spare_curve(in_repair, answer);
  for (const ComponentRate& one : rates.components)
    if (breaks_nothing(one.component) && !one.repair_days && one.rate.per_node_day > 0)
      answer.causes_without_damage.push_back(one.component);
  for (const FailureDomain& domain : rates.domains) {
    DomainSpares one{.name = domain.name,
                     .nodes = domain.nodes,
                     .units = std::ceil(answer.nodes / static_cast<double>(domain.nodes)),
                     .repair_days = domain.repair_days.value_or(request.repair_days)};
    one.spares = spares_for(domain.rate.per_node_day, one.units, one.repair_days, request.spare_probability);
    answer.domain_spares.push_back(one);
  }
}

/// An interruption costs what the useful share lacks of that without failures, over the failures.
void add_burn_in(const Rates& rates, const JobRequest& request, JobReliability& answer) {
  if (!rates.early_life) return;
  const Checkpointing& job = answer.checkpointing;
  const double undisturbed = job.interval_s / (job.interval_s + job.stall_s);
  answer.burn_in = burn_in_choice(*rates.early_life, {.nodes = answer.nodes,
                                                      .days = request.service_days,
                                                      .days_lost_each = (undisturbed - useful_share(job)) *
                                                                        job.mean_to_failure_s / day_s});
}

void add_corruption(const Rates& rates, const JobRequest& request, JobReliability& answer) {
  if (request.run_days <= 0) return;
  const auto stated =
      std::ranges::find(rates.components, std::string("silent_corruption"), &ComponentRate::component);
  if (stated == rates.components.end()) {
    answer.cautions.emplace_back(
        "the rates have no silent_corruption: how long a run stays clean is unknown");
    return;
  }
  double per_node_day = stated->rate.per_node_day;
  if (!(per_node_day > 0) && stated->rate.interval) {
    per_node_day = stated->rate.interval->upper;
    answer.cautions.emplace_back(
        "no silent corruption was counted: its figures are of the upper bound of the rate (97.5 %)");
  }
  const Corruption run{.per_node_day = per_node_day,
                       .nodes = answer.nodes,
                       .run_days = request.run_days,
                       .probe_hours = request.probe_hours};
  answer.corruption = {.clean = probability_clean(run),
                       .is_probed = is_probed(run),
                       .days_undetected = mean_days_undetected(run),
                       .share = corrupted_share(run)};
}

/// Takes the upper bound of the rate where no failure was seen: it is all that is known.
Rates with_some_rate(Rates rates) {
  if (rates.node.per_node_day > 0) return rates;
  rates.node = {.per_node_day = rates.node.interval->upper};
  if (rates.early_life) rates.early_life->per_day = rates.node.per_node_day;
  return rates;
}

void add_cautions(const Rates& rates, JobReliability& answer) {
  if (rates.nodes > 0 &&
      (answer.nodes * far_from_measured < rates.nodes || answer.nodes > rates.nodes * far_from_measured))
    answer.cautions.push_back(
        fmt::format("the rate is of {:.0f} nodes, the job has {:.0f}: published rates do not follow 1/N (7.9 "
                    "h on 128 nodes, "
                    "where that of large jobs predicts 28.8 h: Kokolis et al. 2024)",
                    rates.nodes, answer.nodes));
  if (!(rates.node.per_node_day > 0))
    answer.cautions.emplace_back(
        "no failure was counted: all figures are of the upper bound of the rate (97.5 %), the worst case");
  if (!rates.node.interval && !rates.components.empty())
    answer.cautions.emplace_back(
        "the source states no counts for part of the rate, so nothing has an interval");
}

}  // namespace

std::vector<SharePoint> share_curve(Checkpointing job, double best_s) {
  std::vector<SharePoint> points;
  for (int quarter = -12; quarter <= 12; ++quarter) {
    job.interval_s = best_s * std::exp2(quarter / 4.0);
    if (job.interval_s >= job.durable_after_s) points.push_back({job.interval_s, useful_share(job)});
  }
  return points;
}

JobReliability reliability_of(const Rates& counted, const JobRequest& request) {
  check(counted, request);
  const Rates rates = with_some_rate(counted);
  JobReliability answer;
  answer.nodes = request.gpus / rates.gpus_per_node;
  answer.hours_to_failure =
      bounded(rates.node, [&](double rate) { return mean_hours_to_failure(rate, answer.nodes); });
  answer.failures_a_day = bounded(rates.node, [&](double rate) { return rate * answer.nodes; });
  answer.day_without_failure = probability_without_failure(rates.node.per_node_day, answer.nodes, 1);
  add_checkpoints(rates, request, answer);
  add_schemes(answer);
  add_spares(rates, request, answer);
  add_burn_in(rates, request, answer);
  answer.step_slowdown = step_slowdown(request.gpus, request.rank_spread, request.slower);
  add_corruption(rates, request, answer);
  add_cautions(counted, answer);
  answer.cautions.insert(answer.cautions.end(), request.doubts.begin(), request.doubts.end());
  return answer;
}

}  // namespace assay::model::reliability
