// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Xid codes: NVIDIA's Xid catalogue, with the action operators take (docs/reference/health-checks.md says
// where they differ).
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "harness/front/health/kernel_log/kernel_events.hpp"

namespace assay::health {
namespace {

/// Answers of NVIDIA's catalogue to a code.
enum class Answer { restart_program, ignore, watch, reset, reboot };

struct XidRow {
  int from, to;
  Answer answer;
  std::string_view meaning;
};

constexpr std::string_view of_program = "a program's error";
constexpr std::string_view of_nvlink = "an error of an NVLink unit";

/// The catalogue of 2025-10-29; gpud 4a8de33a lists the same codes and answers.
constexpr XidRow xid_rows[] = {
    {8, 8, Answer::restart_program, "a program's work did not progress"},
    {11, 11, Answer::restart_program, of_program},
    {13, 13, Answer::restart_program,
     "a kernel faulted: a program's error; if known-good kernels ran, suspect the GPU"},
    {25, 25, Answer::restart_program, of_program},
    {31, 31, Answer::restart_program, "a page fault: a program's error as a rule"},
    {32, 32, Answer::restart_program, "a program's stream of commands was invalid"},
    {37, 38, Answer::ignore, ""},
    {39, 41, Answer::restart_program, of_program},
    {43, 43, Answer::restart_program, "the driver stopped a faulty program"},
    {44, 44, Answer::ignore, ""},
    {45, 45, Answer::restart_program, "cleaned up after a program that ended early"},
    {46, 46, Answer::reset, "the GPU stopped processing"},
    {48, 48, Answer::reset, "an uncorrectable memory error"},
    {60, 60, Answer::restart_program, of_program},
    {62, 62, Answer::reset, "the GPU's microcontroller halted"},
    {63, 63, Answer::watch, "a row is to be replaced: reset when convenient"},
    {64, 64, Answer::reset, "a row could not be replaced; when it repeats, replace the board"},
    {66, 67, Answer::ignore, ""},
    {68, 68, Answer::restart_program, "a video decoder faulted: a program's error"},
    {69, 69, Answer::restart_program, "a program gave the graphics engine an invalid command"},
    {70, 72, Answer::restart_program, of_program},
    {74, 74, Answer::reset, "an NVLink error; with an SXid at the same time suspect the switch"},
    {75, 77, Answer::restart_program, of_program},
    {79, 79, Answer::reboot, "the GPU fell off the bus; when it repeats, replace the board"},
    {80, 80, Answer::restart_program, of_program},
    {82, 86, Answer::restart_program, of_program},
    {88, 89, Answer::restart_program, of_program},
    {92, 92, Answer::watch, "corrected memory errors at a high rate"},
    {93, 93, Answer::ignore, ""},
    {94, 94, Answer::restart_program, "a contained memory error: one program was lost, the others are sound"},
    {95, 95, Answer::reset, "an uncontained memory error: every program on the GPU is suspect"},
    {96, 105, Answer::restart_program, of_program},
    {106, 107, Answer::ignore, ""},
    {109, 109, Answer::reset, "a context did not switch in time"},
    {110, 110, Answer::reset, "a security fault"},
    {119, 120, Answer::reset, "the GPU's system processor does not answer"},
    {121, 121, Answer::watch, "an error on the link to the CPU"},
    {126, 135, Answer::restart_program, of_program},
    {136, 136, Answer::reset, "an NVLink did not train"},
    {137, 137, Answer::watch, "an NVLink privilege error: a program's fault as a rule"},
    {139, 139, Answer::restart_program, of_program},
    {140, 140, Answer::reset, "a memory error that was not recovered"},
    {141, 141, Answer::ignore, ""},
    {143, 143, Answer::reset, "the GPU could not be initialised"},
    {144, 150, Answer::reset, of_nvlink},
    {152, 153, Answer::ignore, ""},
    {155, 155, Answer::reset, "an NVLink error that software defines"},
    {156, 156, Answer::reset, "a resource is retired: the reset puts it into force"},
    {157, 157, Answer::ignore, ""},
    {158, 158, Answer::reset, "a fatal timeout in the GPU"},
    {160, 161, Answer::ignore, ""},
    {167, 167, Answer::reset, "a fatal timeout on PCIe"},
    {171, 172, Answer::reset, "an uncorrectable error of memory or on-chip memory"},
};

XidFact fact_of(const XidRow& row) {
  const std::string meaning(row.meaning);
  switch (row.answer) {
    case Answer::restart_program:
      return {Status::noticed, {meaning, Action::restart_application}};
    case Answer::ignore:
      return {Status::passed, {}};
    case Answer::watch:
      return {Status::noticed, {meaning, Action::monitor}};
    case Answer::reset:
      return {Status::failed, {meaning, Action::reset}};
    case Answer::reboot:
      break;
  }
  return {Status::failed, {meaning, Action::reboot}};
}

}  // namespace

XidFact xid_fact(int code) {
  const auto* const row =
      std::ranges::find_if(xid_rows, [&](const XidRow& one) { return one.from <= code && code <= one.to; });
  if (row == std::end(xid_rows))
    return {Status::unknown, {"a code that NVIDIA's catalogue of 2025-10-29 does not list", Action::monitor}};
  return fact_of(*row);
}

}  // namespace assay::health
