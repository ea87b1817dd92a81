// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/describe/describe_inventory.hpp"

#include <fmt/format.h>

#include "harness/machine/inventory/facts.hpp"
#include "harness/machine/readable.hpp"

namespace assay::machine {
namespace {

std::string part_line(const std::string& label, const std::string& value) {
  constexpr std::size_t width = 98, indent = 12;
  return value.empty() ? "" : "  " + padded(label, indent - 3) + " " + wrapped(value, width, indent) + "\n";
}

std::string bios_text(const Inventory& inventory) {
  std::string text = inventory.bios_vendor;
  for (const std::string& part : {inventory.bios_version, inventory.bios_date})
    if (!part.empty()) text += (text.empty() ? "" : " ") + part;
  return text;
}

/// "2 x 64 GiB DDR5: A1 B1", one line a kind of part.
std::string parts_text(const std::string& label, const std::string& kind, const std::vector<Fact>& facts) {
  std::map<std::string, std::pair<int, std::string>> units;  // by value
  for (const Fact& fact : facts) {
    if (fact.kind != kind) continue;
    auto& [count, names] = units[fact.value];
    names += (++count > 1 ? ", " : "") + fact.unit;
  }
  std::string text;
  for (const auto& [value, of] : units)
    text += part_line(label, fmt::format("{} x {}: {}", of.first, value, of.second));
  return text;
}

}  // namespace

std::string inventory_text(const Machine& machine) {
  const std::vector<Fact> facts = facts_of(machine);
  std::string firmware;
  for (const auto& [name, version] : machine.inventory.firmware)
    firmware += (firmware.empty() ? "" : ", ") + name + " " + version;
  const std::string text = part_line("BIOS", bios_text(machine.inventory)) +
                           part_line("BMC", machine.inventory.bmc_firmware) +
                           parts_text("memory", "dimm", facts) + parts_text("power", "power_supply", facts) +
                           parts_text("drive", "nvme", facts) + part_line("firmware", firmware);
  return text.empty() ? "" : "\nParts\n" + text;
}

}  // namespace assay::machine
