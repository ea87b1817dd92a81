// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Counters of this rank's port while a point was sampled, what they say, and how near to the link's ceiling
// the traffic came.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/link/ceiling.hpp"
#include "harness/link/classify.hpp"
#include "harness/link/error_dose.hpp"
#include "harness/link/read_counters.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/pretended_node.hpp"
#include "rdma/traffic/wiring/wiring.hpp"
#include "rdma/trials/flow_results.hpp"

namespace assay::rdma {

class LinkWatch {
 public:
  /// `root` is prefixed to /sys, for tests.
  LinkWatch(const machine::Machine& machine, const Wiring& wiring,
            const std::string& root = machine::pretended_root());

  void begin();
  /// Within a catch clause: throws the Error again, which then also says what the counters did since
  /// begin().
  [[noreturn]] void rethrow_with_counters();
  /// Bandwidth of this rank's port meanwhile where known; else the link's rate.
  void end(double gbit_per_s = 0);
  /// The largest sum of payload that entered or left one port.
  double busiest_gbit_per_s(const std::vector<FlowResult>& results) const;

  /// The busiest port's bandwidth, the ceiling of this rank's link for such messages and the share reached,
  /// and the bit error rate that the bits moved exclude. Only what is known: a software device has no
  /// ceiling.
  std::vector<core::Metric> metrics(const std::vector<FlowResult>& results) const;
  /// The error dose of the flow that moved the fewest bits; nothing where the counters show loss or fault, or
  /// could not be read.
  std::optional<link::ErrorDose> dose(const std::vector<FlowResult>& results) const;
  /// The report of this rank's port counters.
  const core::LinkReport& report() const { return report_; }
  std::vector<core::Fact> facts() const;

 private:
  const Wiring& wiring_;
  link::CounterReader reader_;
  std::optional<link::Link> link_;
  std::vector<link::PortCounters> before_;
  core::LinkReport report_;
  double began_s_ = 0, seconds_ = 0;
};

}  // namespace assay::rdma
