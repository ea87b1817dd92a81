// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/simulation.hpp"

#include <algorithm>
#include <numeric>

#include "model/fabric/simulate/each_seed.hpp"
#include "model/fabric/simulate/jobs.hpp"
#include "model/fabric/simulate/load_sum.hpp"
#include "model/fabric/simulate/loads.hpp"
#include "model/fabric/simulate/steps/overlap.hpp"
#include "model/fabric/simulate/steps/step_count.hpp"

namespace assay::model::fabric {

namespace {

using Plans = std::vector<OperationPlan>;

void note_rule(std::vector<SharingRuleKind>& rules, SharingRuleKind rule) {
  if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
}

/// The stream's name, after that of its job where there are several jobs.
std::string name_of(const WorkloadFile& workload, const Stream& stream) {
  return workload.jobs.size() > 1 ? workload.jobs[stream.job].name + ": " + stream.name : stream.name;
}

/// Without its times, but for compute.
OperationTimes times_of(std::string stream, const OperationPlan& plan, bool together, std::size_t seeds) {
  const Operation& operation = plan.exchange.operation();
  OperationTimes times{.operation = &operation,
                       .stream = std::move(stream),
                       .time_us = std::vector<double>(seeds),
                       .even_us = operation.all_compute_us(),
                       .hosts_us = operation.all_compute_us()};
  if (!plan.exchange.strata().empty()) times.sample_half_width_us.resize(seeds);
  for (const StepPlan& step : plan.steps) {
    times.even_us += step.step.repeats * step.even_us;
    times.hosts_us += step.step.repeats * std::max({step.latency_us, step.ends.alone_us, step.ends.load_us});
    if (together) continue;
    times.steps.push_back({.first = step.step.step,
                           .repeats = step.step.repeats,
                           .flows = step.flows.flows,
                           .rule = step.rule,
                           .drawn = step.drawn,
                           .time_us = std::vector<double>(seeds),
                           .congested = std::vector<std::optional<CongestedStep>>(seeds)});
  }
  return times;
}

/// Half of the interval of the sum over all shifts, estimated from those drawn; a shift that takes queue
/// pairs in turn has the mean of its turns.
double half_width_us(const OperationPlan& plan, const OperationTimes& times, std::size_t seed) {
  std::vector<double> sum_us(plan.exchange.steps().size()), turns(sum_us.size());
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const auto shift = static_cast<std::size_t>(plan.steps[step].step.step);
    sum_us[shift] += times.steps[step].time_us[seed];
    ++turns[shift];
  }
  std::ranges::transform(sum_us, turns, sum_us.begin(), std::divides());
  return plan.exchange.operation().times * half_width_of_sum(plan.exchange.strata(), sum_us);
}

/// A workload, planned, for any hash seed.
class SeedRuns {
 public:
  SeedRuns(const Scenario& scenario, const SimulationOptions& options, Simulation& result)
      : scenario_(scenario),
        result_(result),
        sections_(sections_of(scenario.workload(), options.barriers)),
        routers_(scenario.model()) {
    for (const StreamSection& section : sections_)
      for (const std::size_t at : section.streams)
        for (const Operation& operation : scenario.workload().streams[at].operations) {
          plans_.push_back(plan_operation(scenario.model(), routers_, operation, scenario.host_of_rank(),
                                          options.sharing, options.threads, plans_));
          result.operations.push_back(times_of(name_of(scenario.workload(), scenario.workload().streams[at]),
                                               plans_.back(), section.together, options.seeds));
        }
    for (const StreamSection& section : sections_) note_rules(section, options);
    result.jobs.assign(scenario.workload().jobs.size(), {std::vector<double>(options.seeds), {}});
    if (scenario.model().file().engineered) traffic_ = plan_of_traffic(scenario.model(), plans_);
  }

  std::size_t steps() const {
    std::size_t steps = 0;
    for (const StreamSection& section : sections_) {
      steps += section.together ? 1 : 0;
      if (!section.together)
        for (const OperationPlan& plan : plans_of(section)) steps += plan.steps.size();
    }
    return steps;
  }

  /// Seed `at` + 1; the time of all.
  double run(std::uint32_t at, unsigned threads, LoadSum& loads, StepCount& count) const {
    const MessageRouter router(routers_.plain.with(scenario_.model().routing(at + 1)),
                               traffic_ ? &*traffic_ : nullptr);
    double time_us = 0;
    for (std::size_t number = 0; number < sections_.size(); ++number) {
      const StreamSection& section = sections_[number];
      if (section.together) {
        time_us += run_together(scenario_, section, plans_of(section), overlaps_[number], router, at, threads,
                                result_, loads);
        count.next();
        continue;
      }
      for (std::size_t one = section.first_operation; one < section.end_operation; ++one)
        time_us += run_in_turn(one, router, at, threads, loads, count);
    }
    return time_us;
  }

 private:
  std::span<const OperationPlan> plans_of(const StreamSection& section) const {
    return std::span(plans_).subspan(section.first_operation,
                                     section.end_operation - section.first_operation);
  }

  void note_rules(const StreamSection& section, const SimulationOptions& options) {
    overlaps_.emplace_back();
    if (section.together) {
      overlaps_.back() =
          plan_overlap(scenario_, section, plans_of(section), options.sharing, options.most_graph_flows);
      note_rule(result_.rules, overlaps_.back().rule);
      result_.overlaps = true;
      result_.alike_as_one |= overlaps_.back().grain == GraphGrain::alike;
      return;
    }
    for (const OperationPlan& plan : plans_of(section))
      for (const StepPlan& step : plan.steps) note_rule(result_.rules, step.rule);
  }

  /// Each step when the one before it has ended everywhere.
  double run_in_turn(std::size_t number, const MessageRouter& router, std::uint32_t at, unsigned threads,
                     LoadSum& loads, StepCount& count) const {
    const OperationPlan& plan = plans_[number];
    OperationTimes& times = result_.operations[number];
    double time_us = plan.exchange.operation().all_compute_us();
    for (std::size_t step = 0; step < plan.steps.size(); ++step) {
      const StepPlan& one = plan.steps[step];
      StepDetail detail = loads.detail();
      const double us = simulate_step(scenario_.model(), router, plan.exchange, one, threads, detail);
      loads.add(detail, one.step.repeats);
      count.next();
      times.steps[step].time_us[at] = us;
      if (detail.congested)
        times.steps[step].congested[at] = {*detail.congested,
                                           dcqcn_of(scenario_.model(), one, *detail.congested)};
      time_us += one.step.repeats * us;
    }
    if (!times.sample_half_width_us.empty()) times.sample_half_width_us[at] = half_width_us(plan, times, at);
    return times.time_us[at] = time_us;
  }

  const Scenario& scenario_;
  Simulation& result_;
  std::vector<StreamSection> sections_;
  CommonRouters routers_;
  Plans plans_;
  std::vector<OverlapPlan> overlaps_;  // of each section; of those together, how
  std::optional<TrafficPlan> traffic_;
};

}  // namespace

std::uint32_t median_seed_of(const std::vector<double>& time_us) {
  std::vector<std::uint32_t> order(time_us.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t at) { return time_us[at]; });
  return order[(order.size() - 1) / 2] + 1;
}

Simulation simulate(const Scenario& scenario, const SimulationOptions& options) {
  Simulation result{.time_us = std::vector<double>(options.seeds),
                    .uplinks_max_over_mean = std::vector<double>(options.seeds)};
  const SeedRuns runs(scenario, options, result);
  const bool only = options.loads && options.seeds == 1, once_more = options.loads && !only;
  StepCount count(options, runs.steps() * (options.seeds + (once_more ? 1 : 0)));
  for_each_seed(options.seeds, options.threads, [&](std::uint32_t at, unsigned threads) {
    LoadSum loads(scenario.model(), only);
    result.time_us[at] = runs.run(at, threads, loads, count);
    result.uplinks_max_over_mean[at] = uplink_load(scenario.model(), loads.bytes_of_links()).max_over_mean;
    if (only) loads.put_into(result);
  });
  result.median_seed = median_seed_of(result.time_us);
  if (once_more) {
    LoadSum loads(scenario.model(), true);
    runs.run(result.median_seed - 1, options.threads, loads, count);
    loads.put_into(result);
  }
  if (!result.overlaps)
    for (const OperationTimes& one : result.operations) result.even_us += one.even_us;
  if (options.loads && result.jobs.size() > 1) simulate_jobs_alone(scenario, options, result);
  return result;
}

}  // namespace assay::model::fabric
