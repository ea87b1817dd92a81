// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/checkpointing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace assay::model::reliability {
namespace {

constexpr double llama_3_s = 54 * 86400 / 419.0;  // 3.09 h

TEST(Checkpointing, OfAPublishedRateIsWhatFirstOrderFormsSay) {
  const Checkpointing slow{
      .mean_to_failure_s = llama_3_s, .interval_s = 1800, .stall_s = 5, .recovery_s = 300},
      fast{.mean_to_failure_s = llama_3_s, .interval_s = 600, .stall_s = 5, .recovery_s = 180};
  EXPECT_NEAR(useful_share_first_order(slow), 0.89, 0.005);
  EXPECT_NEAR(useful_share_first_order(fast), 0.95, 0.005);
  EXPECT_NEAR(useful_share(slow), 0.89, 0.005);
  EXPECT_NEAR(useful_share(fast), 0.95, 0.005);
}

TEST(Checkpointing, YoungsIntervalAndLoss) {
  struct Row {
    double stall_s, interval_s, loss_percent;
  };
  for (const Row& row : {Row{5, 334, 3.0}, {30, 817, 7.3}, {120, 1635, 14.7}}) {
    EXPECT_NEAR(young_interval_s(row.stall_s, llama_3_s), row.interval_s, 0.5);
    EXPECT_NEAR(100 * young_loss(row.stall_s, llama_3_s), row.loss_percent, 0.05);
  }
}

TEST(Checkpointing, TheBestIntervalIsDalysWhereAStallIsTheWholeWrite) {
  for (const double stall_s : {1.0, 30.0, 600.0}) {
    Checkpointing job{.mean_to_failure_s = llama_3_s, .interval_s = 1, .stall_s = stall_s, .recovery_s = 300};
    const double best_s = best_interval_s(job);
    EXPECT_NEAR(daly_interval_s(stall_s, llama_3_s) / best_s, 1, 0.002) << stall_s;
    job.interval_s = best_s;
    const double most = useful_share(job);
    for (const double factor : {0.9, 1.1}) {
      job.interval_s = factor * best_s;
      EXPECT_LT(useful_share(job), most);
    }
  }
}

/// Expects differences, in units of their own standard errors, to be what chance alone gives.
void expect_chance_alone(const std::vector<double>& differences) {
  double sum = 0, squares = 0;
  for (const double one : differences) {
    sum += one;
    squares += one * one;
  }
  const auto count = static_cast<double>(differences.size());
  EXPECT_NEAR(sum / std::sqrt(count), 0, 3);
  EXPECT_NEAR(squares / count, 1, 3 * std::sqrt(2 / count));
}

TEST(Checkpointing, AgreesWithAMillionSimulatedFailuresWithinTheirStandardError) {
  std::vector<double> differences;
  for (const Checkpointing& job :
       {Checkpointing{.mean_to_failure_s = llama_3_s, .interval_s = 1800, .stall_s = 5, .recovery_s = 300},
        {.mean_to_failure_s = 1000, .interval_s = 500, .stall_s = 100, .recovery_s = 400},
        {.mean_to_failure_s = llama_3_s,
         .interval_s = 600,
         .stall_s = 2,
         .durable_after_s = 400,
         .recovery_s = 180},
        {.mean_to_failure_s = 1000,
         .interval_s = 300,
         .stall_s = 10,
         .durable_after_s = 310,
         .recovery_s = 100}}) {
    const double share = useful_share(job);
    for (std::uint64_t seed = 24; seed < 30; ++seed) {
      const Simulated simulated = simulate_useful_share(job, 1'000'000, seed);
      EXPECT_NEAR(simulated.mean, share, 3 * simulated.standard_error) << job.interval_s;
      EXPECT_LT(simulated.standard_error, 1e-3);
      EXPECT_GT(simulated.standard_error, 1e-6);
      differences.push_back((simulated.mean - share) / simulated.standard_error);
    }
  }
  expect_chance_alone(differences);
}

/// One job over many failures, second by second of what it does: not by any formula.
TimeShares simulated_shares(const Checkpointing& job, double detect_s, double diagnose_s, int failures) {
  std::mt19937_64 random(24);
  std::exponential_distribution<double> next(1 / job.mean_to_failure_s);
  TimeShares sum;
  double all = 0;
  for (int failure = 0; failure < failures; ++failure) {
    const double runs_s = next(random), cycle_s = job.interval_s + job.stall_s;
    const double cycles = std::floor(runs_s / cycle_s);
    sum.useful += cycles * job.interval_s;
    sum.stalls += cycles * job.stall_s;
    sum.lost += runs_s - cycles * cycle_s;
    all += runs_s;
    for (bool again = true; again;) {
      const double undisturbed_s = next(random), took_s = std::min(undisturbed_s, job.recovery_s);
      again = undisturbed_s < job.recovery_s;
      sum.detection += std::min(took_s, detect_s);
      sum.diagnosis += std::clamp(took_s - detect_s, 0.0, diagnose_s);
      sum.restart += std::max(0.0, took_s - detect_s - diagnose_s);
      all += took_s;
    }
  }
  for (double* share : {&sum.useful, &sum.stalls, &sum.lost, &sum.detection, &sum.diagnosis, &sum.restart})
    *share /= all;
  return sum;
}

TEST(Checkpointing, SharesOfTimeAreThoseOfASimulationAndAddUp) {
  const Checkpointing job{.mean_to_failure_s = 2000, .interval_s = 400, .stall_s = 60, .recovery_s = 600};
  const TimeShares shares = time_shares(job, 120, 300),
                   simulated = simulated_shares(job, 120, 300, 1'000'000);
  EXPECT_NEAR(shares.useful, simulated.useful, 1e-3);
  EXPECT_NEAR(shares.stalls, simulated.stalls, 3e-4);
  EXPECT_NEAR(shares.lost, simulated.lost, 1e-3);
  EXPECT_NEAR(shares.detection, simulated.detection, 3e-4);
  EXPECT_NEAR(shares.diagnosis, simulated.diagnosis, 3e-4);
  EXPECT_NEAR(shares.restart, simulated.restart, 3e-4);
  EXPECT_NEAR(
      shares.useful + shares.stalls + shares.lost + shares.detection + shares.diagnosis + shares.restart, 1,
      1e-12);
  EXPECT_GT(time_shares(job, 0, 300).restart, shares.restart);
}

TEST(Checkpointing, TheBestIntervalIsNoShorterThanACheckpoint) {
  const Checkpointing slow_write{
      .mean_to_failure_s = 1e5, .interval_s = 1, .stall_s = 0.1, .durable_after_s = 900, .recovery_s = 60};
  EXPECT_NEAR(best_interval_s(slow_write), 900, 1e-3);
  const Checkpointing no_stall{.mean_to_failure_s = 1e5, .interval_s = 1, .durable_after_s = 20};
  EXPECT_NEAR(best_interval_s(no_stall), 20, 1e-3) << "what costs nothing is done all the time";
  const Checkpointing fails_at_once{.mean_to_failure_s = 1, .interval_s = 1, .stall_s = 5};
  EXPECT_NEAR(best_interval_s(fails_at_once), 5, 1e-3);
}

}  // namespace
}  // namespace assay::model::reliability
