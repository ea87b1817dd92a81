// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/inventory/smbios.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {
namespace {

const std::string smbios_table = "/sys/firmware/dmi/tables/DMI";
constexpr std::size_t most_of_a_table = 1U << 20, most_of_a_dump = 4U << 20;

void read_smbios(const Tree& tree, Inventory& inventory, Notes& notes) {
  const auto dump = tree.is_this_machine() ? std::nullopt : tree.read("/answers/dmidecode", most_of_a_dump);
  if (dump) return take_dmidecode(*dump, inventory);
  if (const auto table = tree.read_bytes(smbios_table, most_of_a_table))
    return take_smbios(*table, inventory);
  if (tree.exists(smbios_table))
    notes.push_back(smbios_table +
                    " can be read by root only: memory modules and power supplies are unknown");
}

/// The files in which the kernel shows its own copy to everyone come before the table.
void read_bios(const Tree& tree, Inventory& inventory) {
  for (const auto& [name, into] : {std::pair("bios_vendor", &inventory.bios_vendor),
                                   {"bios_version", &inventory.bios_version},
                                   {"bios_date", &inventory.bios_date}})
    if (const std::string text = filled_in(tree.text(std::string("/sys/class/dmi/id/") + name));
        !text.empty())
      *into = text;
}

/// Firmware of the board's controller, where a driver talks to it over IPMI.
std::string read_bmc(const Tree& tree) {
  const std::string devices = "/sys/bus/platform/devices/";
  for (const std::string& name : tree.list(devices))
    if (name.starts_with("ipmi_bmc"))
      if (std::string text = tree.text(devices + name + "/firmware_revision"); !text.empty()) return text;
  return "";
}

void count_numa(const Tree& tree, Inventory& inventory) {
  const std::string nodes = "/sys/devices/system/node/";
  std::set<std::int64_t> sockets;
  for (const std::string& name : tree.list(nodes)) {
    if (!name.starts_with("node")) continue;
    const auto cpus = parse_cpu_list(tree.text(nodes + name + "/cpulist"));
    if (!cpus || cpus->empty()) continue;
    ++inventory.numa_nodes;
    if (const auto socket = tree.read_integer("/sys/devices/system/cpu/cpu" + std::to_string(cpus->front()) +
                                              "/topology/physical_package_id"))
      sockets.insert(*socket);
  }
  inventory.sockets = static_cast<int>(sockets.size());
}

std::vector<NvmeDrive> read_nvme(const Tree& tree) {
  std::vector<NvmeDrive> drives;
  const std::string nvme = "/sys/class/nvme/";
  for (const std::string& name : tree.list(nvme))
    drives.push_back({.name = name,
                      .address = tree.text(nvme + name + "/address"),
                      .model = filled_in(tree.text(nvme + name + "/model")),
                      .firmware = filled_in(tree.text(nvme + name + "/firmware_rev"))});
  return drives;
}

}  // namespace

Inventory read_inventory(const Tree& tree, Notes& notes) {
  Inventory inventory;
  read_smbios(tree, inventory, notes);
  read_bios(tree, inventory);
  inventory.bmc_firmware = read_bmc(tree);
  count_numa(tree, inventory);
  inventory.drives = read_nvme(tree);
  return inventory;
}

}  // namespace assay::machine
