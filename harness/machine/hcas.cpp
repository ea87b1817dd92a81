// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// RDMA devices and their ports, from /sys/class/infiniband.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <sstream>

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

/// No PCI device behind it; rxe names the netdev it runs on in a file of its own.
bool is_software(const Tree& tree, const std::string& device, const PcieLink& link) {
  return link.address.empty() || tree.exists(infiniband + device + "/parent");
}

/// The largest IBTA path MTU that fits a RoCE packet into the netdev's MTU. Besides the payload the kernel
/// reserves GRH 40, UDP 8, BTH 12, XRC 4, atomic 28 and ICRC 4 bytes (Linux, include/rdma/ib_addr.h).
int roce_mtu(std::int64_t netdev_mtu) {
  constexpr std::int64_t headers = 40 + 8 + 12 + 4 + 28 + 4;
  for (int mtu : {4096, 2048, 1024, 512, 256})
    if (netdev_mtu - headers >= mtu) return mtu;
  return 0;
}

/// The kernel writes it in hexadecimal: "0x1a".
int read_lid(const Tree& tree, const std::string& path) {
  const std::string text = tree.text(path);
  int lid = 0;
  if (text.starts_with("0x")) std::from_chars(text.data() + 2, text.data() + text.size(), lid, 16);
  return lid;
}

/// Unused entries of the table are all zero.
bool used(const std::string& gid) { return gid.find_first_not_of("0:") != std::string::npos; }

std::vector<Gid> read_gids(const Tree& tree, const std::string& of_port) {
  std::vector<Gid> gids;
  for (const std::string& name : tree.list(of_port + "/gids")) {
    Gid gid;
    gid.gid = tree.text(of_port + "/gids/" + name);
    if (!used(gid.gid)) continue;
    std::from_chars(name.data(), name.data() + name.size(), gid.index);
    gid.type = tree.text(of_port + "/gid_attrs/types/" + name);
    gid.netdev = tree.text(of_port + "/gid_attrs/ndevs/" + name);
    gids.push_back(std::move(gid));
  }
  return gids;
}

/// The lower half of GID 0, the form in which sysfs writes the node's GUID.
std::string port_guid(const std::vector<Gid>& gids) {
  constexpr std::size_t half = 20, whole = 39;  // fe80:0000:0000:0000:0c42:a103:00b3:1234
  return !gids.empty() && gids.front().index == 0 && gids.front().gid.size() == whole
             ? gids.front().gid.substr(half)
             : "";
}

std::vector<std::string> bond_members(const Tree& tree, const std::string& netdev) {
  std::istringstream names(netdev.empty() ? "" : tree.text("/sys/class/net/" + netdev + "/bonding/slaves"));
  return {std::istream_iterator<std::string>(names), {}};
}

void read_addresses(const Tree& tree, const std::string& of_port, Hca& hca) {
  hca.gids = read_gids(tree, of_port);
  if (hca.link_layer != "InfiniBand") return;
  hca.port_guid = port_guid(hca.gids);
  hca.lid = read_lid(tree, of_port + "/lid");
}

Hca read_port(const Tree& tree, const std::string& device, int port, const PcieLink& link) {
  const std::string of_device = infiniband + device, of_port = of_device + "/ports/" + std::to_string(port);
  Hca hca;
  hca.device = device;
  hca.port = port;
  hca.firmware = tree.text(of_device + "/fw_ver");
  hca.board_id = tree.text(of_device + "/board_id");
  hca.part = tree.text(of_device + "/hca_type");
  hca.description = tree.text(of_device + "/node_desc");
  hca.node_guid = tree.text(of_device + "/node_guid");
  hca.system_image_guid = tree.text(of_device + "/sys_image_guid");
  hca.state = after_number(tree.text(of_port + "/state"));
  hca.physical_state = after_number(tree.text(of_port + "/phys_state"));
  hca.link_layer = tree.text(of_port + "/link_layer");
  hca.rate = tree.text(of_port + "/rate");
  hca.netdev = find_netdev(tree, device, port);
  if (hca.link_layer == "Ethernet" && !hca.netdev.empty())
    hca.mtu_bytes = roce_mtu(tree.read_integer("/sys/class/net/" + hca.netdev + "/mtu").value_or(0));
  hca.bond_members = bond_members(tree, hca.netdev);
  read_addresses(tree, of_port, hca);
  hca.pcie = link;
  hca.software = is_software(tree, device, link);
  return hca;
}

/// A software device (rxe, siw) has no PCI device behind it; its link stays empty.
PcieLink link_of(const Tree& tree, const std::string& device) {
  const std::string address = std::filesystem::path(tree.resolve(infiniband + device + "/device")).filename();
  return tree.exists("/sys/bus/pci/devices/" + address) && !address.empty() ? read_link(tree, address)
                                                                            : PcieLink{};
}

void note_absence(const Tree& tree, Notes& notes) {
  const auto adapters = adapters_on_the_bus(tree);
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

std::vector<std::string> adapters_on_the_bus(const Tree& tree) {
  return pci_devices(tree, "0x15b3", {"0x0200", "0x0207"});
}

std::vector<Hca> read_hcas(const Tree& tree, Notes& notes) {
  std::vector<Hca> hcas;
  for (const std::string& device : tree.list("/sys/class/infiniband")) {
    const PcieLink link = link_of(tree, device);
    for (const std::string& name : tree.list(infiniband + device + "/ports")) {
      int port = 0;
      std::from_chars(name.data(), name.data() + name.size(), port);
      hcas.push_back(read_port(tree, device, port, link));
      if (hcas.back().state.empty())
        notes.push_back(device + " port " + name + " reports no state: whether its link is up is unknown");
    }
  }
  if (hcas.empty()) note_absence(tree, notes);
  return hcas;
}

}  // namespace assay::machine
