// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Names that LLDP carries. One system or port has several: long and short, in capitals, or an address.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay::model::fabric::site {

/// Equal for "Eth1/1", "Et1/1", "ethernet1/1" and "Ethernet 1/1", and for all spellings of one MAC address.
std::string plain_port(std::string_view name);

/// Plain names that differ in numbers alone: of one kind, and of two ports.
bool are_two_ports(std::string_view one, std::string_view other);

/// Twelve hexadecimal digits, in pairs or fours that ':', '-' or '.' parts.
bool is_mac_address(std::string_view name);

enum class PortNaming { adapter, switch_port, unknown };

/// "eth0", "enp1s0", "mlx5_0" and MAC addresses name adapters' ports; "swp1", "Ethernet4" and what has a '/'
/// a switch's. "7" may be either.
PortNaming naming_of(std::string_view port);

/// Names that are one system's: equal but for capitals, or one is the other's beginning up to a dot ("leaf1"
/// and "leaf1.dc.example").
class SystemNames {
 public:
  /// Throws a usage Error that opens with `file` for a short name that two long ones begin with.
  SystemNames(const std::vector<std::string>& names, const std::string& file);

  /// Spelled as in the first of `names` that is this system's.
  const std::string& of(const std::string& name) const;
  /// "leaf1.dc.example is leaf1", for every name that differs in more than capitals.
  const std::vector<std::string>& merged() const { return merged_; }

 private:
  std::map<std::string, std::string> system_;  // by name in small letters
  std::vector<std::string> merged_;
};

}  // namespace assay::model::fabric::site
