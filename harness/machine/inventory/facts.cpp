// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/inventory/facts.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <set>

#include "harness/machine/readable.hpp"

namespace assay::machine {
namespace {

constexpr std::array kinds = {KindOfFact{"bios_vendor"},
                              KindOfFact{"bios_version"},
                              KindOfFact{"bios_date"},
                              KindOfFact{"bmc_firmware"},
                              KindOfFact{"microcode"},
                              KindOfFact{"numa_per_socket"},
                              KindOfFact{"dimm", Units::each},
                              KindOfFact{"power_supply", Units::each},
                              KindOfFact{"gpu", Units::each},
                              KindOfFact{"adapter", Units::each},
                              KindOfFact{"nvme", Units::each},
                              KindOfFact{"firmware", Units::named},
                              KindOfFact{"bios_setting", Units::named}};

std::string joined(std::initializer_list<std::string> words) {
  std::string text;
  for (const std::string& word : words)
    if (!word.empty()) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::string counted(int value, const std::string& unit) {
  return value > 0 ? fmt::format("{} {}", value, unit) : "";
}

std::string labelled(const std::string& label, const std::string& value) {
  return value.empty() ? "" : label + " " + value;
}

std::string numa_per_socket(const Inventory& inventory) {
  if (inventory.numa_nodes == 0 || inventory.sockets == 0) return "";
  if (inventory.numa_nodes % inventory.sockets != 0)
    return fmt::format("{} on {} sockets", inventory.numa_nodes, inventory.sockets);
  return std::to_string(inventory.numa_nodes / inventory.sockets);
}

class Collector {
 public:
  void add(const std::string& kind, const std::string& unit, const std::string& value,
           const std::string& shared = {}) {
    if (!value.empty()) facts_.push_back({kind, unit, value, shared});
  }
  std::vector<Fact> take() { return std::move(facts_); }

 private:
  std::vector<Fact> facts_;
};

void add_host(const Machine& machine, Collector& facts) {
  const Inventory& inventory = machine.inventory;
  facts.add("bios_vendor", "", inventory.bios_vendor);
  facts.add("bios_version", "", inventory.bios_version);
  facts.add("bios_date", "", inventory.bios_date);
  facts.add("bmc_firmware", "", inventory.bmc_firmware);
  facts.add("microcode", "", machine.cpu.microcode);
  facts.add("numa_per_socket", "", numa_per_socket(inventory));
  for (const Dimm& dimm : inventory.dimms) {
    const std::string shared =
        joined({readable_bytes(dimm.bytes), dimm.type, counted(dimm.megatransfers_per_s, "MT/s")});
    facts.add("dimm", dimm.slot, joined({shared, dimm.maker, dimm.part}), shared);
  }
  for (const PowerSupply& supply : inventory.power_supplies) {
    const std::string watts = counted(supply.watts, "W");
    facts.add("power_supply", supply.slot,
              joined({watts, supply.maker, supply.model, labelled("revision", supply.revision)}), watts);
  }
}

void add_devices(const Machine& machine, Collector& facts) {
  for (const Gpu& gpu : machine.gpus)
    facts.add("gpu", std::to_string(gpu.index), joined({gpu.name, labelled("VBIOS", gpu.vbios)}));
  std::set<std::string> seen;  // an adapter has an entry a port
  for (const Hca& hca : machine.hcas)
    if (!hca.software && seen.insert(hca.device).second)
      facts.add("adapter", hca.device, joined({hca.part, hca.board_id, labelled("firmware", hca.firmware)}));
  for (const NvmeDrive& drive : machine.inventory.drives)
    facts.add("nvme", drive.address.empty() ? drive.name : drive.address,
              joined({drive.model, labelled("firmware", drive.firmware)}), "drive");
}

}  // namespace

std::span<const KindOfFact> kinds_of_facts() { return kinds; }

std::vector<Fact> facts_of(const Machine& machine) {
  Collector facts;
  add_host(machine, facts);
  add_devices(machine, facts);
  for (const auto& [name, version] : machine.inventory.firmware) facts.add("firmware", name, version);
  for (const auto& [name, value] : machine.inventory.bios_settings) facts.add("bios_setting", name, value);
  return facts.take();
}

std::map<std::string, std::string> summary_of(const std::vector<Fact>& facts) {
  std::map<std::string, std::map<std::string, int>> counts;
  std::map<std::string, std::string> summary;
  for (const KindOfFact& kind : kinds)
    for (const Fact& fact : facts) {
      if (fact.kind != kind.name) continue;
      const std::string& shared = fact.shared.empty() ? fact.value : fact.shared;
      if (kind.units == Units::single)
        summary[fact.kind] = shared;
      else
        ++counts[fact.kind][kind.units == Units::named ? fact.unit + " " + shared : shared];
    }
  for (const auto& [kind, of_kind] : counts)
    for (const auto& [value, count] : of_kind)
      summary[kind] += fmt::format("{}{} x {}", summary[kind].empty() ? "" : ", ", count, value);
  return summary;
}

}  // namespace assay::machine
