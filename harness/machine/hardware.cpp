// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/machine.hpp"

namespace assay::machine {

std::string to_string(Hardware hardware) { return hardware == Hardware::gpu ? "gpu" : "rdma"; }

std::string absence_text(Hardware hardware) {
  return hardware == Hardware::gpu ? "no GPU" : "no RDMA adapter";
}

std::optional<Hardware> hardware_from(const std::string& word) {
  for (const Hardware hardware : all_hardware)
    if (word == to_string(hardware)) return hardware;
  return std::nullopt;
}

bool Machine::offers(Hardware hardware) const {
  return hardware == Hardware::gpu ? !gpus.empty() : !hcas.empty();
}

bool Machine::lacks(Hardware hardware) const {
  return !offers(hardware) && (hardware == Hardware::gpu ? unused_gpus : unused_adapters).empty();
}

}  // namespace assay::machine
