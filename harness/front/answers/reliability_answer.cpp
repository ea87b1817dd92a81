// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/reliability_answer.hpp"

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/front/answers/checkpoint_costs.hpp"
#include "harness/front/answers/fabric/rank_spread.hpp"
#include "harness/front/answers/open_store.hpp"
#include "model/reliability/front_end.hpp"
#include "model/reliability/job.hpp"

namespace assay::answers {

using model::reliability::FrontEnd;
using model::reliability::JobRequest;
using model::reliability::Rates;

namespace {

double seconds_of(const std::string& text, const char* flag) {
  return text.empty() ? 0 : core::parse_duration_s(text, flag);
}

/// Parses a cost in seconds, which may be 0.
double cost_of(const std::string& text, const char* flag) {
  return text == "0s" ? 0 : seconds_of(text, flag);
}

void take_measured_checkpoint(const ReliabilityQuestion& question, JobRequest& request) {
  if (question.state.empty())
    core::usage_error("reliability: --checkpoint: expected --state, what a GPU saves");
  const results::Store store = open_existing_store(question.checkpoint);
  take_checkpoint(checkpoint_costs(results::RunPoints(store, question.run),
                                   static_cast<double>(core::parse_bytes(question.state))),
                  request);
}

void take_measured_spread(const ReliabilityQuestion& question, JobRequest& request) {
  const results::Store store = open_existing_store(question.spread_store);
  const RankSpread spread = measured_rank_spread(results::RunPoints(store, question.run));
  request.rank_spread = spread.relative;
  request.spread_source = spread.source;
}

JobRequest request_of(const ReliabilityQuestion& question) {
  const bool by_mean_time = !question.mean_time.empty();
  JobRequest request{.gpus = by_mean_time ? 1 : question.gpus,
                     .stall_s = cost_of(question.stall, "--stall"),
                     .durable_after_s = cost_of(question.write, "--write"),
                     .checkpoint_source = "assumed",
                     .detect_s = cost_of(question.detect, "--detect"),
                     .diagnose_s = cost_of(question.diagnose, "--diagnose"),
                     .recovery_s = cost_of(question.recovery, "--recovery"),
                     .repair_days = by_mean_time ? 0 : seconds_of(question.repair, "--repair") / 86400,
                     .spare_probability = question.probability,
                     .rank_spread = question.spread / 100,
                     .slower = question.slower / 100,
                     .run_days = question.run_days,
                     .probe_hours = question.probe_hours,
                     .service_days = seconds_of(question.service, "--service") / 86400};
  if (!question.interval.empty()) request.interval_s = seconds_of(question.interval, "--interval");
  if (!question.spread_store.empty()) take_measured_spread(question, request);
  if (!question.checkpoint.empty()) take_measured_checkpoint(question, request);
  return request;
}

double gb_of(const std::string& bytes) { return 1e-9 * static_cast<double>(core::parse_bytes(bytes)); }

/// The front end of a node, without the interval, which follows from the job.
FrontEnd front_end_of(const ReliabilityQuestion& question, const Rates& rates) {
  if (question.state.empty())
    core::usage_error("reliability: --front-end: expected --state, what a GPU saves");
  constexpr double gb_per_gbit = 0.125;
  return {.gb_per_s = question.front_end_gbit_per_s * gb_per_gbit,
          .checkpoint_gb = rates.gpus_per_node * gb_of(question.state),
          .ingest_gb_per_s = rates.gpus_per_node * gb_of(question.ingest),
          .logs_gb_per_s = gb_of(question.logs)};
}

}  // namespace

void refuse_lonely(const ReliabilityQuestion& question) {
  if (!question.run.empty() && question.checkpoint.empty() && question.spread_store.empty())
    core::usage_error("reliability: --run: expected --checkpoint or --rank-spread-from, whose run it is");
  if (!question.state.empty() && question.checkpoint.empty() && question.front_end_gbit_per_s <= 0)
    core::usage_error("reliability: --state: expected --checkpoint or --front-end with it");
}

Rates rates_of(const ReliabilityQuestion& question) {
  if (!question.mean_time.empty())
    return model::reliability::rates_of_mean_time(seconds_of(question.mean_time, "--mtbf") / 3600);
  if (question.rates.empty() || question.gpus == 0)
    core::usage_error(
        "reliability: expected --gpus and --rates, --mtbf, or --rates-from-logbooks (see --help)");
  if (question.rates_toml) return model::reliability::parse_rates(*question.rates_toml, question.rates);
  return model::reliability::read_rates(question.rates);
}

JobAnswer job_answer(const ReliabilityQuestion& question, const Rates& rates) {
  JobRequest request = request_of(question);
  std::optional<FrontEnd> network;
  if (question.front_end_gbit_per_s > 0) network = front_end_of(question, rates);
  if (network && question.write.empty() && question.checkpoint.empty())
    request.durable_after_s = write_s(*network);
  const model::reliability::JobReliability answer = reliability_of(rates, request);
  JobAnswer said{to_text(rates, request, answer), to_json(rates, request, answer)};
  if (!network) return said;
  network->interval_s = answer.checkpointing.interval_s;
  const model::reliability::FrontEndUse use = use_of(*network);
  said.text += to_text(*network, use);
  said.json["front_end"] = to_json(*network, use);
  return said;
}

}  // namespace assay::answers
