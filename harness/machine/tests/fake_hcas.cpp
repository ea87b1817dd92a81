// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tests/fake_hcas.hpp"

namespace assay::machine {

namespace {

const std::string class_directory = "/sys/class/infiniband/";

std::string port_directory(const std::string& device) { return class_directory + device + "/ports/1"; }

void write_gid(FakeNode& node, const std::string& device, int index, const std::string& gid,
               const std::string& type, const std::string& netdev) {
  const std::string name = std::to_string(index), directory = port_directory(device);
  node.write(directory + "/gids/" + name, gid + "\n");
  node.write(directory + "/gid_attrs/types/" + name, type + "\n");
  if (!netdev.empty()) node.write(directory + "/gid_attrs/ndevs/" + name, netdev + "\n");
}

void write_unused_gid(FakeNode& node, const std::string& device, int index) {
  const std::string name = std::to_string(index);
  node.write(port_directory(device) + "/gids/" + name, "0000:0000:0000:0000:0000:0000:0000:0000\n");
  node.make_unreadable(port_directory(device) + "/gid_attrs/types/" + name);
}

void write_roce_gids(FakeNode& node, const FakePort& port) {
  const std::string local = "fe80:0000:0000:0000:a288:c2ff:fe12:3450";
  const std::string mapped = "0000:0000:0000:0000:0000:ffff:0a00:0001";
  write_gid(node, port.device, 0, local, "IB/RoCE v1", port.netdev);
  write_gid(node, port.device, 1, local, "RoCE v2", port.netdev);
  write_gid(node, port.device, 2, mapped, "IB/RoCE v1", port.netdev);
  write_gid(node, port.device, 3, mapped, "RoCE v2", port.netdev);
  write_unused_gid(node, port.device, 4);
  node.write("/sys/class/net/" + port.netdev + "/mtu", "9000\n");
}

void write_device(FakeNode& node, const FakePort& port) {
  const std::string directory = class_directory + port.device;
  node.write(directory + "/fw_ver", "28.39.1002\n");
  node.write(directory + "/board_id", "MT_0000000838\n");
  node.write(directory + "/hca_type", "MT4129\n");
  node.write(directory + "/node_desc", "node-1 " + port.device + "\n");
  node.write(directory + "/node_guid", "a088:c203:0012:3450\n");
  node.write(directory + "/sys_image_guid", "a088:c203:0012:3450\n");
  if (port.address.empty()) return;
  const std::string pci = "/sys/devices/pci0000:10/0000:10:01.0/" + port.address;
  node.write(pci + "/vendor", "0x15b3\n");
  node.write(pci + "/class", port.ethernet ? "0x020000\n" : "0x020700\n");
  node.write(pci + "/numa_node", "1\n");
  node.link("/sys/bus/pci/devices/" + port.address,
            "../../../devices/pci0000:10/0000:10:01.0/" + port.address);
  node.link(directory + "/device", "../../../devices/pci0000:10/0000:10:01.0/" + port.address);
}

}  // namespace

void write_port(FakeNode& node, const FakePort& port) {
  write_device(node, port);
  const std::string directory = port_directory(port.device);
  node.write(directory + "/state", port.up ? "4: ACTIVE\n" : "1: DOWN\n");
  node.write(directory + "/phys_state", port.up         ? "5: LinkUp\n"
                                        : port.ethernet ? "3: Disabled\n"
                                                        : "2: Polling\n");
  node.write(directory + "/rate", port.up ? "400 Gb/sec (4X NDR)\n" : "10 Gb/sec (4X SDR)\n");
  node.write(directory + "/link_layer", port.ethernet ? "Ethernet\n" : "InfiniBand\n");
  node.write(directory + "/lid", port.ethernet || !port.up ? "0x0\n" : "0x1a\n");
  if (port.ethernet) return write_roce_gids(node, port);
  write_gid(node, port.device, 0, "fe80:0000:0000:0000:a088:c203:0012:3451", "IB/RoCE v1", "");
}

void write_rxe(FakeNode& node) {
  write_port(node, {.device = "rxe0", .ethernet = true, .up = true, .netdev = "eth0", .address = ""});
  for (const std::string name : {"fw_ver", "board_id", "hca_type"})
    node.remove(class_directory + "rxe0/" + name);
  node.write(class_directory + "rxe0/parent", "eth0\n");
  node.write(port_directory("rxe0") + "/rate", "2.5 Gb/sec (1X SDR)\n");
}

void write_bond(FakeNode& node) {
  write_port(node, {.device = "mlx5_bond_0", .ethernet = true, .up = true, .netdev = "bond0"});
  node.write("/sys/class/net/bond0/bonding/slaves", "eth0 eth1\n");
}

void write_port_counters(FakeNode& node, const std::string& device, const FakeCounters& counters) {
  for (const auto& [name, value] : counters)
    node.write(port_directory(device) + "/counters/" + name, std::to_string(value) + "\n");
}

void write_hw_counters(FakeNode& node, const std::string& device, const FakeCounters& counters) {
  node.write(port_directory(device) + "/hw_counters/lifespan", "10\n");
  for (const auto& [name, value] : counters)
    node.write(port_directory(device) + "/hw_counters/" + name, std::to_string(value) + "\n");
}

void write_statistics(FakeNode& node, const std::string& netdev, const FakeCounters& counters) {
  for (const auto& [name, value] : counters)
    node.write("/sys/class/net/" + netdev + (name.starts_with("carrier_") ? "/" : "/statistics/") + name,
               std::to_string(value) + "\n");
}

}  // namespace assay::machine
