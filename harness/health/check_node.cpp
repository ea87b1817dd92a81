// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/health/check_node.hpp"

#include "harness/health/checks.hpp"
#include "harness/health/logbook.hpp"

namespace assay::health {
namespace {

/// Counters of another start of the node, or of one that cannot be told, are none to compare with.
bool of_this_start(const Logbook& logbook, const Snapshot& now) {
  return !now.boot_id.empty() && logbook.last.boot_id == now.boot_id;
}

}  // namespace

std::vector<Finding> check_node(const CheckOrder& order) {
  Logbook logbook = read_logbook(order.logbook).value_or(Logbook{});
  Snapshot now = order.read();
  if (!of_this_start(logbook, now)) {
    logbook.last = std::move(now);
    logbook.last.log.next_sequence = 0;
    order.wait();
    now = order.read();
  }
  std::vector<Finding> findings = judge({logbook.last, now, order.expected}, order.waived);
  latch(logbook, findings, order.utc);
  const std::vector<Finding> earlier = standing(logbook, findings);
  findings.insert(findings.end(), earlier.begin(), earlier.end());
  // A log that could not be read keeps its place: the next check looks at what this one did not see.
  const std::uint64_t place =
      now.log.unavailable.empty() ? now.log.next_sequence : logbook.last.log.next_sequence;
  logbook.last = std::move(now);
  logbook.last.log.next_sequence = place;
  write_logbook(order.logbook, logbook);
  return findings;
}

}  // namespace assay::health
