// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/collective_trial.hpp"

#include <algorithm>
#include <utility>

#include "collectives/measure/arrivals.hpp"
#include "collectives/measure/bandwidth.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

void take_slower(core::Timing& all, const core::Timing& one) {
  all.seconds = std::max(all.seconds, one.seconds);
  if (all.each_s.size() < one.each_s.size()) all.each_s.resize(one.each_s.size());
  for (std::size_t i = 0; i < one.each_s.size(); ++i) all.each_s[i] = std::max(all.each_s[i], one.each_s[i]);
}

}  // namespace

CollectiveTrial::CollectiveTrial(team::Team& team, const Content& content, Setup setup)
    : team_(team),
      content_(content),
      setup_(std::move(setup)),
      barrier_(barrier_over(*setup_.transport)),
      wires_(team, setup_.read_wires) {
  for (GroupPart::Made& made : setup_.parts) parts_.emplace_back(std::move(made), content, ring());
}

core::Timing CollectiveTrial::enqueue(std::int64_t iterations) {
  wires_.ran(iterations);
  core::Timing slowest;
  if (setup_.turns == Turns::in_turn) {
    for (std::size_t group = 0; group < setup_.groups.size(); ++group) {
      run_barrier(barrier_, ring());
      run_group(group, iterations, slowest);
    }
    return slowest;
  }
  run_barrier(barrier_, ring());
  for (std::size_t group = 0; group < setup_.groups.size(); ++group) run_group(group, iterations, slowest);
  return slowest;
}

void CollectiveTrial::run_group(std::size_t group, std::int64_t iterations, core::Timing& slowest) {
  for (GroupPart& part : parts_)
    if (part.group() == static_cast<int>(group)) take_slower(slowest, part.run(iterations, setup_.between));
}

void CollectiveTrial::sampling_begins() {
  ring().begins(Operation::barrier, 0, core::steady_seconds());  // as good as one: rank 0 goes round
  const ClockOffset offset = offset_from_rank_0(*setup_.transport);
  ring().done();
  for (GroupPart& part : parts_) part.sampling_begins(offset);
  run_barrier(barrier_, ring());  // what was sent so far is in the first reading
  wires_.begins();
}

core::Verification CollectiveTrial::check() {
  using Result = core::Verification::Result;
  core::Verification worst{Result::not_checked, "this rank is in no group"};
  bool first = true;
  for (GroupPart& part : parts_) {
    core::Verification one = part.verify();
    if (first || one.result == Result::wrong) worst = std::move(one);
    first = false;
  }
  return worst;
}

void CollectiveTrial::gather_figures() {
  std::vector<RankFigures> own;
  for (const GroupPart& part : parts_) own.push_back(part.figures());
  if (setup_.groups.size() == 1)
    for (RankFigures& one : own) one.durations_s.clear();  // the record's samples hold them
  by_group_.assign(setup_.groups.size(), {});
  for (const std::string& text : team_.gather_at_leader(to_text(own), team::reply_limit_s))
    for (RankFigures& one : rank_figures_from(text))
      by_group_.at(static_cast<std::size_t>(one.group)).push_back(std::move(one));
  if (by_group_.size() != 1) return;
  stragglers_ = stragglers_from(team::agree_on(
      team_, [&] { return team_.rank() == 0 ? to_text(stragglers_of(by_group_.front())) : std::string(); },
      [](std::string& all, const std::string& next) { all += next; }, team::Knows::everyone));
}

std::vector<core::Metric> CollectiveTrial::metrics(const core::Measurement& measurement) {
  gather_figures();
  std::vector<core::Metric> of_wires = wires_.gathered();
  if (team_.rank() != 0) return {};  // the figures of all are rank 0's
  std::vector<core::Metric> metrics;
  add_bandwidths(metrics, measurement);
  const bool tiers_known = !parts_.empty() && parts_.front().reports_tiers();
  if (tiers_known) add_tiers(metrics, by_group_);
  if (by_group_.size() == 1 && !parts_.empty())
    add_phases(metrics, by_group_.front(), parts_.front().phases());
  for (core::Metric& metric : of_wires) metrics.push_back(std::move(metric));
  const std::vector<core::Metric> figures =
      by_group_.size() == 1 ? metrics_of(by_group_.front()) : group_metrics(by_group_);
  metrics.insert(metrics.end(), figures.begin(), figures.end());
  return metrics;
}

bool CollectiveTrial::of_one_size() const {
  return std::ranges::all_of(
      setup_.groups, [&](const RankGroup& group) { return group.size() == setup_.groups.front().size(); });
}

void CollectiveTrial::add_bandwidths(std::vector<core::Metric>& metrics,
                                     const core::Measurement& measurement) const {
  const Problem& problem = setup_.problems.front();
  const double bytes = counted_bytes(problem, bytes_of(content_.type));
  const core::QuantileInterval& time = measurement.interval;
  if (bytes <= 0 || time.lower <= 0) return;
  const auto add = [&](const char* name, double factor) {
    metrics.push_back({name, "GB/s", factor * core::gb_per_s(bytes, time.estimate),
                       factor * core::gb_per_s(bytes, time.upper),
                       factor * core::gb_per_s(bytes, time.lower)});
  };
  add(core::names::algbw_gb_per_s, 1);
  const auto factor = busbw_factor(problem.operation, problem.ranks);
  if (factor && of_one_size()) add(core::names::busbw_gb_per_s, *factor);
}

std::vector<core::Fact> CollectiveTrial::facts_of_groups() const {
  std::vector<core::Fact> facts;
  if (setup_.groups.size() > 1)
    for (std::size_t group = 0; group < setup_.groups.size(); ++group)
      facts.emplace_back("group" + std::to_string(group) + "_ranks", to_text(setup_.groups[group]));
  else
    facts = latest_of(by_group_.front(), setup_.groups.front());
  return facts;
}

/// At rank 0 the latest of all ranks; elsewhere the rank itself, for its own journal.
std::vector<core::Fact> CollectiveTrial::facts_of_stragglers() const {
  if (setup_.groups.size() != 1) return {};
  const RankGroup& group = setup_.groups.front();
  const auto own = std::ranges::find(group, team_.rank());
  if (own == group.end()) return {};
  if (team_.rank() != 0) return facts_of(only(stragglers_, static_cast<int>(own - group.begin())), group);
  std::vector<core::Fact> facts = facts_of(stragglers_, group);
  const auto latest = std::ranges::find(facts, core::names::straggler_rank, &core::Fact::first);
  if (latest == facts.end()) return facts;
  const auto rank = static_cast<int>(std::get<std::int64_t>(latest->second));
  facts.emplace_back(core::names::straggler_host, team_.host_of(rank));
  return facts;
}

std::string CollectiveTrial::time_counts() const {
  if (!setup_.time_counts.empty()) return setup_.time_counts;
  return setup_.between == Between::barrier
             ? "per iteration the slowest rank; a barrier before each"
             : "per iteration the slowest rank; iterations back to back after a barrier";
}

std::vector<core::Fact> CollectiveTrial::facts() {
  std::vector<core::Fact> facts{{"transport", setup_.transport_name}};
  facts.insert(facts.end(), setup_.conditions.begin(), setup_.conditions.end());
  if (!parts_.empty())
    for (core::Fact& fact : parts_.front().facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : wires_.facts()) facts.push_back(std::move(fact));
  for (core::Fact& fact : facts_of_stragglers()) facts.push_back(std::move(fact));
  if (team_.rank() != 0) return facts;
  const Problem& problem = setup_.problems.front();
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(problem.ranks));
  facts.emplace_back(core::names::nodes, static_cast<std::int64_t>(problem.nodes()));
  facts.emplace_back("team_ranks", static_cast<std::int64_t>(team_.size()));
  facts.emplace_back("elements", problem.count);
  facts.emplace_back("cache", "hot");
  facts.emplace_back("time_counts", time_counts());
  for (core::Fact& fact : facts_of_groups()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::collectives
