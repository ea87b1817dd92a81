// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which lines of the kernel's log speak of the health of hardware, and what they mean: one table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/health/finding.hpp"

namespace assay::health {

enum class EventScope {
  any,
  in_service,  // normal while a node starts
  watched,     // of GPUs, adapters and switches above them only: other devices may be so by design
};

struct KernelEvent {
  std::string_view check;  // kernel.xid, kernel.pcie, ...
  std::string address;     // PCI address as the line gives it, maybe without function; "" where it gives none
  std::string label;       // "Xid 79"
  Status status = Status::failed;
  Advice advice;
  EventScope scope = EventScope::any;
};

/// Empty for a line that speaks of something else.
std::optional<KernelEvent> recognise(const std::string& line);

/// What an Xid means and asks for; codes nobody knows are failures to investigate.
struct XidFact {
  Status status;
  Advice advice;
};
XidFact xid_fact(int code);

}  // namespace assay::health
