// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The parts of a node besides processors, GPUs and adapters, and their firmware. Serial numbers and asset
// tags are left out: parts are compared by kind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace assay::machine {

/// A memory module.
struct Dimm {
  std::string slot;  // unique in the node
  std::int64_t bytes = 0;
  std::string type;  // DDR5
  int megatransfers_per_s = 0;
  std::string maker, part;
};

struct PowerSupply {
  std::string slot, maker, model, revision;
  int watts = 0;
};

struct NvmeDrive {
  std::string name, address, model, firmware;  // "nvme0", "0000:c1:00.0"
};

struct Inventory {
  std::string bios_vendor, bios_version, bios_date, bmc_firmware;
  int numa_nodes = 0, sockets = 0;  // of the machine, whatever this process may use; nodes with CPUs
  std::vector<Dimm> dimms;
  std::vector<PowerSupply> power_supplies;
  std::vector<NvmeDrive> drives;
  std::map<std::string, std::string> firmware;       // versions of other parts by name: "CPLD0"
  std::map<std::string, std::string> bios_settings;  // of the BMC's description alone
};

}  // namespace assay::machine
