// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How often to save a checkpoint, and the share of time that is left for the work itself, from what saving
// costs and how often a job fails.
#pragma once

namespace assay::offload {

/// All in seconds, of the whole job; all but restart_s positive.
struct FailureCosts {
  double checkpoint_s = 0;  // that the work stands still for one checkpoint
  double restart_s = 0;     // from a failure until the work continues from the last checkpoint
  double mean_time_between_failures_s = 0;
};

/// Work between two checkpoints. J. W. Young, "A first order approximation to the optimum checkpoint
/// interval", CACM 17(9), 1974: sqrt(2 d M).
double young_interval_s(const FailureCosts& costs);

/// J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22(3),
/// 2006: sqrt(2 d M) (1 + sqrt(d / 2M) / 3 + (d / 2M) / 9) - d where d < 2M, else M.
double daly_interval_s(const FailureCosts& costs);

/// Expected share of the time that is work, with failures at exponentially distributed distances; Daly 2006,
/// the complete model: t / (M e^(R/M) (e^((t + d)/M) - 1)).
double useful_fraction(const FailureCosts& costs, double interval_s);

}  // namespace assay::offload
