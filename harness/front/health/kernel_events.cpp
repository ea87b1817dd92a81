// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_events.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

#include "harness/front/health/kernel_lines.hpp"
#include "harness/front/health/line_pattern.hpp"

namespace assay::health {
namespace {

constexpr std::array tables{gpu_lines,       adapter_lines, pcie_lines,
                            processor_lines, system_lines,  storage_lines};

/// Drivers whose trouble is a node's trouble, and the check that reports it.
struct WatchedDriver {
  std::string_view check, prefix;
};
constexpr std::array watched_drivers{
    WatchedDriver{"kernel.driver", "^NVRM"},          WatchedDriver{"kernel.driver", "^nvidia"},
    WatchedDriver{"kernel.driver", "^[drm:nv_drm"},   WatchedDriver{"kernel.mlx5", "^mlx5"},
    WatchedDriver{"kernel.mlx5", "^infiniband mlx5"}, WatchedDriver{"kernel.storage", "^nvme nvme"},
};

/// In capitals and small letters alike.
constexpr std::array words_of_trouble{"error",         "fail",        "timeout", "timed out", "fatal",
                                      "lost",          "hung",        "stuck",   "corrupt",   "abort",
                                      "dead",          "not respond", "unrespo", "locked up", "uncorrected",
                                      "uncorrectable", "uncontained"};

bool hexadecimal_at(std::string_view line, std::size_t from, std::size_t count) {
  return from + count <= line.size() &&
         std::all_of(line.begin() + static_cast<std::ptrdiff_t>(from),
                     line.begin() + static_cast<std::ptrdiff_t>(from + count),
                     [](unsigned char letter) { return std::isxdigit(letter) != 0; });
}

/// "[4b:00.0]" and "device=4b:00.0", as drivers of IOMMUs write addresses of the first domain.
std::string short_address_in(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1))
    if (colon >= 3 && (line[colon - 3] == '[' || line[colon - 3] == '=') &&
        hexadecimal_at(line, colon - 2, 2) && hexadecimal_at(line, colon + 1, 2) &&
        hexadecimal_at(line, colon + 4, 1) && line[colon + 3] == '.')
      return "0000:" + std::string(line.substr(colon - 2, 7));
  return "";
}

/// The first thing that looks like 0000:4b:00.0, with or without its function; without it, "".
std::string address_in(std::string_view line) {
  for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
       colon = line.find(':', colon + 1)) {
    if (colon < 4 || !hexadecimal_at(line, colon - 4, 4) || !hexadecimal_at(line, colon + 1, 2)) continue;
    if (colon + 3 >= line.size() || line[colon + 3] != ':' || !hexadecimal_at(line, colon + 4, 2)) continue;
    const bool function =
        colon + 7 < line.size() && line[colon + 6] == '.' && hexadecimal_at(line, colon + 7, 1);
    return std::string(line.substr(colon - 4, function ? 12 : 10));
  }
  return short_address_in(line);
}

/// The number behind the "): " that ends the address: "Xid (PCI:0000:4b:00): 79, ...".
std::optional<int> code_in(const std::string& line, std::size_t from) {
  const auto behind = line.find("): ", from);
  if (behind == std::string::npos) return {};
  int code = 0;
  const char* first = line.data() + behind + 3;
  return std::from_chars(first, line.data() + line.size(), code).ec == std::errc{} ? std::optional(code)
                                                                                   : std::nullopt;
}

/// Further lines of an SXid, which repeat its code: ": 12028, Severity 0 ...", ": 12028, Data {0x...".
bool continues_sxid(const std::string& line) {
  const auto begin = std::min(line.find("SXid ("), line.size());
  const auto comma = line.find(", ", std::min(line.find("): ", begin), line.size()));
  if (comma == std::string::npos) return false;
  const std::string_view behind = std::string_view(line).substr(comma + 2);
  return behind.starts_with("Severity") || behind.starts_with("Data");
}

/// Xid 154 names what the driver now asks for, in words behind "to".
Advice recovery_of(const std::string& line) {
  if (line.find("Reboot") != std::string::npos) return {"the driver wants the node rebooted", Action::reboot};
  if (line.find("Reset") != std::string::npos) return {"the driver wants the GPU reset", Action::reset};
  if (line.find("Drain") != std::string::npos) return {"the driver wants work to end", Action::drain};
  return {"the driver asks for something this version does not know", Action::drain};
}

/// An Xid or SXid whose code cannot be read is still an error.
std::optional<KernelEvent> nvidia_code(const std::string& line) {
  const auto xid = line.find("Xid (");
  if (xid == std::string::npos) return {};
  const bool of_switch = xid > 0 && line[xid - 1] == 'S';
  const auto code = code_in(line, xid);
  KernelEvent event{
      .check = of_switch ? "kernel.sxid" : "kernel.xid",
      .address = address_in(line.substr(xid)),
      .label = (of_switch ? "SXid " : "Xid ") + (code ? std::to_string(*code) : "without a code"),
      .advice = {}};
  if (of_switch) {
    const bool harmless =
        line.find("Non-fatal") != std::string::npos || line.find("non-fatal") != std::string::npos;
    event.status = harmless ? Status::noticed : Status::failed;
    event.advice = harmless ? Advice{"an NVSwitch recovered from an error", Action::monitor}
                            : Advice{"an NVSwitch failed: every GPU behind it is suspect", Action::drain};
  } else if (code == 154) {
    const std::string now = line.substr(std::min(line.size(), line.find(" to ", xid)));
    const bool nothing = now.find("(None)") != std::string::npos;
    event.status = nothing ? Status::noticed : Status::failed;
    event.advice =
        nothing ? Advice{"the driver asks for nothing any more", Action::monitor} : recovery_of(now);
  } else {
    const XidFact fact = xid_fact(code.value_or(-1));
    event.status = fact.status;
    event.advice = fact.advice;
  }
  return event;
}

const KnownLine* known_line(const std::string& line) {
  for (const auto table : tables)
    for (const KnownLine& known : table())
      if (fits_line(line, known.pattern)) return &known;
  return nullptr;
}

bool reports_trouble(std::string line) {
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return std::any_of(words_of_trouble.begin(), words_of_trouble.end(),
                     [&](const char* word) { return line.find(word) != std::string::npos; });
}

KernelEvent unknown_event(std::string_view check, const std::string& line, std::string label,
                          const char* meaning) {
  return {.check = check,
          .address = address_in(line),
          .label = std::move(label),
          .status = Status::unknown,
          .advice = {meaning, Action::drain}};
}

std::optional<KernelEvent> unknown_trouble(const std::string& line, int level) {
  for (const WatchedDriver& driver : watched_drivers)
    if (fits_line(line, driver.prefix) && reports_trouble(line))
      return unknown_event(driver.check, line, "trouble of a driver",
                           "a driver reports trouble that this version does not know");
  constexpr std::array names{"emergency", "alert", "critical"};
  if (level >= 0 && level < static_cast<int>(names.size()))
    return unknown_event(
        "kernel.unknown", line,
        "priority " + std::to_string(level) + " (" + names[static_cast<std::size_t>(level)] + ")",
        "the kernel wrote a line of high priority that this version does not know");
  return {};
}

}  // namespace

std::optional<KernelEvent> recognise(const std::string& line, int level) {
  if (continues_sxid(line)) return {};
  if (auto event = nvidia_code(line)) return event;
  const auto harmless = harmless_lines();
  if (std::any_of(harmless.begin(), harmless.end(),
                  [&](std::string_view pattern) { return fits_line(line, pattern); }))
    return {};
  const KnownLine* known = known_line(line);
  if (known == nullptr) return unknown_trouble(line, level);
  return KernelEvent{.check = known->check,
                     .address = address_in(line),
                     .label = std::string(known->label),
                     .status = known->status,
                     .advice = {std::string(known->meaning), known->action},
                     .scope = known->scope};
}

}  // namespace assay::health
