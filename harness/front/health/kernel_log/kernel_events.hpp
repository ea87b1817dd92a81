// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Lines of the kernel's log that concern the health of a node, and what they mean. The known ones are in
// kernel_lines.hpp; of the others, lines of high priority count, and trouble of drivers that matter.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/front/health/finding.hpp"

namespace assay::health {

enum class EventScope {
  any,
  in_service,       // noticed while a node starts, when links come and go
  only_in_service,  // normal while a node starts
  watched,          // of GPUs, adapters and switches above them only: other devices may be so by design
};

struct KernelEvent {
  std::string_view check;  // kernel.xid, kernel.pcie, ...
  std::string address;     // PCI address as the line gives it, maybe without function; "" where it gives none
  std::string label;       // "Xid 79"
  Status status = Status::failed;
  Advice advice;
  EventScope scope = EventScope::any;
};

/// Priority of informational records: 0 emergency, 1 alert, 2 critical, ... 6 information, 7 debugging.
constexpr int informational_level = 6;

/// Empty for a line about something else. One that no table knows is `unknown` where its level is
/// critical or higher (kernel.unknown), or where a driver of GPUs, adapters or drives reports trouble.
std::optional<KernelEvent> recognise(const std::string& line, int level = informational_level);

/// The Xid that a line reports in the driver's whole form, with the address of its GPU.
struct Xid {
  int code;
  std::string address;
};
std::optional<Xid> xid_in(const std::string& line);

/// The meaning of an NVSwitch's error of this code; `line` has the switch's address.
KernelEvent nvswitch_event(int code, bool fatal, std::string_view line);

/// The first PCI address in `line`, 0000:4b:00.0, with or without its function; "" where there is none.
std::string address_in(std::string_view line);

/// The meaning of an Xid and what it asks for: `passed` for what NVIDIA says to ignore, `unknown` for a code
/// that it does not list.
struct XidFact {
  Status status;
  Advice advice;
};
XidFact xid_fact(int code);

}  // namespace assay::health
