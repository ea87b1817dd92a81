// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The state that the module in a port reports: kind, temperature, supply, light and laser current of every
// lane with the limits its maker set, and flags. SFF-8636 (QSFP28, QSFP56) and CMIS (QSFP-DD, OSFP), as
// `ethtool -m` shows them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace assay::link {

/// Half a page of a module's memory, or why there is none.
struct ModuleBytes {
  std::string bytes;
  std::string why;
};

/// Reads 128 bytes from `offset`, 0 or 128, with this page in the upper half.
using ReadModule = std::function<ModuleBytes(int page, int offset)>;

enum class Margin { inside, warning, alarm };

/// Limits that the module's maker wrote into it.
struct ModuleLimits {
  double high_alarm = 0, low_alarm = 0, high_warning = 0, low_warning = 0;
};

struct ModuleReading {
  std::string name;  // "temperature", "rx power of lane 2"
  std::string unit;  // °C, V, mW, mA
  double value = 0;
  std::optional<ModuleLimits> limits;

  /// Inside where there are no limits.
  Margin margin() const;
};

struct Module {
  std::string why_unknown;  // then nothing else is known
  std::string kind;         // "QSFP28"
  std::string vendor, part, serial;
  bool copper = false;      // a cable without monitors
  std::string idle;         // why it has no readings to judge: "it is not ready"
  bool has_limits = false;  // for the light that it receives
  std::vector<ModuleReading> readings;
  std::vector<std::string> flags;  // set since they were last read: "rx loss of signal on lane 1"
};

Module read_module(const ReadModule& read);

/// Reads the module in a port by the kernel's ethtool netlink (MODULE_EEPROM_GET, Linux 5.13), which asks for
/// CAP_NET_ADMIN. Reading clears the module's latched flags, as `ethtool -m` does.
ReadModule module_in(const std::string& netdev);

}  // namespace assay::link
