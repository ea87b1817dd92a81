// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/latency_trial.hpp"

#include <algorithm>
#include <numeric>

#include "harness/core/names.hpp"
#include "rdma/trials/conditions.hpp"

namespace assay::rdma {

LatencyTrial::LatencyTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                           Pair ends)
    : wiring_(team, settings, {flow_between(ends.first, ends.second, settings)}),
      ping_pong_(wiring_),
      watch_(machine, wiring_) {
  ping_pong_.prepare_content();
}

core::Timing LatencyTrial::enqueue(std::int64_t iterations) {
  core::Timing timing;
  try {
    timing.each_s = ping_pong_.run(iterations);
  } catch (const core::Error&) {
    watch_.rethrow_with_counters();
  }
  timing.seconds = std::accumulate(timing.each_s.begin(), timing.each_s.end(), 0.0);
  latency_s_ = timing.seconds / static_cast<double>(iterations);
  return timing;
}

void LatencyTrial::sampling_begins() {
  ping_pong_.prepare_content();
  watch_.begin();
}

/// Measures what a message costs the processor after the latencies, which the reading of clocks would
/// lengthen.
void LatencyTrial::sampling_ends() {
  constexpr double enough_s = 0.05, least = 16, most = 512;  // exchanges; only the first rank's number counts
  const auto exchanges =
      static_cast<std::int64_t>(std::clamp(enough_s / std::max(latency_s_, 1e-9), least, most));
  watch_.end();
  try {
    host_time_ = ping_pong_.host_time(exchanges);
  } catch (const core::Error&) {
    watch_.rethrow_with_counters();
  }
}

std::vector<core::Metric> LatencyTrial::metrics(const core::Measurement&) {
  if (!host_time_) return {};
  return {{core::names::host_posting_us, "us", 1e6 * host_time_->posting_s},
          {core::names::host_taking_us, "us", 1e6 * host_time_->taking_s}};
}

core::Verification LatencyTrial::check() {
  using Result = core::Verification::Result;
  if (wiring_.lanes().empty()) return {};
  const std::string wrong = ping_pong_.check();
  if (!wrong.empty()) return {Result::wrong, wrong};
  return {Result::right, "what arrived since sampling began, against what was sent"};
}

std::vector<core::Fact> LatencyTrial::facts() {
  std::vector<core::Fact> facts = conditions_of(wiring_);
  const bool whole = fetches(wiring_.settings().message.operation);
  facts.emplace_back("latency_counts", whole ? "the round trip" : "half of the round trip");
  if (const std::string in_order = ping_pong_.last_byte_in_order(); !in_order.empty())
    facts.emplace_back("last_byte_in_order", in_order);
  for (core::Fact& fact : watch_.facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::rdma
