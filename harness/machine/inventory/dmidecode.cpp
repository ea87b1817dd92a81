// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of dmidecode: blocks that begin with "Handle 0x0011, DMI type 17, 92 bytes", and their "name:
// value" lines.
#include <charconv>
#include <map>
#include <sstream>

#include "harness/core/printable.hpp"
#include "harness/machine/inventory/smbios.hpp"

namespace assay::machine {
namespace {

struct Block {
  int type = -1;
  std::map<std::string, std::string> values;

  std::string at(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? "" : filled_in(found->second);
  }
};

/// The number a text begins with; 0 where it begins with none.
std::int64_t number_in(const std::string& text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// "64 GB", "65536 MB", "16 TB": dmidecode's units are powers of 1024.
std::int64_t bytes_in(const std::string& text) {
  const std::int64_t count = number_in(text);
  if (count < 0 || count > 1 << 24) return 0;
  for (const auto& [unit, shift] : {std::pair("kB", 10), {"MB", 20}, {"GB", 30}, {"TB", 40}})
    if (text.ends_with(std::string(" ") + unit)) return shift == 40 && count > 1024 ? 0 : count << shift;
  return 0;
}

std::vector<Block> blocks_of(const std::string& text) {
  std::vector<Block> blocks;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto type = line.find("DMI type ");
    if (line.starts_with("Handle ") && type != std::string::npos)
      blocks.push_back({.type = static_cast<int>(number_in(line.substr(type + 9))), .values = {}});
    const auto colon = line.find(": ");
    const bool is_value = line.starts_with('\t') && !line.starts_with("\t\t") && colon != std::string::npos;
    if (is_value && !blocks.empty()) blocks.back().values[line.substr(1, colon - 1)] = line.substr(colon + 2);
  }
  return blocks;
}

Dimm dimm_of(const Block& block) {
  Dimm dimm{.slot = block.at("Locator"),
            .bytes = bytes_in(block.at("Size")),
            .type = block.at("Type"),
            .maker = block.at("Manufacturer"),
            .part = block.at("Part Number")};
  for (const char* speed : {"Configured Memory Speed", "Configured Clock Speed", "Speed"})
    if (dimm.megatransfers_per_s == 0)
      dimm.megatransfers_per_s = static_cast<int>(number_in(block.at(speed)));
  return dimm;
}

void take_power_supply(const Block& block, Inventory& into) {
  if (!block.at("Status").starts_with("Present") || into.power_supplies.size() == most_slots) return;
  into.power_supplies.push_back({.slot = block.at("Location"),
                                 .maker = block.at("Manufacturer"),
                                 .model = block.at("Model Part Number"),
                                 .revision = block.at("Revision"),
                                 .watts = static_cast<int>(number_in(block.at("Max Power Capacity")))});
  if (into.power_supplies.back().slot.empty()) into.power_supplies.back().slot = block.at("Name");
}

}  // namespace

void take_dmidecode(const std::string& text, Inventory& into) {
  std::vector<std::string> banks;
  for (const Block& block : blocks_of(core::valid_text(text, "\n\t"))) {
    if (block.type == 0) {
      into.bios_vendor = block.at("Vendor");
      into.bios_version = block.at("Version");
      into.bios_date = block.at("Release Date");
    } else if (block.type == 17 && bytes_in(block.at("Size")) > 0 && into.dimms.size() < most_slots) {
      into.dimms.push_back(dimm_of(block));
      banks.push_back(block.at("Bank Locator"));
    } else if (block.type == 39) {
      take_power_supply(block, into);
    } else if (block.type == 45 && !block.at("Firmware Component Name").empty()) {
      into.firmware[block.at("Firmware Component Name")] = block.at("Firmware Version");
    }
  }
  name_slots(into.dimms, banks);
  name_apart(into.power_supplies, "supply");
}

}  // namespace assay::machine
