// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Xid codes: NVIDIA's Xid catalogue, with the action operators take (docs/reference/health-checks.md says
// where they differ).
#include <algorithm>
#include <array>
#include <string_view>

#include "harness/front/health/kernel_events.hpp"

namespace assay::health {
namespace {

struct XidRow {
  int from, to;
  Status status;
  Action action;
  std::string_view meaning;
};

constexpr std::array xid_rows{
    XidRow{13, 13, Status::noticed, Action::restart_application,
           "a kernel faulted: a program's error; if known-good kernels ran, suspect the GPU"},
    XidRow{31, 31, Status::noticed, Action::restart_application, "a page fault: a program's error as a rule"},
    XidRow{43, 43, Status::noticed, Action::restart_application, "the driver stopped a faulty program"},
    XidRow{45, 45, Status::noticed, Action::restart_application,
           "cleaned up after a program that ended early"},
    XidRow{48, 48, Status::failed, Action::reset, "an uncorrectable memory error"},
    XidRow{62, 62, Status::failed, Action::reset, "the GPU's microcontroller halted"},
    XidRow{63, 63, Status::noticed, Action::monitor, "a row is to be replaced: reset when convenient"},
    XidRow{64, 64, Status::failed, Action::reset,
           "a row could not be replaced; when it repeats, replace the board"},
    XidRow{74, 74, Status::failed, Action::reset,
           "an NVLink error; with an SXid at the same time suspect the switch"},
    XidRow{79, 79, Status::failed, Action::reboot,
           "the GPU fell off the bus; when it repeats, replace the board"},
    XidRow{92, 92, Status::noticed, Action::monitor, "corrected memory errors at a high rate"},
    XidRow{94, 94, Status::noticed, Action::restart_application,
           "a contained memory error: one program was lost, the others are sound"},
    XidRow{95, 95, Status::failed, Action::reset,
           "an uncontained memory error: every program on the GPU is suspect"},
    XidRow{109, 110, Status::failed, Action::reset, "a context did not switch in time, or a security fault"},
    XidRow{119, 120, Status::failed, Action::reset, "the GPU's system processor does not answer"},
    XidRow{121, 121, Status::noticed, Action::monitor, "an error on the link to the CPU"},
    XidRow{136, 136, Status::failed, Action::reset, "an NVLink did not train"},
    XidRow{137, 137, Status::noticed, Action::monitor,
           "an NVLink privilege error: a program's fault as a rule"},
    XidRow{140, 140, Status::failed, Action::reset, "a memory error that was not recovered"},
    XidRow{143, 143, Status::failed, Action::reset, "the GPU could not be initialised"},
    XidRow{144, 150, Status::failed, Action::reset, "an error of an NVLink unit"},
    XidRow{156, 156, Status::failed, Action::reset, "a resource is retired: the reset puts it into force"},
    XidRow{157, 157, Status::failed, Action::drain, "a resource could not be retired"},
    XidRow{158, 158, Status::failed, Action::reset, "a fatal timeout in the GPU"},
    XidRow{167, 167, Status::failed, Action::reset, "a fatal timeout on PCIe"},
    XidRow{171, 172, Status::failed, Action::reset, "an uncorrectable error of memory or on-chip memory"},
};

}  // namespace

XidFact xid_fact(int code) {
  const auto row = std::find_if(xid_rows.begin(), xid_rows.end(),
                                [&](const XidRow& one) { return one.from <= code && code <= one.to; });
  if (row == xid_rows.end()) return {Status::failed, {"a code this version does not know", Action::drain}};
  return {row->status, {std::string(row->meaning), row->action}};
}

}  // namespace assay::health
