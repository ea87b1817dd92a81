// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/answer_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/core/statistics/statistics.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/jobs.hpp"

namespace assay::model::fabric {

namespace {

using Kind = results::Column::Kind;
using results::Number;

constexpr double ms_of_us = 1e-3, kb_of_bytes = 1e-3, gb_of_bytes = 1e-9, gb_per_s_of_bytes_per_us = 1e-3;

/// Median bandwidth, with its interval where the time has one: the slowest time is the lowest.
template <class Bandwidth>
results::Cell bandwidth_cell(const OperationTimes& one, const Bandwidth& bandwidth) {
  if (one.operation->kind == OperationKind::compute) return {};
  const Number time = number_of(one.time_us);
  Number value{gb_per_s_of_bytes_per_us * bandwidth(time.value)};
  if (time.lower) value.upper = gb_per_s_of_bytes_per_us * bandwidth(*time.lower);
  if (time.upper) value.lower = gb_per_s_of_bytes_per_us * bandwidth(*time.upper);
  return value;
}

/// Median over seeds.
double sample_error_percent(const OperationTimes& one) {
  std::vector<double> shares;
  for (std::size_t seed = 0; seed < one.time_us.size(); ++seed)
    shares.push_back(100 * one.sample_half_width_us[seed] / one.time_us[seed]);
  return core::quantile_of(shares, 0.5);
}

}  // namespace

results::Table operation_table(const Simulation& simulation) {
  results::Table table{.title = "Operations"};
  table.columns = {{"stream", "", Kind::text, true}, {"operation", "", Kind::text},
                   {"time", "ms", Kind::number},     {"algbw", "GB/s", Kind::number},
                   {"busbw", "GB/s", Kind::number},  {"of what links allow", "%", Kind::number}};
  if (!simulation.scaled_to.empty()) table.columns.push_back({"scaled by", "", Kind::number});
  for (const OperationTimes& one : simulation.operations) {
    const double median_us = core::quantile_of(one.time_us, 0.5);
    const bool is_alone = !one.steps.empty();
    table.rows.push_back({one.stream, one.operation->text(), number_of(one.time_us, ms_of_us),
                          bandwidth_cell(one, [&](double us) { return one.algorithm_bandwidth(us); }),
                          bandwidth_cell(one, [&](double us) { return one.bus_bandwidth(us); }),
                          is_alone ? results::Cell(Number{100 * one.even_us / median_us}) : results::Cell()});
    if (!simulation.scaled_to.empty()) table.rows.back().emplace_back(Number{one.scale});
  }
  return table;
}

results::Table step_table(const Simulation& simulation) {
  results::Table table{.title = "Steps"};
  table.columns = {{"operation", "", Kind::text, true}, {"first step", "", Kind::count},
                   {"steps alike", "", Kind::number},   {"flows", "", Kind::count},
                   {"sharing", "", Kind::word, true},   {"time of one", "us", Kind::number}};
  for (const OperationTimes& one : simulation.operations)
    for (const StepTimes& step : one.steps)
      table.rows.push_back({one.operation->text(), std::int64_t{step.first}, Number{step.repeats},
                            static_cast<std::int64_t>(step.flows), std::string(rule_words.of(step.rule)),
                            number_of(step.time_us)});
  for (const OperationTimes& one : simulation.operations)
    if (!one.sample_half_width_us.empty())
      table.notes.push_back(
          fmt::format("{} shifts stand for all of the {}: within {:.2g} % of its time (95 %).",
                      one.steps.size(), one.operation->collective, sample_error_percent(one)));
  results::cut_rows(table, 4 * most_rows, "kinds of steps");
  return table;
}

std::optional<std::size_t> paused_hosts(const FabricModel& model, const Simulation& simulation) {
  if (std::ranges::find(simulation.rules, SharingRuleKind::occupancy) == simulation.rules.end())
    return std::nullopt;
  return static_cast<std::size_t>(std::ranges::count_if(
      simulation.paused_links, [&](LinkId link) { return link < model.topology().hosts(); }));
}

results::Table pause_table(const Scenario& scenario, const Simulation& simulation) {
  const FabricModel& model = scenario.model();
  results::Table table{.title = "Links paused at some time"};
  const auto hosts = paused_hosts(model, simulation);
  if (!hosts) return table;
  table.notes.push_back(
      fmt::format("Of hash seed {}. {}", simulation.median_seed,
                  *hosts > 0 ? fmt::format("Pauses reach {} hosts.", *hosts) : "No pause reaches a host."));
  table.columns = {{"tier", "", Kind::word}, {"links", "", Kind::count}, {"paused", "", Kind::count}};
  for (const TierLoad& tier : tier_loads(model, simulation.bytes_of_links)) {
    const auto paused = std::ranges::count_if(
        tier.links, [&](LinkId link) { return std::ranges::binary_search(simulation.paused_links, link); });
    table.rows.push_back({tier.tier, static_cast<std::int64_t>(tier.links.size()), std::int64_t{paused}});
  }
  return table;
}

results::Table congestion_table(const Scenario& scenario, const Simulation& simulation) {
  results::Table table{.title = "DCQCN where steps need the longest"};
  table.notes.push_back(
      fmt::format("Of hash seed {}. A queue that no share of marks holds at rest stays near kmax.",
                  simulation.median_seed));
  table.columns = {{"operation", "", Kind::text, true},
                   {"first step", "", Kind::count},
                   {"link", "", Kind::word},
                   {"flows", "", Kind::count},
                   {"queue at rest", "kB", Kind::number},
                   {"longest queue", "kB", Kind::number},
                   {"lost at the start", "us", Kind::number}};
  for (const OperationTimes& one : simulation.operations)
    for (const StepTimes& step : one.steps) {
      const std::optional<CongestedStep>& at = step.congested[simulation.median_seed - 1];
      if (!at) continue;
      const auto rest_bytes = dcqcn_fixed_point(at->settings).queue_bytes;
      const bool waits = at->link.flows > 1;
      table.rows.push_back(
          {one.operation->text(), std::int64_t{step.first}, scenario.model().name_of_link(at->link.link),
           std::int64_t{at->link.flows},
           waits && rest_bytes ? results::Cell(Number{kb_of_bytes * *rest_bytes}) : results::Cell(),
           Number{kb_of_bytes * at->link.start.most_queued_bytes}, Number{1e6 * at->link.start.lost_s}});
    }
  results::cut_rows(table, 4 * most_rows, "kinds of steps");
  return table;
}

results::Table job_table(const Scenario& scenario, const Simulation& simulation) {
  results::Table table{.title = "Jobs"};
  table.columns = {{"job", "", Kind::text},           {"ranks", "", Kind::count},
                   {"starts at", "ms", Kind::number}, {"alone", "ms", Kind::number},
                   {"together", "ms", Kind::number},  {"slowdown", "", Kind::number}};
  for (std::size_t at = 0; at < simulation.jobs.size(); ++at) {
    const Job& job = scenario.workload().jobs[at];
    const JobTimes& times = simulation.jobs[at];
    table.rows.push_back({job.name, std::int64_t{job.ranks.count}, Number{ms_of_us * job.start_us},
                          number_of(times.alone_us, ms_of_us), number_of(times.together_us, ms_of_us),
                          number_of(slowdown_of(times))});
  }
  return table;
}

void append_load_tables(const Scenario& scenario, const Simulation& simulation,
                        std::vector<results::Table>& tables) {
  const FabricModel& model = scenario.model();
  const std::vector<TierLoad> tiers = tier_loads(model, simulation.bytes_of_links);
  results::Table by_tier{.title = "Load of links by tier"};
  by_tier.notes.push_back(fmt::format("Of hash seed {}, the median one.", simulation.median_seed));
  by_tier.columns = {{"tier", "", Kind::word},
                     {"links", "", Kind::count},
                     {"mean", "GB", Kind::number},
                     {"max/mean", "", Kind::number}};
  for (const TierLoad& tier : tiers)
    if (tier.mean_bytes > 0)
      by_tier.rows.push_back({tier.tier, static_cast<std::int64_t>(tier.links.size()),
                              Number{gb_of_bytes * tier.mean_bytes}, Number{tier.max_over_mean}});
  results::Table busiest{.title = "Busiest links"};
  busiest.columns = {{"link", "", Kind::word},
                     {"carries", "GB", Kind::number},
                     {"needs", "ms", Kind::number},
                     {"over the mean", "", Kind::number}};
  for (const BusyLink& one : busiest_links(model, simulation.bytes_of_links, tiers, most_rows))
    busiest.rows.push_back({model.name_of_link(one.link), Number{gb_of_bytes * one.bytes},
                            Number{ms_of_us * one.time_us}, Number{one.over_mean}});
  if (by_tier.rows.empty()) return;
  tables.push_back(std::move(by_tier));
  tables.push_back(std::move(busiest));
}

std::vector<std::uint32_t> slowest_ranks(const Scenario& scenario, const Simulation& simulation,
                                         std::size_t most) {
  const std::vector<NodeId>& hosts = scenario.host_of_rank();
  std::vector<std::uint32_t> ranks(hosts.size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::ranges::stable_sort(ranks, std::greater(),
                           [&](std::uint32_t rank) { return simulation.hosts[hosts[rank]].time_us; });
  if (ranks.size() > most) ranks.resize(most);
  return ranks;
}

results::Table rank_table(const Scenario& scenario, const Simulation& simulation) {
  const FabricModel& model = scenario.model();
  results::Table table{.title = "Slowest ranks"};
  table.columns = {{"rank", "", Kind::count},
                   {"GPU", "", Kind::word},
                   {"leaf", "", Kind::word},
                   {"time", "ms", Kind::number},
                   {"held up by", "", Kind::word}};
  const bool several = simulation.jobs.size() > 1;
  for (const std::uint32_t rank : slowest_ranks(scenario, simulation, most_rows)) {
    const NodeId host = scenario.host_of_rank()[rank];
    const HostTime& time = simulation.hosts[host];
    if (time.time_us <= 0) break;
    const Job& job = scenario.workload().job_of(rank);
    table.rows.push_back({std::int64_t{rank - job.ranks.first}, model.topology().name_of(host),
                          model.topology().name_of(model.topology().leaf_of(host)),
                          Number{ms_of_us * time.time_us}, model.name_of_link(time.link)});
    if (several) table.rows.back().insert(table.rows.back().begin(), job.name);
  }
  if (several) table.columns.insert(table.columns.begin(), {"job", "", Kind::text});
  return table;
}

results::Table change_table(const std::vector<Change>& changes) {
  results::Table table{.title = "What would help most, one at a time"};
  table.notes.push_back(fmt::format("Of hash seeds 1 to {}.", changes.front().seeds));
  table.columns = {{"change", "", Kind::text}, {"time", "ms", Kind::number}, {"gain", "%", Kind::number}};
  for (const Change& one : changes)
    if (!one.refused.empty())
      table.notes.push_back(fmt::format("Not simulated: {}: {}.", one.what, one.refused));
  for (const Change& one : changes)
    if (one.refused.empty())
      table.rows.push_back({one.what, Number{ms_of_us * one.time_us},
                            Number{100 * one.gain, 100 * one.gain_lower, 100 * one.gain_upper}});
  return table;
}

}  // namespace assay::model::fabric
