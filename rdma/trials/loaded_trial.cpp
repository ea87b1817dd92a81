// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/loaded_trial.hpp"

#include <algorithm>

namespace assay::rdma {

LoadedTrial::LoadedTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                         int load_percent)
    : StreamTrial(machine, team, settings, one_way(settings)), load_percent_(load_percent) {}

/// Messages per second with the queue always full; the best of a few runs long enough to trust.
double LoadedTrial::closed_loop_rate() {
  constexpr double long_enough_s = 0.05;
  double best = 0;
  std::int64_t messages = 64;
  for (int good_runs = 0; good_runs < 3;) {
    // Every rank knows the sender's time, so all of them keep step.
    const double seconds = slowest_seconds({0}, messages);
    if (seconds >= long_enough_s) {
      best = std::max(best, static_cast<double>(messages) / seconds);
      ++good_runs;
    } else {
      messages *= static_cast<std::int64_t>(std::clamp(2 * long_enough_s / seconds, 2.0, 16.0));
    }
  }
  return best;
}

core::Timing LoadedTrial::enqueue(std::int64_t iterations) {
  // Not when preparing: there a rank may fail alone, and the others would wait for it in vain.
  if (rate_per_s_ == 0) {
    rate_per_s_ = closed_loop_rate();
    offered_per_s_ = rate_per_s_ * load_percent_ / 100;
    for (Sender& sender : stream().senders()) sender.pace(1 / offered_per_s_);
  }
  core::Timing timing = StreamTrial::enqueue(iterations);
  if (!stream().senders().empty()) timing.each_s = stream().senders().front().each_s();
  return timing;
}

std::vector<core::Metric> LoadedTrial::metrics(const core::Measurement& measurement) {
  std::vector<core::Metric> metrics = StreamTrial::metrics(measurement);
  metrics.push_back({"closed_loop_message_rate_m_per_s", "M/s", rate_per_s_ * 1e-6});
  metrics.push_back({"offered_message_rate_m_per_s", "M/s", offered_per_s_ * 1e-6});
  return metrics;
}

}  // namespace assay::rdma
