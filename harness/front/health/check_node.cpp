// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/check_node.hpp"

#include <algorithm>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/logbook.hpp"

namespace assay::health {
namespace {

/// Counters of another start of the node, or of an unknown one, cannot be compared with.
bool of_this_start(const Logbook& logbook, const Snapshot& now) {
  return !now.boot_id.empty() && logbook.last.boot_id == now.boot_id;
}

/// The window of a log was looked at by every check whose name begins so. A gap stays in the logbook until it
/// is cleared and need not be looked at again.
bool log_was_judged(const std::vector<Finding>& findings, std::string_view checks) {
  return std::none_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    const bool waived = finding.status == Status::waived && finding.check != "kernel.log";
    return finding.check.starts_with(checks) &&
           (waived || (finding.status == Status::unknown && !finding.latches));
  });
}

/// The place where the next window begins. It does not move past what was not judged: the next check looks at
/// what this one did not see.
std::uint64_t next_window(const KernelLog& before, const KernelLog& now, const std::vector<Finding>& findings,
                          std::string_view checks) {
  return log_was_judged(findings, checks) ? now.next_sequence : before.next_sequence;
}

}  // namespace

std::vector<Finding> check_node(const CheckOrder& order) {
  Logbook logbook = read_logbook(order.logbook).value_or(Logbook{});
  Snapshot now = order.read();
  const Snapshot last = logbook.last;
  if (!of_this_start(logbook, now)) {
    logbook.last = std::move(now);
    logbook.last.log.next_sequence = logbook.last.manager_log.next_sequence = 0;
    order.wait();
    now = order.read();
  }
  now.job = order.ask(order.expected.job);
  // Numbers of /dev/kmsg and of syslog(2) are not comparable: the window reaches back to the start.
  if (!now.log.records.empty() && logbook.last.log.by_time != now.log.by_time)
    logbook.last.log.next_sequence = 0;
  std::vector<Finding> findings = judge({logbook.last, now, order.expected}, order.waived);
  latch(logbook, findings, order.utc);
  note_check(logbook.history, last, now, findings, order.utc);
  const std::uint64_t place = next_window(logbook.last.log, now.log, findings, "kernel.");
  const std::uint64_t manager_place =
      next_window(logbook.last.manager_log, now.manager_log, findings, manager_log_check);
  const std::vector<Finding> earlier = standing(logbook, findings);
  findings.insert(findings.end(), earlier.begin(), earlier.end());
  logbook.last = std::move(now);
  logbook.last.log.next_sequence = place;
  logbook.last.manager_log.next_sequence = manager_place;
  write_logbook(order.logbook, logbook);
  return findings;
}

}  // namespace assay::health
