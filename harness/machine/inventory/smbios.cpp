// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Layouts: DMTF DSP0134, System Management BIOS Reference Specification 3.7, chapter 7.
#include "harness/machine/inventory/smbios.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "harness/core/printable.hpp"

namespace assay::machine {
namespace {

enum class StructureType : std::uint8_t {
  bios = 0,
  memory_device = 17,
  power_supply = 39,
  firmware_inventory = 45,
  end = 127
};

/// A structure: its formatted bytes, and the texts that they refer to by number.
struct Structure {
  std::string_view bytes;
  std::vector<std::string_view> texts;

  std::uint64_t number(std::size_t at, std::size_t size) const {
    std::uint64_t value = 0;
    if (at + size > bytes.size()) return 0;
    for (std::size_t byte = size; byte-- > 0;)
      value = value << 8 | static_cast<std::uint8_t>(bytes[at + byte]);
    return value;
  }
  /// "" for a field that an earlier version of SMBIOS does not have.
  std::string text(std::size_t at) const {
    const std::uint64_t which = number(at, 1);
    if (which == 0 || which > texts.size()) return "";
    return filled_in(core::valid_text(std::string(texts[which - 1]), ""));
  }
};

/// Takes the structure at the front off `table`. One without bytes ends a table.
Structure next(std::string_view& table) {
  constexpr std::size_t header = 4;
  const std::size_t length = table.size() < header ? 0 : static_cast<std::uint8_t>(table[1]);
  if (length < header || length > table.size()) return {};
  Structure found{.bytes = table.substr(0, length), .texts = {}};
  table.remove_prefix(length);
  while (true) {
    const std::size_t stop = table.find('\0');
    if (stop == std::string_view::npos) return {};
    if (stop == 0) break;
    found.texts.push_back(table.substr(0, stop));
    table.remove_prefix(stop + 1);
  }
  // Without texts both of the zeros stand alone.
  const std::size_t zeros = found.texts.empty() ? 2 : 1;
  table.remove_prefix(std::min(zeros, table.size()));
  return found;
}

std::int64_t bytes_of(const Structure& device) {
  constexpr std::uint64_t unknown = 0xffff, extended = 0x7fff, in_kilobytes = 0x8000;
  const std::uint64_t size = device.number(0x0c, 2);
  if (size == unknown) return 0;
  if (size == extended) return static_cast<std::int64_t>(device.number(0x1c, 4) & 0x7fffffff) << 20;
  return static_cast<std::int64_t>(size & 0x7fff) << ((size & in_kilobytes) != 0 ? 10 : 20);
}

/// As configured, else the most that the module can do.
int speed_of(const Structure& device) {
  struct Place {
    std::size_t at, extended;
  };
  constexpr std::uint64_t in_extended = 0xffff;
  for (const Place place : {Place{0x20, 0x58}, Place{0x15, 0x54}}) {
    const std::uint64_t speed = device.number(place.at, 2);
    if (speed == in_extended) return static_cast<int>(device.number(place.extended, 4) & 0x7fffffff);
    if (speed != 0) return static_cast<int>(speed);
  }
  return 0;
}

std::string memory_type(std::uint64_t code) {
  static constexpr std::array<std::pair<std::uint64_t, const char*>, 10> types = {{{0x18, "DDR3"},
                                                                                   {0x1a, "DDR4"},
                                                                                   {0x1d, "LPDDR3"},
                                                                                   {0x1e, "LPDDR4"},
                                                                                   {0x20, "HBM"},
                                                                                   {0x21, "HBM2"},
                                                                                   {0x22, "DDR5"},
                                                                                   {0x23, "LPDDR5"},
                                                                                   {0x24, "HBM3"},
                                                                                   {0x25, "MRDIMM"}}};
  for (const auto& [known, name] : types)
    if (known == code) return name;
  return "";
}

void take_power_supply(const Structure& structure, Inventory& into) {
  constexpr std::uint64_t present = 0x2, unknown_watts = 0x8000;
  if ((structure.number(0x0e, 2) & present) == 0 || into.power_supplies.size() == most_slots) return;
  const std::uint64_t watts = structure.number(0x0c, 2);
  into.power_supplies.push_back({.slot = structure.text(0x05),
                                 .maker = structure.text(0x07),
                                 .model = structure.text(0x0a),
                                 .revision = structure.text(0x0b),
                                 .watts = watts == unknown_watts ? 0 : static_cast<int>(watts)});
  if (into.power_supplies.back().slot.empty()) into.power_supplies.back().slot = structure.text(0x06);
}

}  // namespace

std::string filled_in(std::string_view text) {
  static constexpr std::array<std::string_view, 12> placeholders{"not specified",
                                                                 "unknown",
                                                                 "to be filled by o.e.m.",
                                                                 "default string",
                                                                 "none",
                                                                 "no dimm",
                                                                 "n/a",
                                                                 "not available",
                                                                 "undefined",
                                                                 "empty",
                                                                 "to be filled by o.e.m",
                                                                 "null"};
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "";
  const std::string bare(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
  std::string low = bare;
  std::ranges::transform(low, low.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::find(placeholders, low) == placeholders.end() ? bare : "";
}

void name_slots(std::vector<Dimm>& dimms, const std::vector<std::string>& banks) {
  std::set<std::string> seen;
  const bool unique = std::ranges::all_of(
      dimms, [&](const Dimm& dimm) { return !dimm.slot.empty() && seen.insert(dimm.slot).second; });
  for (std::size_t at = 0; !unique && at < dimms.size(); ++at)
    if (std::string& slot = dimms[at].slot; !banks[at].empty())
      slot = banks[at] + (slot.empty() ? "" : " ") + slot;
  name_apart(dimms, "module");
}

void take_smbios(std::string_view table, Inventory& into) {
  std::vector<std::string> banks;
  while (true) {
    const Structure structure = next(table);
    const auto type = static_cast<StructureType>(structure.number(0, 1));
    if (structure.bytes.empty() || type == StructureType::end) break;
    switch (type) {
      case StructureType::bios:
        into.bios_vendor = structure.text(0x04);
        into.bios_version = structure.text(0x05);
        into.bios_date = structure.text(0x08);
        break;
      case StructureType::memory_device:
        if (const std::int64_t bytes = bytes_of(structure); bytes > 0 && into.dimms.size() < most_slots) {
          into.dimms.push_back({.slot = structure.text(0x10),
                                .bytes = bytes,
                                .type = memory_type(structure.number(0x12, 1)),
                                .megatransfers_per_s = speed_of(structure),
                                .maker = structure.text(0x17),
                                .part = structure.text(0x1a)});
          banks.push_back(structure.text(0x11));
        }
        break;
      case StructureType::power_supply:
        take_power_supply(structure, into);
        break;
      case StructureType::firmware_inventory:
        if (const std::string name = structure.text(0x04); !name.empty())
          into.firmware[name] = structure.text(0x05);
        break;
      default:
        break;
    }
  }
  name_slots(into.dimms, banks);
  name_apart(into.power_supplies, "supply");
}

}  // namespace assay::machine
