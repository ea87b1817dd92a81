// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/training_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "collectives/rank_groups.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_steps_kept = 2000;

std::optional<Executor> make_exchange(const TrainingTrial::Setup& setup) {
  Transport& transport = *setup.connected.transport;
  if (transport.size() == 1) return std::nullopt;
  return Executor(
      schedule_of(*setup.algorithm, exchange_problem(setup.shape, transport.size()), transport.rank()),
      DataType::fp32, Operator::sum, transport);
}

}  // namespace

Problem exchange_problem(const ModelShape& shape, int ranks) {
  return {.operation = Operation::all_reduce, .ranks = ranks, .count = parameter_elements(shape)};
}

TrainingTrial::TrainingTrial(team::Team& team, Setup setup)
    : team_(team),
      setup_(std::move(setup)),
      barrier_(barrier_over(*setup_.connected.transport)),
      all_reduce_(make_exchange(setup_)),
      rank_(setup_.shape, team.rank(), team.size(), std::move(setup_.products)) {
  for (std::int64_t step = 0; step < training_steps; ++step) run_step();
}

void TrainingTrial::exchange() {
  if (!all_reduce_) return;
  FlightRing& ring = setup_.connected.post->ring();
  const auto gradients = std::as_bytes(rank_.gradients());
  ring.begins(Operation::all_reduce, std::ssize(gradients), core::steady_seconds());
  all_reduce_->run(gradients, std::as_writable_bytes(rank_.summed()));
  ring.done();
}

TrainingTrial::StepTimes TrainingTrial::run_step() {
  if (rank_.step() == training_steps) {
    rank_.restart();
    ++run_;
  }
  run_barrier(barrier_, setup_.connected.post->ring());
  const double began = setup_.seconds();
  rank_.pass();
  const double passed = setup_.seconds();
  exchange();
  const double exchanged = setup_.seconds();
  rank_.update();
  const StepTimes times{
      .whole_s = setup_.seconds() - began, .pass_s = passed - began, .exchange_s = exchanged - passed};
  log_.add(run_, rank_.step() - 1, rank_.mark());
  memory_.add(setup_.read_memory());
  return times;
}

core::Timing TrainingTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    const StepTimes times = run_step();
    timing.seconds += times.whole_s;
    timing.each_s.push_back(times.whole_s);
    if (times_.size() < most_steps_kept) times_.push_back(times);
    ++repeated_;
  }
  return timing;
}

core::Verification TrainingTrial::check() {
  using Result = core::Verification::Result;
  RankSteps own{.finding = log_.finding(), .leak = memory_.leak().value_or("")};
  for (const StepMark& mark : log_.first_run()) {
    own.losses.push_back(mark.loss);
    own.weights.push_back(mark.weights.digest);
  }
  std::vector<RankSteps> by_rank;
  for (const std::string& text : team_.gather_at_leader(to_text(own), team::reply_limit_s))
    by_rank.push_back(rank_steps_from(text));
  const std::string verdict = team_.rank() == 0 ? to_text(verdict_of(by_rank)) : std::string();
  verdict_ = training_verdict_from(team_.broadcast(verdict, team::reply_limit_s));
  if (verdict_.rank == team_.rank()) return {Result::wrong, verdict_.why, verdict_.digest};
  if (verdict_.rank >= 0) return {Result::not_checked, "another rank is at fault", verdict_.digest};
  return {Result::right,
          fmt::format("losses, gradients and weights of {} repeated steps, bit by bit; weights of all ranks",
                      repeated_),
          verdict_.digest};
}

/// A rank whose passes take longer than the others' comes late to the exchange.
void TrainingTrial::gather_late_ranks() {
  RankFigures own;
  for (const StepTimes& one : times_) own.entries_s.push_back(one.pass_s);
  std::vector<RankFigures> by_rank;
  for (const std::string& text : team_.gather_at_leader(to_text(std::vector{own}), team::reply_limit_s))
    for (RankFigures& one : rank_figures_from(text)) by_rank.push_back(std::move(one));
  if (team_.rank() == 0) stragglers_ = stragglers_of(by_rank);
}

/// Shares of a step within the exchange: of the rank that waits least for others, and of the one that waits
/// most.
std::vector<core::Metric> TrainingTrial::share_metrics() {
  double least = 100, most = 0;
  const core::Metric own = core::median_metric(times_, "exchange_percent", "%", [](const StepTimes& one) {
    return 100 * one.exchange_s / one.whole_s;
  });
  for (const std::string& text : team_.gather_at_leader(fmt::format("{}", own.value), team::reply_limit_s)) {
    double percent = 0;
    std::istringstream(text) >> percent;
    least = std::min(least, percent);
    most = std::max(most, percent);
  }
  return {{"exchange_percent", "%", least}, {"exchange_with_waits_percent", "%", most}};
}

std::vector<core::Metric> TrainingTrial::metrics(const core::Measurement& measurement) {
  if (times_.empty()) return {};
  gather_late_ranks();
  std::vector<core::Metric> metrics = share_metrics();
  if (team_.rank() != 0) return {};
  const auto tokens = static_cast<double>(setup_.shape.tokens() * team_.size());
  const core::QuantileInterval& time = measurement.interval;
  if (time.lower > 0)
    metrics.insert(metrics.begin(),
                   {"tokens_per_s", "1/s", tokens / time.estimate, tokens / time.upper, tokens / time.lower});
  metrics.push_back(
      core::median_metric(times_, "pass_us", "us", [](const StepTimes& one) { return 1e6 * one.pass_s; }));
  metrics.push_back({"first_loss", "", verdict_.first_loss});
  metrics.push_back({"last_loss", "", verdict_.last_loss});
  metrics.push_back({"resident_bytes", "B", static_cast<double>(memory_.last())});
  return metrics;
}

std::vector<core::Fact> TrainingTrial::facts() const {
  std::vector<core::Fact> facts{{"transport", setup_.connected.transport_name}};
  for (core::Fact& fact : rank_.facts()) facts.push_back(std::move(fact));
  if (team_.rank() != 0) return facts;
  // Equals have the same bits: the order of additions depends on both.
  facts.emplace_back("algorithm", fmt::format("{} over {} ranks", setup_.algorithm->name, team_.size()));
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
  facts.emplace_back("steps_of_a_run", training_steps);
  facts.emplace_back("steps_repeated", repeated_);
  facts.emplace_back("time_counts", "a step at the slowest rank, after a barrier, without its checks");
  facts.emplace_back("host_twin", "CPUs compute and exchange: what a GPU does is not measured");
  for (core::Fact& fact : facts_of(stragglers_, rank_groups("all", team_.size(), {}).front())) {
    if (fact.first == core::names::straggler_rank)
      facts.emplace_back(core::names::straggler_host,
                         team_.host_of(static_cast<int>(std::get<std::int64_t>(fact.second))));
    facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace assay::collectives
