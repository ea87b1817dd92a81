// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/tested_node.hpp"

#include <utility>

namespace assay::health {
namespace {

results::TestedPart part_of(const GpuState& gpu, const std::string& host) {
  return {.id = gpu.unit(),
          .host = host,
          .type = "gpu",
          .name = gpu.name.value_or(""),
          .address = gpu.address.value_or(""),
          .serial = gpu.serial.value_or(""),
          .identity = gpu.uuid.value_or(""),
          .firmware = gpu.vbios.value_or("")};
}

results::TestedPart part_of(const machine::Hca& hca, const std::string& host) {
  return {.id = hca.device,
          .host = host,
          .type = "nic",
          .name = hca.device,
          .address = hca.pcie.address,
          .identity = hca.node_guid,
          .chip = hca.part,
          .firmware = hca.firmware,
          .firmware_variant = hca.board_id};
}

}  // namespace

results::TestedSystem tested_system(const Snapshot& snapshot) {
  const std::string& host = snapshot.host;
  results::TestedSystem system;
  system.add({.id = host, .host = host, .type = "node"});
  system.give_the_rest_to(host);
  for (const GpuState& gpu : snapshot.gpus) system.add(part_of(gpu, host));
  for (const machine::Hca& hca : snapshot.hcas)
    if (!hca.software) system.add(part_of(hca, host));
  for (const auto& [name, version] :
       {std::pair<const char*, const std::string&>{"kernel", snapshot.kernel_release},
        {"NVIDIA driver", snapshot.platform.driver_version},
        {"fabric manager", snapshot.platform.fabric_manager_version}})
    if (!version.empty()) system.add(results::TestedSoftware{host, name, version});
  return system;
}

}  // namespace assay::health
