// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What wrong results that nothing reports do to a run, and what probes for them buy.
#pragma once

namespace assay::model::reliability {

/// Units that corrupt silently appear at a constant rate and stay until a probe finds them.
struct Corruption {
  double per_node_day = 0, nodes = 1;
  double run_days = 1;
  double probe_hours = 0;       // between probes; 0: none
  double found_by_a_probe = 1;  // probability, in (0, 1]
  double probe_minutes = 0;     // in which a node computes nothing else
};

/// Of a run without any.
double probability_clean(const Corruption& run);

/// Days of the run in which at least one unit corrupts, over its length. Without probes a unit corrupts from
/// its first day to the end.
double corrupted_share(const Corruption& run);

/// Mean days from the first wrong result to the probe that finds it; infinity without probes.
double mean_days_undetected(const Corruption& run);

/// Share of the time that probes take.
double probe_share(const Corruption& run);

}  // namespace assay::model::reliability
