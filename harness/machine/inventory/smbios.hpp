// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// SMBIOS, as the kernel hands its table out and as dmidecode prints it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/inventory/inventory.hpp"

namespace assay::machine {

/// Adds what the structures of a table (/sys/firmware/dmi/tables/DMI) say. A table that is cut off, or not
/// one, gives what comes before.
void take_smbios(std::string_view table, Inventory& into);

/// Adds what the text of dmidecode says.
void take_dmidecode(const std::string& text, Inventory& into);

/// The text without blanks at its ends; "" where it only stands for a value that was never filled in.
std::string filled_in(std::string_view text);

/// No node has more slots; a table that claims it is cut off there.
inline constexpr std::size_t most_slots = 1024;

/// Gives every slot a name of its own: "PSU", "PSU #2".
template <class Part>
void name_apart(std::vector<Part>& parts, const std::string& nameless) {
  std::set<std::string> taken;
  for (Part& part : parts) {
    if (part.slot.empty()) part.slot = nameless;
    const std::string name = part.slot;
    for (int again = 2; !taken.insert(part.slot).second; ++again)
      part.slot = name + " #" + std::to_string(again);
  }
}

/// Puts the banks before the slots where sockets number their slots alike.
void name_slots(std::vector<Dimm>& dimms, const std::vector<std::string>& banks);

}  // namespace assay::machine
