// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The effect on a run of wrong results that nothing reports, and the benefit of probes for them.
#pragma once

namespace assay::model::reliability {

/// Units that corrupt silently appear at a constant rate and stay until a probe, of all nodes at once, finds
/// them.
struct Corruption {
  double per_node_day = 0, nodes = 1;
  double run_days = 1;          // above 0
  double probe_hours = 0;       // between probes; 0: none
  double found_by_a_probe = 1;  // probability, in (0, 1]
  double probe_minutes = 0;     // in which a node computes nothing else
};

/// The probability that no unit corrupts during the run.
double probability_clean(const Corruption& run);

/// Whether a probe comes before the run ends.
bool is_probed(const Corruption& run);

/// Days of the run in which at least one unit corrupts, over its length: of each stretch of d days between
/// probes 1 - e^(-c) (1 - e^(-x)) / x, with x = d times what appears a day, and c units in the mean that
/// earlier probes missed.
double corrupted_share(const Corruption& run);

/// Mean days from a unit's first wrong result to the probe that finds it, or to the end of the run.
double mean_days_undetected(const Corruption& run);

/// Share of the time that probes take.
double probe_share(const Corruption& run);

}  // namespace assay::model::reliability
