// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlap_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "collectives/measure/bandwidth.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_passes_kept = 2000;
constexpr Content exchanged{.seed = 1};

}  // namespace

OverlapTrial::OverlapTrial(team::Team& team, Setup setup)
    : team_(team),
      setup_(std::move(setup)),
      barrier_(barrier_over(*setup_.transport)),
      pass_(setup_.plan, *setup_.work, [this](std::size_t which) { run_exchange(which); }) {
  const int rank = setup_.transport->rank();
  for (const Problem& problem : setup_.problems)
    exchanges_.push_back({static_cast<std::int64_t>(counted_bytes(problem, bytes_of(exchanged.type))),
                          Operands(problem, exchanged, rank),
                          Executor(schedule_of(*setup_.algorithm, problem, rank), exchanged.type,
                                   exchanged.reduction, *setup_.transport)});
}

void OverlapTrial::run_exchange(std::size_t which) {
  Exchange& one = exchanges_[which];
  const double began = core::steady_seconds();
  ring().begins(setup_.algorithm->operation, one.bytes, began);
  one.executor.run(one.operands.input(), one.operands.output());
  if (setup_.link_bytes_per_s > 0) {
    const double ends = began + static_cast<double>(one.bytes) / setup_.link_bytes_per_s;
    std::this_thread::sleep_for(std::chrono::duration<double>(ends - core::steady_seconds()));
  }
  ring().done();
}

core::Timing OverlapTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    const PassTimes times = pass_.run([this] { run_barrier(barrier_, ring()); });
    timing.seconds += times.together;
    timing.each_s.push_back(times.together);
    if (times_.size() < most_passes_kept) times_.push_back(times);
  }
  return timing;
}

void OverlapTrial::sampling_begins() {
  times_.clear();
  for (Exchange& one : exchanges_) one.operands.refill();
}

core::Verification OverlapTrial::check() const {
  using Result = core::Verification::Result;
  for (std::size_t which = 0; which < exchanges_.size(); ++which)
    if (const auto wrong = exchanges_[which].operands.first_wrong())
      return {Result::wrong, fmt::format("exchange {}: {}", which, *wrong)};
  if (const auto wrong = setup_.work->wrong()) return {Result::wrong, *wrong};
  return {Result::right, "every element that the last exchanges left, bit by bit, and the products"};
}

std::vector<core::Metric> OverlapTrial::metrics(const core::Measurement&) {
  std::vector<PassTimes> slowest;
  for (const std::string& text : team_.gather_at_leader(to_text(times_), team::reply_limit_s)) {
    const std::vector<PassTimes> of_rank = pass_times_from(text);
    if (slowest.empty()) slowest = of_rank;
    slowest.resize(std::min(slowest.size(), of_rank.size()));
    for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = slowest_of(slowest[i], of_rank[i]);
  }
  return metrics_of(slowest);
}

std::vector<core::Fact> OverlapTrial::facts() const {
  std::vector<core::Fact> facts{{"transport", setup_.transport_name}};
  for (core::Fact& fact : setup_.work->facts()) facts.push_back(std::move(fact));
  if (team_.rank() != 0) return facts;
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
  facts.emplace_back(core::names::nodes, static_cast<std::int64_t>(setup_.problems.front().nodes()));
  facts.emplace_back("exchanges", static_cast<std::int64_t>(exchanges_.size()));
  facts.emplace_back("cache", "hot");
  facts.emplace_back("host_twin", "CPUs compute and exchange: how work overlaps here, not on a GPU");
  facts.emplace_back("time_counts", "per iteration the slowest rank; a barrier before each");
  return facts;
}

}  // namespace assay::collectives
