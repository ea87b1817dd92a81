// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/checkpointing.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace assay::model::reliability {

double useful_share(const Checkpointing& job) {
  const double m = job.mean_to_failure_s;
  return job.interval_s / m * std::exp(-(job.durable_after_s + job.recovery_s) / m) /
         std::expm1((job.interval_s + job.stall_s) / m);
}

TimeShares time_shares(const Checkpointing& job, double detect_s, double diagnose_s) {
  // A failure within a recovery begins it again. Until it ends, it takes m e^(r/m) less m in the mean, of
  // which the part from a to b after its begin has e^(-a/m) - e^(-b/m) of all time.
  const double m = job.mean_to_failure_s;
  const auto from_to = [m](double from_s, double to_s) {
    return std::exp(-from_s / m) * (0 - std::expm1((from_s - to_s) / m));  // of no time 0, not -0
  };
  TimeShares shares{.useful = useful_share(job),
                    .stalls = job.stall_s / m * std::exp(-job.recovery_s / m) /
                              std::expm1((job.interval_s + job.stall_s) / m),
                    .detection = from_to(0, detect_s),
                    .diagnosis = from_to(detect_s, detect_s + diagnose_s),
                    .restart = from_to(detect_s + diagnose_s, job.recovery_s)};
  shares.lost = 1 - shares.useful - shares.stalls - shares.detection - shares.diagnosis - shares.restart;
  return shares;
}

double useful_share_first_order(const Checkpointing& job) {
  return 1 - (job.recovery_s + job.interval_s / 2) / job.mean_to_failure_s - job.stall_s / job.interval_s;
}

double young_interval_s(double stall_s, double mean_to_failure_s) {
  return std::sqrt(2 * stall_s * mean_to_failure_s);
}

double young_loss(double stall_s, double mean_to_failure_s) {
  return std::sqrt(2 * stall_s / mean_to_failure_s);
}

double daly_interval_s(double stall_s, double mean_to_failure_s) {
  if (stall_s >= 2 * mean_to_failure_s) return mean_to_failure_s;
  const double half_share = stall_s / (2 * mean_to_failure_s);
  return young_interval_s(stall_s, mean_to_failure_s) * (1 + std::sqrt(half_share) / 3 + half_share / 9) -
         stall_s;
}

double best_interval_s(Checkpointing job) {
  // The share rises to its only maximum and falls: a search by thirds, over the logarithm.
  const double least = std::max(job.durable_after_s, job.stall_s);
  double low = std::log(least), high = std::log(std::max(2 * least, 10 * job.mean_to_failure_s));
  const auto share_at = [&job](double logarithm) {
    job.interval_s = std::exp(logarithm);
    return useful_share(job);
  };
  while (high - low > 1e-9) {
    const double third = (high - low) / 3;
    if (share_at(low + third) < share_at(high - third))
      low += third;
    else
      high -= third;
  }
  return std::exp((low + high) / 2);
}

Simulated simulate_useful_share(const Checkpointing& job, std::int64_t failures, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::exponential_distribution<double> next_failure(1 / job.mean_to_failure_s);
  const double cycle_s = job.interval_s + job.stall_s;
  double useful = 0, time = 0, useful_squares = 0, time_squares = 0, products = 0;
  for (std::int64_t failure = 0; failure < failures; ++failure) {
    const double until_failure = next_failure(random), cycles = std::floor(until_failure / cycle_s);
    const bool last_is_lost = cycles > 0 && until_failure - cycles * cycle_s < job.durable_after_s;
    const double kept = (cycles - (last_is_lost ? 1 : 0)) * job.interval_s;
    double took = until_failure;
    for (double undisturbed = next_failure(random); undisturbed < job.recovery_s;
         undisturbed = next_failure(random))
      took += undisturbed;
    took += job.recovery_s;
    useful += kept;
    time += took;
    useful_squares += kept * kept;
    time_squares += took * took;
    products += kept * took;
  }
  const double share = useful / time;
  const double squares = useful_squares - 2 * share * products + share * share * time_squares;
  return {.mean = share, .standard_error = std::sqrt(squares) / time};
}

}  // namespace assay::model::reliability
