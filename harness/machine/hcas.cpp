// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA devices and their ports, from /sys/class/infiniband.
#include <algorithm>
#include <charconv>
#include <filesystem>

#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

const std::string infiniband = "/sys/class/infiniband/";

/// "4: ACTIVE" to "ACTIVE"
std::string after_number(const std::string& text) {
  const auto colon = text.find(": ");
  return colon == std::string::npos ? text : text.substr(colon + 2);
}

/// The netdev of the port's first GID on Ethernet; on InfiniBand the IPoIB interface with this port's number.
std::string find_netdev(const Tree& tree, const std::string& device, int port) {
  const std::string of_port = infiniband + device + "/ports/" + std::to_string(port);
  if (const std::string name = tree.text(of_port + "/gid_attrs/ndevs/0"); !name.empty()) return name;
  const std::string nets = infiniband + device + "/device/net";
  for (const std::string& name : tree.list(nets))
    if (tree.read_integer(nets + "/" + name + "/dev_port").value_or(0) == port - 1) return name;
  return "";
}

/// The largest IBTA path MTU that fits a RoCE packet into the netdev's MTU. Beside the payload the kernel
/// reserves GRH 40, UDP 8, BTH 12, XRC 4, atomic 28 and ICRC 4 bytes (Linux, include/rdma/ib_addr.h).
int roce_mtu(std::int64_t netdev_mtu) {
  constexpr std::int64_t headers = 40 + 8 + 12 + 4 + 28 + 4;
  for (int mtu : {4096, 2048, 1024, 512, 256})
    if (netdev_mtu - headers >= mtu) return mtu;
  return 0;
}

Hca read_port(const Tree& tree, const std::string& device, int port, const PcieLink& link) {
  const std::string of_device = infiniband + device, of_port = of_device + "/ports/" + std::to_string(port);
  Hca hca;
  hca.device = device;
  hca.port = port;
  hca.firmware = tree.text(of_device + "/fw_ver");
  hca.board_id = tree.text(of_device + "/board_id");
  hca.state = after_number(tree.text(of_port + "/state"));
  hca.link_layer = tree.text(of_port + "/link_layer");
  hca.rate = tree.text(of_port + "/rate");
  hca.netdev = find_netdev(tree, device, port);
  if (hca.link_layer == "Ethernet" && !hca.netdev.empty())
    hca.mtu_bytes = roce_mtu(tree.read_integer("/sys/class/net/" + hca.netdev + "/mtu").value_or(0));
  hca.pcie = link;
  return hca;
}

/// A software device (rxe, siw) has no PCI device behind it; its link stays empty.
PcieLink link_of(const Tree& tree, const std::string& device) {
  const std::string address = std::filesystem::path(tree.resolve(infiniband + device + "/device")).filename();
  return tree.exists("/sys/bus/pci/devices/" + address) && !address.empty() ? read_link(tree, address)
                                                                            : PcieLink{};
}

void note_absence(const Tree& tree, Notes& notes) {
  const auto adapters = pci_devices(tree, "0x15b3", {"0x0200", "0x0207"});
  if (adapters.empty()) {
    notes.emplace_back("no RDMA device in /sys/class/infiniband: nothing can be measured over verbs");
    return;
  }
  notes.push_back(
      std::to_string(adapters.size()) + " Mellanox adapters are on the PCI bus, the first at " +
      adapters.front() +
      ", but /sys/class/infiniband is empty (is mlx5_ib loaded?): nothing can be measured over verbs");
}

}  // namespace

std::vector<Hca> read_hcas(const Tree& tree, Notes& notes) {
  std::vector<Hca> hcas;
  for (const std::string& device : tree.list("/sys/class/infiniband")) {
    const PcieLink link = link_of(tree, device);
    for (const std::string& name : tree.list(infiniband + device + "/ports")) {
      int port = 0;
      std::from_chars(name.data(), name.data() + name.size(), port);
      hcas.push_back(read_port(tree, device, port, link));
      if (hcas.back().state.empty())
        notes.push_back(device + " port " + name + " tells no state: whether its link is up is unknown");
    }
  }
  if (hcas.empty()) note_absence(tree, notes);
  return hcas;
}

}  // namespace assay::machine
