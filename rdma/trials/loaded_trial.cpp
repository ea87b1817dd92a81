// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/loaded_trial.hpp"

#include <algorithm>
#include <string>

#include "harness/team/agree.hpp"

namespace assay::rdma {

LoadedTrial::LoadedTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
                         int load_percent)
    : StreamTrial(
          machine, team, settings,
          {.rounds = {{{.from = 0, .to = 1, .message = settings.message, .posting = settings.posting}}}}) {
  rate_per_s_ = closed_loop_rate();
  offered_per_s_ = rate_per_s_ * load_percent / 100;
  for (Sender& sender : stream().senders()) sender.pace(1 / offered_per_s_);
}

/// Messages per second with the queue always full; the best of a few runs long enough to trust.
double LoadedTrial::closed_loop_rate() {
  constexpr double long_enough_s = 0.05;
  double best = 0;
  std::int64_t messages = 64;
  for (int good_runs = 0; good_runs < 3;) {
    const double own = stream().run({0}, messages);
    // Rank 0 sends; the others must know its time to keep step.
    const double seconds =
        std::stod(team::agree(wiring().team(), [&] { return std::to_string(own); }).front());
    best = std::max(best, static_cast<double>(messages) / seconds);
    if (seconds >= long_enough_s)
      ++good_runs;
    else
      messages *= std::clamp<std::int64_t>(static_cast<std::int64_t>(2 * long_enough_s / seconds), 2, 16);
  }
  return best;
}

core::Timing LoadedTrial::run(std::int64_t iterations) {
  core::Timing timing = StreamTrial::run(iterations);
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
