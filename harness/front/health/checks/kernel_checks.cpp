// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks of what the kernel wrote within the window, and of whether all of it is there to be read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

std::uint64_t window_begin(const Scene& scene) { return scene.before.log.next_sequence; }

/// The range of the records: by number, or by time after the start where the log has no numbers.
std::string range_text(const KernelLog& log, std::uint64_t first, std::uint64_t last) {
  if (!log.by_time) return fmt::format("records {} to {}", first, last);
  return fmt::format("records from {:.6f} s to {:.6f} s after the start", seconds_of_number(first),
                     seconds_of_number(last));
}

std::string place_text(const KernelLog& log, std::uint64_t sequence) {
  if (!log.by_time) return fmt::format("record {}", sequence);
  return fmt::format("record at {:.6f} s", seconds_of_number(sequence));
}

/// Why nothing can be said of the window; empty where something of it can be read.
std::string unreadable(const Scene& scene) {
  const KernelLog& log = scene.now.log;
  if (!log.unavailable.empty()) return log.unavailable;
  if (log.records.empty()) return "the kernel's log is empty";
  if (log.next_sequence < window_begin(scene))
    return fmt::format("the log ends at {}, before the window, which begins at {}",
                       place_text(log, log.next_sequence), place_text(log, window_begin(scene)));
  return "";
}

/// Why a line may be missing among those that were read; empty where none is. `whose`: "the kernel".
std::string damage(const KernelLog& log, std::string_view whose) {
  if (log.malformed > 0)
    return fmt::format("{} records of {}'s log are damaged or cut off", log.malformed, whose);
  if (log.out_of_order > 0)
    return fmt::format("{} records of {}'s log are out of order", log.out_of_order, whose);
  return "";
}

/// The first number that is missing after `begin`, and the number found in its place.
std::optional<std::pair<std::uint64_t, std::uint64_t>> gap_in(const KernelLog& log, std::uint64_t begin) {
  if (log.by_time) return {};
  std::uint64_t expected = log.records.front().sequence;
  for (const KernelRecord& record : log.records) {
    if (record.sequence > expected && record.sequence > begin) return std::pair{expected, record.sequence};
    expected = record.sequence + 1;
  }
  return {};
}

void judge_log(const Scene& scene, Findings& findings) {
  if (const std::string why = unreadable(scene); !why.empty()) return findings.unknown("", why);
  if (const std::string why = damage(scene.now.log, "the kernel"); !why.empty())
    return findings.unknown("", why);
  if (scene.now.boot_id.empty())
    return findings.unknown("", "/proc/sys/kernel/random/boot_id does not identify this start of the node");
  const KernelLog& log = scene.now.log;
  if (log.overrun > 0)
    return findings.unknown(
        "", fmt::format("the kernel wrote over unread records {} times while the log was read", log.overrun),
        true);
  const std::uint64_t first = log.records.front().sequence, begin = window_begin(scene);
  if (const auto gap = gap_in(log, begin))
    return findings.unknown("", range_text(log, gap->first, gap->second - 1) + " are missing", true);
  if (begin > 0 && first > begin)
    return findings.unknown("", range_text(log, begin, first - 1) + " were overwritten before they were read",
                            true);
  if (first > begin)
    return findings.unknown("", "overwritten since the start: " + range_text(log, 0, first - 1), true);
  findings.passed("", begin == log.next_sequence ? "nothing was written within the window"
                                                 : range_text(log, begin, log.next_sequence - 1));
}

std::string unit_at(const Scene& scene, const std::string& address) {
  if (address.empty()) return "";
  for (const NamedLink& named : scene.now.links)
    if (named.link.address.starts_with(address)) return named.unit;
  return address;
}

bool watched(const Scene& scene, const std::string& address) {
  return std::any_of(scene.now.links.begin(), scene.now.links.end(),
                     [&](const NamedLink& named) { return named.link.address == address; });
}

struct Seen {
  int times = 0;
  std::string first;
  Status status = Status::failed;
  Advice advice;
};

/// An event of a link is another thing while the node starts: the window then reaches back to the start.
Status status_of(const KernelEvent& event, bool starting) {
  return event.scope == EventScope::in_service && starting ? Status::noticed : event.status;
}

bool counts(const Scene& scene, const KernelEvent& event, bool starting) {
  if (event.scope == EventScope::only_in_service && starting) return false;
  return event.scope != EventScope::watched || watched(scene, event.address);
}

/// A log and the number at which the window begins in it.
struct Source {
  const KernelLog& log;
  std::string_view whose;
  std::uint64_t begin;
  bool starting;  // the window reaches back to the start of the node
  bool dated;     // each line begins with its date
};

/// Each kind of event once a unit, with how often it was seen.
void judge_source(const Scene& scene, const Source& source, Findings& findings, std::string_view check) {
  std::map<std::tuple<std::string, std::string, std::string>, Seen> seen;
  for (const KernelRecord& record : source.log.records) {
    if (record.sequence < source.begin || !record.event || record.event->check != check) continue;
    const KernelEvent& event = *record.event;
    if (!counts(scene, event, source.starting)) continue;
    Seen& one = seen[{unit_at(scene, event.address), event.label, event.advice.meaning}];
    if (one.times++ == 0)
      one.first = (source.dated ? "" : place_text(source.log, record.sequence) + ": ") + record.text;
    one.status = status_of(event, source.starting);
    one.advice = event.advice;
  }
  for (const auto& [key, one] : seen)
    findings.add(one.status, std::get<0>(key),
                 fmt::format("{}{}, {}", std::get<1>(key),
                             one.times > 1 ? fmt::format(", {} times", one.times) : "", one.first),
                 one.advice, one.status >= Status::unknown);
  if (!seen.empty()) return;
  if (const std::string why = damage(source.log, source.whose); !why.empty())
    findings.unknown("", why);
  else
    findings.passed("", "nothing of the kind within the window");
}

void judge_events(const Scene& scene, Findings& findings, std::string_view check) {
  if (!unreadable(scene).empty()) return findings.unknown("", unreadable(scene));
  const std::uint64_t begin = window_begin(scene);
  judge_source(
      scene,
      {.log = scene.now.log, .whose = "the kernel", .begin = begin, .starting = begin == 0, .dated = false},
      findings, check);
}

void judge_manager_log(const Scene& scene, Findings& findings) {
  const ManagerLog& log = scene.now.manager_log;
  if (no_fabric(scene, findings)) return;
  if (log.absent) return findings.absent(log.unavailable);
  if (!log.unavailable.empty()) return findings.unknown("", log.unavailable);
  const std::uint64_t begin = scene.before.manager_log.next_sequence;
  if (!log.records.empty() && log.next_sequence < begin)
    return findings.unknown("", "the fabric manager's log ends before the window begins");
  judge_source(scene,
               {.log = log, .whose = "the fabric manager", .begin = begin, .starting = false, .dated = true},
               findings, manager_log_check);
}

void judge_xid(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.xid"); }
void judge_sxid(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.sxid"); }
void judge_pcie(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.pcie"); }
void judge_mlx5(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.mlx5"); }
void judge_memory(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.memory"); }
void judge_iommu(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.iommu"); }
void judge_system(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.system"); }
void judge_thermal(const Scene& scene, Findings& findings) {
  judge_events(scene, findings, "kernel.thermal");
}
void judge_storage(const Scene& scene, Findings& findings) {
  judge_events(scene, findings, "kernel.storage");
}
void judge_unknown(const Scene& scene, Findings& findings) {
  judge_events(scene, findings, "kernel.unknown");
}
void judge_driver(const Scene& scene, Findings& findings) { judge_events(scene, findings, "kernel.driver"); }

constexpr Check listed_kernel_checks[] = {
    {"kernel.log", "every record of the window can be read", judge_log},
    {"kernel.xid", "errors that the GPU driver reported, by code", judge_xid},
    {"kernel.sxid", "errors that NVSwitches reported", judge_sxid},
    {manager_log_check, "errors that the fabric manager reported", judge_manager_log},
    {"kernel.pcie", "PCIe errors, links that went down, devices with reduced PCIe", judge_pcie},
    {"kernel.iommu", "devices that used forbidden addresses", judge_iommu},
    {"kernel.mlx5", "adapters that do not answer, fail, or lost their link", judge_mlx5},
    {"kernel.memory", "errors of host memory and machine checks", judge_memory},
    {"kernel.thermal", "processors slowed by heat, sensors at their limit", judge_thermal},
    {"kernel.system", "lockups, stalls, crashes and warnings of the kernel itself", judge_system},
    {"kernel.storage", "drives that failed, damaged file systems", judge_storage},
    {"kernel.driver", "drivers that failed, processes that hang or were killed", judge_driver},
    {"kernel.unknown", "unlisted lines of high priority", judge_unknown},
};

}  // namespace

std::span<const Check> kernel_checks() { return listed_kernel_checks; }

}  // namespace assay::health
