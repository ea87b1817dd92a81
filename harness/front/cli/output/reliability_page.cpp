// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/reliability_page.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/units.hpp"
#include "harness/front/answers/checkpoint_costs.hpp"
#include "model/reliability/job.hpp"

namespace assay::cli {
namespace {

using model::reliability::Checkpointing;
using model::reliability::JobReliability;
using model::reliability::JobRequest;
using model::reliability::Scheme;
using results::PredictedReliability;

/// Useful shares at the rate's mean and at its bounds, which give other times to a failure.
PredictedReliability::Checkpoints drawn(const Scheme& scheme, const JobReliability& answer) {
  Checkpointing job = answer.checkpointing;
  job.stall_s = scheme.stall_s;
  job.durable_after_s = scheme.durable_after_s;
  const auto share_with = [&](const std::optional<double>& hours) -> std::optional<double> {
    if (!hours) return {};
    Checkpointing at = job;
    at.mean_to_failure_s = 3600 * *hours;
    return useful_share(at);
  };
  PredictedReliability::Checkpoints all{
      .kind = scheme.name, .best_interval_s = scheme.best_interval_s, .shares = {}};
  for (const auto& point : share_curve(job, scheme.best_interval_s)) {
    job.interval_s = point.interval_s;
    all.shares.push_back({point.interval_s,
                          {point.useful_share, share_with(answer.hours_to_failure.worse),
                           share_with(answer.hours_to_failure.better)}});
  }
  return all;
}

}  // namespace

PredictedReliability predicted_reliability(const JobOfPage& job, const results::RunPoints& run) {
  const auto rates = model::reliability::read_rates(job.rates);
  JobRequest request{
      .gpus = job.gpus, .stall_s = 5, .checkpoint_source = "assumed", .recovery_s = 300, .repair_days = 2};
  if (!job.state.empty())
    answers::take_checkpoint(
        answers::checkpoint_costs(run, static_cast<double>(core::parse_bytes(job.state))), request);
  const JobReliability answer = reliability_of(rates, request);
  PredictedReliability page;
  page.about = fmt::format(
      "{} on {}, rates of {}: a failure every {:.3g} h. Checkpoints ({}): stall {}, durable "
      "{} "
      "later, recovery {}. Repair of a node: {:g} days.",
      core::counted(std::llround(request.gpus), "GPU"), core::counted(std::llround(answer.nodes), "node"),
      rates.name, answer.hours_to_failure.value, request.checkpoint_source,
      core::format_seconds(request.stall_s),
      request.durable_after_s > 0 ? core::format_seconds(request.durable_after_s) : "0 s",
      core::format_seconds(answer.checkpointing.recovery_s), request.repair_days);
  const std::vector<Scheme> one{{.name = "blocking",
                                 .stall_s = request.stall_s,
                                 .best_interval_s = answer.best_interval_s,
                                 .best_share = answer.best_share}};
  for (const Scheme& scheme : answer.schemes.empty() ? one : answer.schemes)
    page.checkpoints.push_back(drawn(scheme, answer));
  for (const auto& point : answer.spare_curve) page.spares.push_back({point.spares, point.probability});
  page.cautions = answer.cautions;
  return page;
}

}  // namespace assay::cli
