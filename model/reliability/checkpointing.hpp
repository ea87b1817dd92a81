// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The share of its time in which a job that checkpoints makes progress that lasts (ETTR: effective training
// time ratio), while failures come at a constant rate.
#pragma once

#include <cstdint>

namespace assay::model::reliability {

/// All in seconds, `mean_to_failure_s` and `interval_s` above 0, the others at least 0.
struct Checkpointing {
  double mean_to_failure_s = 0;
  double interval_s = 0;  // of computing, between the ends of one checkpoint's stall and the next one's start
  double stall_s = 0;     // in which the job waits for a checkpoint
  /// From the end of the stall until the checkpoint can be restored: 0 where the stall is the whole write. At
  /// most interval + stall.
  double durable_after_s = 0;
  double recovery_s = 0;  // from a failure to computing: detection, diagnosis, restart, restore
};

/// Exact for exponential times between failures, which may also fall into stalls and recoveries. With T =
/// interval + stall, m the mean time to failure, d until durable and r the recovery:
///   interval / m x exp(-d / m) / ((exp(T / m) - 1) exp(r / m)).
/// For d = 0 it is that of Daly (2006, "A higher order estimate of the optimum checkpoint interval for
/// restart dumps", equation 13); for d > 0 derived here: a failure before the last checkpoint is durable
/// loses the interval before it too.
double useful_share(const Checkpointing& job);

/// Shares of all time by what it goes to; they add up to 1. The first `detect_s` of a recovery are detection,
/// the next `diagnose_s` diagnosis: together at most recovery_s.
struct TimeShares {
  double useful = 0, stalls = 0;
  double lost = 0;  // computed again, or begun and not ended
  double detection = 0, diagnosis = 0, restart = 0;
};
TimeShares time_shares(const Checkpointing& job, double detect_s, double diagnose_s);

/// (1 - (recovery + interval / 2) / m) - stall / interval: the first-order form that Kokolis et al. (2024)
/// use. Below 0 where failures come too fast for it.
double useful_share_first_order(const Checkpointing& job);

/// sqrt(2 stall m) (Young 1974, "A first order approximation to the optimum checkpoint interval"), which
/// loses sqrt(2 stall / m) of the time.
double young_interval_s(double stall_s, double mean_to_failure_s);
double young_loss(double stall_s, double mean_to_failure_s);

/// Daly (2006), equation 37; the mean time to failure where the stall is at least twice that.
double daly_interval_s(double stall_s, double mean_to_failure_s);

/// The interval with the largest useful_share(), others as given, of those that are no shorter than stall and
/// durable_after. One of the two must be above 0.
double best_interval_s(Checkpointing job);

struct Simulated {
  double mean = 0, standard_error = 0;
};
/// useful_share() by drawing `failures` failures. Checks the closed form; nothing else uses it.
Simulated simulate_useful_share(const Checkpointing& job, std::int64_t failures, std::uint64_t seed);

}  // namespace assay::model::reliability
