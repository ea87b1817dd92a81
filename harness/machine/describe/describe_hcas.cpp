// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/describe/describe_hcas.hpp"

#include "harness/machine/readable.hpp"

namespace assay::machine {

namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string number(int value) { return value > 0 ? std::to_string(value) : ""; }

std::string nearest(const NearestGpus& gpus) {
  std::string text;
  for (const int index : gpus.indices) text += (text.empty() ? "" : " ") + ("GPU" + std::to_string(index));
  return text.empty() ? "" : text + " " + gpus.distance;
}

/// "bond0 = eth0 + eth1"
std::string netdev(const Hca& hca) {
  std::string text = hca.netdev;
  for (std::size_t at = 0; at < hca.bond_members.size(); ++at)
    text += (at == 0 ? " = " : " + ") + hca.bond_members[at];
  return text;
}

std::string links(const Machine& machine) {
  Rows rows = {
      {"device", "port", "state", "physical", "layer", "rate", "MTU", "netdev", "PCI", "node", "link"}};
  for (const Hca& hca : machine.hcas)
    rows.push_back({hca.device, std::to_string(hca.port), hca.state, hca.physical_state, hca.link_layer,
                    hca.software ? "software" : hca.rate, number(hca.mtu_bytes), netdev(hca),
                    hca.pcie.address, hca.pcie.numa_node >= 0 ? std::to_string(hca.pcie.numa_node) : "",
                    readable_trained(hca.pcie)});
  return table(rows);
}

std::string identities(const Machine& machine) {
  Rows rows = {
      {"device", "port", "nearest GPU", "LID", "part", "firmware", "board", "node GUID", "port GUID"}};
  for (const Hca& hca : machine.hcas)
    rows.push_back({hca.device, std::to_string(hca.port), nearest(hca.nearest_gpus), number(hca.lid),
                    hca.part, hca.firmware, hca.board_id, hca.node_guid, hca.port_guid});
  return table(rows);
}

std::string gids(const Machine& machine) {
  Rows rows = {{"device", "port", "GID index", "GID", "type", "netdev"}};
  for (const Hca& hca : machine.hcas)
    for (const Gid& gid : hca.gids)
      rows.push_back(
          {hca.device, std::to_string(hca.port), std::to_string(gid.index), gid.gid, gid.type, gid.netdev});
  return rows.size() == 1 ? "" : "\n" + table(rows);
}

}  // namespace

std::string hcas_text(const Machine& machine) {
  const std::string heading = "\nRDMA devices\n";
  if (machine.hcas.empty()) return heading + "  none      /sys/class/infiniband lists no device\n";
  return heading + links(machine) + "\n" + identities(machine) + gids(machine);
}

}  // namespace assay::machine
