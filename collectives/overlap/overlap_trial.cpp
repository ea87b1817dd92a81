// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlap_trial.hpp"

#include <algorithm>
#include <utility>

#include "harness/core/names.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t most_passes_kept = 2000;

}  // namespace

OverlapTrial::OverlapTrial(team::Team& team, Setup setup) : team_(team), setup_(std::move(setup)) {}

core::Timing OverlapTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  for (std::int64_t i = 0; i < iterations; ++i) {
    const PassTimes times = setup_.pass->run();
    timing.seconds += times.together;
    timing.each_s.push_back(times.together);
    if (times_.size() < most_passes_kept) times_.push_back(times);
  }
  return timing;
}

void OverlapTrial::sampling_begins() {
  times_.clear();
  setup_.pass->refill();
}

core::Verification OverlapTrial::check() {
  using Result = core::Verification::Result;
  if (const auto wrong = setup_.pass->wrong()) return {Result::wrong, *wrong};
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
  return metrics_of(setup_.plan, slowest);
}

std::vector<core::Fact> OverlapTrial::facts() const {
  std::vector<core::Fact> facts = setup_.pass->facts();
  if (team_.rank() != 0) return facts;
  facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
  facts.emplace_back(core::names::nodes, static_cast<std::int64_t>(setup_.problems.front().nodes()));
  facts.emplace_back("exchanges", std::ssize(setup_.problems));
  for (core::Fact& fact : setup_.pass->leaders_facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::collectives
