// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/kernel_log/kernel_events.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <sstream>
#include <string>

#include "harness/front/health/kernel_log/kernel_lines.hpp"
#include "harness/front/health/kernel_log/line_pattern.hpp"
#include "harness/front/health/kernel_log/process_names.hpp"

namespace assay::health {
namespace {

constexpr std::array tables{gpu_lines,       adapter_lines, pcie_lines,
                            processor_lines, system_lines,  storage_lines};

/// Drivers whose trouble is a node's trouble, and the check that reports it.
struct WatchedDriver {
  std::string_view check, prefix;
};
constexpr std::array watched_drivers{
    WatchedDriver{"kernel.driver", "^NVRM"},        WatchedDriver{"kernel.driver", "^nvidia"},
    WatchedDriver{"kernel.driver", "^[drm:nv_drm"}, WatchedDriver{"kernel.mlx5", "^mlx5"},
    WatchedDriver{"kernel.mlx5", "^infiniband "},   WatchedDriver{"kernel.storage", "^nvme nvme"},
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

/// A code that a driver wrote: "NVRM: Xid (PCI:0000:4b:00): 79, ..." and "nvidia-nvswitch3: SXid
/// (PCI:0000:c1:00.0): 12028, ...".
struct NvidiaCode {
  bool of_switch;
  int code;
  std::string_view behind;  // the code
};

/// A whole code from the start of the line: a name or a path further on may hold the same words.
std::optional<NvidiaCode> nvidia_code_in(std::string_view line) {
  constexpr std::string_view gpu = "NVRM: ", nvswitch = "nvidia-nvswitch";
  std::string_view rest = line;
  if (rest.starts_with(gpu)) {
    rest.remove_prefix(gpu.size());
  } else if (rest.starts_with(nvswitch)) {
    rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of("0123456789", nvswitch.size())));
    if (!rest.starts_with(": ")) return {};
    rest.remove_prefix(2);
  } else {
    return {};
  }
  const bool of_switch = rest.starts_with("SXid (");
  if (!of_switch && !rest.starts_with("Xid (")) return {};
  rest.remove_prefix(rest.find('(') + 1);
  if (rest.starts_with("PCI:")) rest.remove_prefix(4);
  const std::size_t address = rest.find_first_not_of("0123456789abcdefABCDEF:.");
  if (address == 0 || address == std::string_view::npos || !rest.substr(address).starts_with("): "))
    return {};
  rest.remove_prefix(address + 3);
  NvidiaCode found{.of_switch = of_switch, .code = 0, .behind = {}};
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), found.code);
  if (error != std::errc() || found.code < 0) return {};
  found.behind = rest.substr(static_cast<std::size_t>(end - rest.data()));
  if (!found.behind.empty() && found.behind[0] != ',' && found.behind[0] != ' ') return {};
  return found;
}

/// Further lines of an SXid, which repeat its code: ": 12028, Severity 0 ...", ": 12028, Data {0x...".
bool continues_sxid(const NvidiaCode& found) {
  return found.of_switch && (found.behind.starts_with(", Severity") || found.behind.starts_with(", Data"));
}

/// Xid 154 names what the driver now asks for, in words behind "to".
Advice recovery_of(const std::string& line) {
  if (line.find("Drain and Reset") != std::string::npos)
    return {"the driver wants work to end, and then the GPU reset", Action::drain};
  if (line.find("Reboot") != std::string::npos) return {"the driver wants the node rebooted", Action::reboot};
  if (line.find("Reset") != std::string::npos) return {"the driver wants the GPU reset", Action::reset};
  if (line.find("Drain") != std::string::npos) return {"the driver wants work to end", Action::drain};
  return {"the driver asks for something this version does not know", Action::drain};
}

/// "NETIR_BER_EVENT Nonfatal XC0 i0 Link 00 (0x...": what the driver says of an NVLink unit behind Xids 144
/// to 150.
struct NvlinkEvent {
  std::string unit, severity, link;
};

std::optional<NvlinkEvent> nvlink_event_in(const NvidiaCode& found) {
  constexpr int first = 144, last = 150;
  if (found.of_switch || found.code < first || found.code > last) return {};
  std::istringstream words{std::string(found.behind.substr(std::min<std::size_t>(2, found.behind.size())))};
  NvlinkEvent event;
  if (!(words >> event.unit >> event.severity) || (event.severity != "Fatal" && event.severity != "Nonfatal"))
    return {};
  for (std::string word; words >> word;)
    if (word == "Link") words >> event.link;
  return event;
}

void add_nvlink(const NvlinkEvent& nvlink, KernelEvent& event) {
  event.label += " " + nvlink.unit + ", " + (nvlink.severity == "Fatal" ? "fatal" : "not fatal");
  if (!nvlink.link.empty()) event.label += ", link " + nvlink.link;
  if (nvlink.severity == "Fatal") return;
  event.status = Status::noticed;
  event.advice = {"an NVLink unit recovered from an error", Action::monitor};
}

/// Nothing for what NVIDIA says to ignore.
std::optional<KernelEvent> event_of(const NvidiaCode& found, const std::string& line) {
  if (found.of_switch) {
    const bool fatal =
        line.find("Non-fatal") == std::string::npos && line.find("non-fatal") == std::string::npos;
    return nvswitch_event(found.code, fatal, line);
  }
  KernelEvent event{.check = "kernel.xid",
                    .address = address_in(line),
                    .label = "Xid " + std::to_string(found.code),
                    .advice = {}};
  if (found.code == 154) {
    const std::string now(found.behind.substr(std::min(found.behind.size(), found.behind.find(" to "))));
    const bool nothing = now.find("(None)") != std::string::npos;
    event.status = nothing ? Status::noticed : Status::failed;
    event.advice =
        nothing ? Advice{"the driver asks for nothing any more", Action::monitor} : recovery_of(now);
  } else {
    const XidFact fact = xid_fact(found.code);
    if (fact.status == Status::passed) return {};
    event.status = fact.status;
    event.advice = fact.advice;
    if (const auto nvlink = nvlink_event_in(found)) add_nvlink(*nvlink, event);
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

/// " device [15b3:1021] error status/mask=..." and "   [12] Timeout" below the heading of a PCIe error, which
/// has its severity; each begins with the name and address of the device's driver.
bool is_detail_of_aer(std::string_view line) {
  const std::size_t behind = line.find(":   ");
  if (behind == std::string_view::npos || address_in(line.substr(0, behind + 1)).empty()) return false;
  const std::string_view detail = without_blanks(line.substr(behind + 1));
  if (detail.starts_with("device [") && detail.find("] error status/mask=") != std::string_view::npos)
    return true;
  if (detail.starts_with("TLP Header:")) return true;
  return detail.size() > 3 && detail[0] == '[' && detail[3] == ']' &&
         detail.substr(1, 2).find_first_not_of(" 0123456789") == std::string_view::npos;
}

/// A program that crashed in a library of NVIDIA's. Its names are those of a process and of a file.
std::optional<KernelEvent> crash_in_library(std::string_view line) {
  const std::size_t place = line.rfind(" in lib");
  if (place == std::string_view::npos || line.find("]: segfault at ") > place) return {};
  const std::string_view library = line.substr(place + 4, line.find('.', place) - place - 4);
  if (library != "libnccl" && library != "libcuda" && library != "libcudart") return {};
  return KernelEvent{.check = "kernel.system",
                     .address = "",
                     .label = "crash in " + std::string(library),
                     .status = Status::noticed,
                     .advice = {"a program crashed in NVIDIA's library", Action::restart_application}};
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

KernelEvent nvswitch_event(int code, bool fatal, std::string_view line) {
  return {.check = "kernel.sxid",
          .address = address_in(line),
          .label = "SXid " + std::to_string(code),
          .status = fatal ? Status::failed : Status::noticed,
          .advice = fatal ? Advice{"an NVSwitch failed: every GPU behind it is suspect", Action::drain}
                          : Advice{"an NVSwitch recovered from an error", Action::monitor}};
}

std::optional<Xid> xid_in(const std::string& line) {
  const auto found = nvidia_code_in(line);
  if (!found || found->of_switch) return {};
  return Xid{found->code, address_in(line)};
}

std::optional<KernelEvent> recognise(const std::string& text, int level) {
  const std::string line = without_process_names(text);
  if (const auto found = nvidia_code_in(line))
    return continues_sxid(*found) ? std::nullopt : event_of(*found, line);
  if (is_detail_of_aer(line)) return {};
  if (auto crash = crash_in_library(text)) return crash;
  const auto harmless = harmless_lines();
  if (std::any_of(harmless.begin(), harmless.end(), [&](std::string_view pattern) {
        return fits_line(line, pattern) || fits_line(text, pattern);
      }))
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
