// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/health/kernel_events.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace assay::health {
namespace {

struct Row {
  std::string_view check, label;
  std::string_view contains, and_contains;  // both; the second may be ""
  Status status;
  Action action;
  std::string_view meaning;
  EventScope scope = EventScope::any;
};

// The first that fits decides.
constexpr std::array rows{
    Row{"kernel.pcie", "PCIe fatal", "severity=Uncorrected (Fatal)", "", Status::failed, Action::drain,
        "a PCIe link failed"},
    Row{"kernel.pcie", "PCIe fatal", "severity=Uncorrectable (Fatal)", "", Status::failed, Action::drain,
        "a PCIe link failed"},
    Row{"kernel.pcie", "PCIe non-fatal", "severity=Uncorrected (Non-Fatal)", "", Status::failed,
        Action::reseat, "PCIe transactions were lost"},
    Row{"kernel.pcie", "PCIe non-fatal", "severity=Uncorrectable (Non-Fatal)", "", Status::failed,
        Action::reseat, "PCIe transactions were lost"},
    Row{"kernel.pcie", "PCIe corrected", "severity=Correct", "", Status::noticed, Action::monitor,
        "a PCIe link repeats"},
    Row{"kernel.pcie", "PCIe limited", "available PCIe bandwidth, limited by", "", Status::failed,
        Action::reseat, "a device has less PCIe than it could use", EventScope::watched},
    Row{"kernel.mlx5", "mlx5 command timeout", "mlx5", "timeout. Will cause a leak", Status::failed,
        Action::drain, "the adapter does not answer its driver"},
    Row{"kernel.mlx5", "mlx5 health", "mlx5", "device's health compromised", Status::failed, Action::drain,
        "the adapter says that it is ill"},
    Row{"kernel.mlx5", "mlx5 fatal", "mlx5", "Fatal error", Status::failed, Action::drain,
        "the adapter failed"},
    Row{"kernel.mlx5", "mlx5 cable", "mlx5", "Cable error", Status::failed, Action::reseat,
        "the port's cable or module is ill"},
    Row{"kernel.mlx5", "mlx5 heat", "mlx5", "High temperature", Status::failed, Action::drain,
        "the port's module is too hot"},
    Row{"kernel.mlx5", "mlx5 power", "mlx5", "insufficient power", Status::failed, Action::reseat,
        "the slot gives the adapter too little power"},
    Row{"kernel.mlx5", "mlx5 link down", "mlx5", "Link down", Status::failed, Action::reseat,
        "a port lost its link", EventScope::in_service},
    Row{"kernel.memory", "memory uncorrected", "EDAC", " UE ", Status::failed, Action::replace,
        "host memory lost data"},
    Row{"kernel.memory", "memory corrected", "EDAC", " CE ", Status::noticed, Action::monitor,
        "host memory corrects errors"},
    Row{"kernel.memory", "machine check", "[Hardware Error]", "Uncorrected", Status::failed, Action::drain,
        "the processor reports an error it could not correct"},
    Row{"kernel.memory", "machine check", "[Hardware Error]", "Machine check", Status::noticed,
        Action::monitor, "the processor logged errors"},
    Row{"kernel.memory", "firmware error", "[Hardware Error]", "severity: fatal", Status::failed,
        Action::drain, "firmware reports a fatal error"},
    Row{"kernel.memory", "firmware error", "[Hardware Error]", "severity: recoverable", Status::failed,
        Action::drain, "firmware reports an error that was not corrected"},
    Row{"kernel.memory", "firmware error", "[Hardware Error]", "severity: corrected", Status::noticed,
        Action::monitor, "firmware reports corrected errors"},
    Row{"kernel.driver", "GPU initialisation", "NVRM:", "RmInitAdapter failed", Status::failed, Action::reset,
        "the driver could not initialise a GPU"},
    Row{"kernel.driver", "GPU off the bus", "NVRM:", "fallen off the bus", Status::failed, Action::reboot,
        "a GPU fell off the bus"},
    Row{"kernel.driver", "hung task", "blocked for more than", "seconds", Status::failed, Action::reboot,
        "a process hangs in the kernel"},
    Row{"kernel.driver", "out of memory", "Out of memory: Killed process", "", Status::noticed,
        Action::monitor, "a process was killed for memory"},
};

/// The text after "PCI:" or the first thing that looks like 0000:4b:00.0; without it, "".
std::string address_in(const std::string& line) {
  for (std::size_t colon = line.find(':'); colon != std::string::npos; colon = line.find(':', colon + 1)) {
    const auto hexadecimal = [&](std::size_t from, std::size_t count) {
      return from + count <= line.size() &&
             std::all_of(line.begin() + static_cast<std::ptrdiff_t>(from),
                         line.begin() + static_cast<std::ptrdiff_t>(from + count),
                         [](unsigned char letter) { return std::isxdigit(letter) != 0; });
    };
    if (colon < 4 || !hexadecimal(colon - 4, 4) || !hexadecimal(colon + 1, 2)) continue;
    if (colon + 3 >= line.size() || line[colon + 3] != ':' || !hexadecimal(colon + 4, 2)) continue;
    const bool function = colon + 7 < line.size() && line[colon + 6] == '.' && hexadecimal(colon + 7, 1);
    return line.substr(colon - 4, function ? 12 : 10);
  }
  return "";
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
bool continues(const std::string& line, std::size_t from) {
  const auto comma = line.find(", ", std::min(line.find("): ", from), line.size()));
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

/// An Xid or SXid whose code cannot be read is no less of an error.
std::optional<KernelEvent> nvidia_code(const std::string& line) {
  const auto xid = line.find("Xid (");
  if (xid == std::string::npos) return {};
  const bool of_switch = xid > 0 && line[xid - 1] == 'S';
  if (of_switch && continues(line, xid)) return {};
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

}  // namespace

std::optional<KernelEvent> recognise(const std::string& line) {
  if (auto event = nvidia_code(line)) return event;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& one) {
    return line.find(one.contains) != std::string::npos && line.find(one.and_contains) != std::string::npos;
  });
  if (row == rows.end()) return {};
  return KernelEvent{.check = row->check,
                     .address = address_in(line),
                     .label = std::string(row->label),
                     .status = row->status,
                     .advice = {std::string(row->meaning), row->action},
                     .scope = row->scope};
}

}  // namespace assay::health
