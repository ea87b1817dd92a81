// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// DCQCN on one bottleneck: equal flows whose rates fall with marked packets and rise by timer and by bytes.
// Fluid model of Zhu et al. 2015, "Congestion control for large-scale RDMA deployments", 5.1.
#pragma once

#include <optional>

namespace assay::model::fabric {

struct DcqcnSettings {
  double link_gbit_per_s = 40;
  int flows = 2;                               // at least 1
  std::optional<double> flow_gbit_per_s = {};  // of one at its start and at most; none: the link's
  double packet_bytes = 1000;
  double additive_gbit_per_s = 0.04;  // of one increase
  double byte_counter_bytes = 10e6;
  double timer_s = 55e-6;
  double notification_interval_s = 50e-6;  // between congestion notification packets
  double alpha_interval_s = 55e-6;
  double fast_recovery_steps = 5;
  double gain = 1.0 / 256;
  double mark_from_bytes = 5000, mark_all_from_bytes = 200000;  // RED thresholds of the queue
  double most_marked = 0.01;                                    // share at the upper threshold
  double feedback_delay_s = 4e-6;
};

struct DcqcnFixedPoint {
  double marked = 0;                  // share of packets
  std::optional<double> queue_bytes;  // none: RED never marks exactly this share, and the queue stays near
                                      // its upper threshold
};

/// The state at rest, where all flows have an equal share of the link. Relative error of `marked`: 1e-12.
/// Throws a usage Error for settings that are not above 0, or thresholds that do not rise.
DcqcnFixedPoint dcqcn_fixed_point(const DcqcnSettings& settings);

/// The share of marked packets where it is so small that hardly any is marked within a byte counter or timer.
double dcqcn_small_share(const DcqcnSettings& settings);

struct DcqcnRun {
  double mean_queue_bytes = 0, deviation_bytes = 0;
  double utilisation = 0;  // of the link
};

/// Euler's method from line rate and an empty queue; figures of the second half. Times in s.
DcqcnRun integrate_dcqcn(const DcqcnSettings& settings, double step_s = 1e-6, double end_s = 0.2);

struct DcqcnStart {
  double lost_s = 0;  // the link idles so long because rates fell too far
  double most_queued_bytes = 0;
};

/// Integrates as integrate_dcqcn() until the flows have sent `bytes` together. Beyond longest_start_s the
/// loss is that of the second half of that time.
DcqcnStart start_of_dcqcn(const DcqcnSettings& settings, double bytes, double step_s = 1e-6);
inline constexpr double longest_start_s = 0.2;

}  // namespace assay::model::fabric
