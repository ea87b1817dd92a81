// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/simulation.hpp"

#include <algorithm>
#include <numeric>

#include "model/fabric/simulate/each_seed.hpp"
#include "model/fabric/simulate/overlap.hpp"

namespace assay::model::fabric {

namespace {

using Plans = std::vector<OperationPlan>;

/// In the order in which they run where nothing overlaps.
Plans plans_of(const Scenario& scenario, const SimulationOptions& options, Simulation& result) {
  const CommonRouters routers(scenario.model());
  Plans plans;
  for (const std::size_t stream : scenario.stream_order())
    for (const Operation& operation : scenario.workload().streams[stream].operations) {
      plans.push_back(plan_operation(scenario.model(), routers, operation, scenario.host_of_rank(),
                                     options.sharing, options.threads));
      OperationTimes times{.operation = &operation,
                           .stream = scenario.workload().streams[stream].name,
                           .time_us = std::vector<double>(options.seeds, operation.compute_us),
                           .even_us = operation.compute_us,
                           .sampled = plans.back().exchange.sampled()};
      for (const StepPlan& step : plans.back().steps) {
        times.even_us += step.step.repeats * step.even_us;
        times.steps.push_back({.first = step.step.step,
                               .repeats = step.step.repeats,
                               .flows = step.flows.flows,
                               .rule = step.rule,
                               .time_us = std::vector<double>(options.seeds)});
        if (std::ranges::find(result.rules, step.rule) == result.rules.end())
          result.rules.push_back(step.rule);
      }
      result.operations.push_back(std::move(times));
    }
  return plans;
}

/// Loads of links and times of hosts, added up over steps.
class LoadSum {
 public:
  LoadSum(const FabricModel& model, Simulation& result) : result_(&result) {
    result.bytes_of_links.assign(model.links(), 0);
    result.hosts.assign(model.topology().hosts(), {});
  }

  void add(const StepDetail& detail, double repeats) {
    for (std::size_t link = 0; link < detail.bytes_of_links.size(); ++link)
      result_->bytes_of_links[link] += repeats * detail.bytes_of_links[link];
    if (detail.hosts.empty()) result_->hosts.clear();  // not known of this step, hence not of all
    for (std::size_t host = 0; host < result_->hosts.size(); ++host) {
      HostTime& sum = result_->hosts[host];
      if (detail.hosts[host].time_us > 0) sum.link = detail.hosts[host].link;
      sum.time_us += repeats * detail.hosts[host].time_us;
    }
  }

 private:
  Simulation* result_;
};

/// One operation after the other, each step when the one before it has ended everywhere.
void run_in_turn(const Scenario& scenario, const Plans& plans, const SimulationOptions& options,
                 Simulation& result) {
  const FabricModel& model = scenario.model();
  const bool only = options.loads && options.seeds == 1;
  LoadSum loads(model, result);
  for_each_seed(options.seeds, options.threads, [&](std::uint32_t at, unsigned threads) {
    const Router router = model.router(at + 1);
    for (std::size_t number = 0; number < plans.size(); ++number)
      for (std::size_t step = 0; step < plans[number].steps.size(); ++step) {
        const StepPlan& plan = plans[number].steps[step];
        StepDetail detail;
        const double us =
            simulate_step(model, router, plans[number].exchange, plan, threads, only ? &detail : nullptr);
        if (only) loads.add(detail, plan.step.repeats);
        result.operations[number].steps[step].time_us[at] = us;
        result.operations[number].time_us[at] += plan.step.repeats * us;
      }
  });
  for (const OperationTimes& one : result.operations) {
    result.even_us += one.even_us;
    std::ranges::transform(result.time_us, one.time_us, result.time_us.begin(), std::plus());
  }
}

void detail_in_turn(const Scenario& scenario, const Plans& plans, unsigned threads, Simulation& result) {
  const Router router = scenario.model().router(result.median_seed);
  LoadSum loads(scenario.model(), result);
  for (const OperationPlan& plan : plans)
    for (const StepPlan& step : plan.steps) {
      StepDetail detail;
      simulate_step(scenario.model(), router, plan.exchange, step, threads, &detail);
      loads.add(detail, step.step.repeats);
    }
}

}  // namespace

std::uint32_t median_seed_of(const std::vector<double>& time_us) {
  std::vector<std::uint32_t> order(time_us.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t at) { return time_us[at]; });
  return order[(order.size() - 1) / 2] + 1;
}

Simulation simulate(const Scenario& scenario, const SimulationOptions& options) {
  Simulation result{.time_us = std::vector<double>(options.seeds), .overlaps = scenario.overlaps()};
  const Plans plans = plans_of(scenario, options, result);
  if (result.overlaps) {
    simulate_overlap(scenario, plans, options, result);
    return result;
  }
  run_in_turn(scenario, plans, options, result);
  result.median_seed = median_seed_of(result.time_us);
  if (options.loads && options.seeds > 1) detail_in_turn(scenario, plans, options.threads, result);
  return result;
}

}  // namespace assay::model::fabric
