// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/tests/healthy_trees.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "harness/link/tests/made_up_module.hpp"

namespace assay::health {
namespace {

using machine::FakeNode;
using nlohmann::json;

void write_pci(FakeNode& node, const std::string& path, int numa, const std::string& vendor,
               const std::string& kind) {
  const std::string address = path.substr(path.rfind('/') + 1), device = "/sys/devices/" + path + "/";
  node.write(device + "vendor", vendor + "\n");
  node.write(device + "class", kind + "\n");
  node.write(device + "numa_node", std::to_string(numa) + "\n");
  for (const std::string end : {"current", "max"}) {
    node.write(device + end + "_link_speed", "32.0 GT/s PCIe\n");
    node.write(device + end + "_link_width", "16\n");
  }
  node.write(device + "aer_dev_correctable", "RxErr 0\nBadTLP 0\nBadDLLP 0\nTOTAL_ERR_COR 0\n");
  node.write(device + "aer_dev_nonfatal", "Undefined 0\nDLP 0\nTOTAL_ERR_NONFATAL 0\n");
  node.write(device + "aer_dev_fatal", "Undefined 0\nDLP 0\nTOTAL_ERR_FATAL 0\n");
  node.link("/sys/bus/pci/devices/" + address, "../../../devices/" + path);
}

/// A port's configuration of 4096 bytes, with access control that redirects nothing.
void write_port_configuration(FakeNode& node, const std::string& path) {
  std::string bytes(4096, '\0');
  bytes[256] = 13;
  bytes[258] = 1;
  node.write("/sys/devices/" + path + "/config", bytes);
}

void write_passthrough(FakeNode& node, const std::string& path) {
  node.write("/sys/devices/" + path + "/iommu_group/type", "identity\n");
}

/// The kernel's driver of error reporting holds the root port.
void write_aer_service(FakeNode& node, const std::string& root_port) {
  node.write("/sys/bus/pci_express/drivers/aer/" + root_port.substr(root_port.rfind('/') + 1) + ":pcie002",
             "");
}

void write_counters(FakeNode& node, const std::string& port) {
  for (const char* name :
       {"symbol_error", "link_error_recovery", "link_downed", "port_rcv_errors",
        "port_rcv_remote_physical_errors", "port_rcv_switch_relay_errors", "port_xmit_discards",
        "port_xmit_constraint_errors", "port_rcv_constraint_errors", "local_link_integrity_errors",
        "excessive_buffer_overrun_errors", "VL15_dropped", "port_xmit_wait"})
    node.write(port + "/counters/" + name, "0\n");
  for (const char* name : {"port_xmit_data", "port_rcv_data", "port_xmit_packets", "port_rcv_packets"})
    node.write(port + "/counters/" + name, "123456\n");
  node.write(port + "/hw_counters/lifespan", "1\n");
  for (const char* name : {"out_of_sequence", "packet_seq_err", "implied_nak_seq_err",
                           "local_ack_timeout_err", "duplicate_request", "out_of_buffer", "rnr_nak_retry_err",
                           "req_transport_retries_exceeded", "np_cnp_sent", "rp_cnp_handled"})
    node.write(port + "/hw_counters/" + name, "0\n");
}

void write_roce(FakeNode& node, const std::string& port, int index) {
  const std::string netdev = "eth" + std::to_string(index);
  const std::string local = "fe80:0000:0000:0000:a288:c2ff:fe12:3450";
  const std::string routable = fmt::format("0000:0000:0000:0000:0000:ffff:0a00:00{:02x}", index + 1);
  for (const auto& [at, gid, type] : {std::tuple{"0", local, "IB/RoCE v1"}, std::tuple{"1", local, "RoCE v2"},
                                      std::tuple{"3", routable, "RoCE v2"}}) {
    node.write(port + "/gids/" + at, gid + "\n");
    node.write(port + "/gid_attrs/types/" + std::string(at), std::string(type) + "\n");
    node.write(port + "/gid_attrs/ndevs/" + std::string(at), netdev + "\n");
  }
  node.write("/sys/class/net/" + netdev + "/mtu", "9000\n");
  node.write("/sys/class/net/" + netdev + "/carrier_down_count", "0\n");
  node.write(
      "/answers/" + netdev + ".statistics",
      "rx_corrected_bits_phy 17\nrx_pcs_symbol_err_phy 0\nrx_symbol_err_phy 0\nlink_down_events_phy 0\n");
  const link::MadeUpModule module = link::MadeUpModule::qsfp28();
  for (const auto& [place, bytes] : module.halves())
    node.write(fmt::format("/answers/{}.module.{}.{}", netdev, place.first, place.second), bytes);
}

void write_adapter(FakeNode& node, int index, const std::string& path, bool ethernet) {
  const std::string name = "mlx5_" + std::to_string(index);
  const std::string device = "/sys/devices/" + path + "/infiniband/" + name, port = device + "/ports/1";
  node.write(device + "/fw_ver", "28.39.1002\n");
  node.write(device + "/hca_type", "MT4129\n");
  node.write(port + "/state", "4: ACTIVE\n");
  node.write(port + "/phys_state", "5: LinkUp\n");
  node.write(port + "/rate", "400 Gb/sec (4X NDR)\n");
  node.write(port + "/link_layer", ethernet ? "Ethernet\n" : "InfiniBand\n");
  write_counters(node, port);
  if (ethernet)
    write_roce(node, port, index);
  else
    node.write(port + "/gids/0", "fe80:0000:0000:0000:a088:c203:0012:3451\n");
  node.link(device + "/device", "../../../" + path.substr(path.rfind('/') + 1));
  node.link("/sys/class/infiniband/" + name, "../../devices/" + path + "/infiniband/" + name);
  node.write(fmt::format("/sys/class/infiniband_verbs/uverbs{}/ibdev", index), name + "\n");
}

json gpu_row(int index, const std::string& address, int nvlinks) {
  json row{{"address", address},
           {"name", nvlinks > 0 ? "NVIDIA H100 80GB HBM3" : "NVIDIA H100 PCIe"},
           {"uuid", fmt::format("GPU-{:08x}", index)},
           {"serial", fmt::format("165000000{:04}", index)},
           {"vbios", "96.00.99.00.01"},
           {"ecc_enabled", true},
           {"mig_enabled", false},
           {"persistence_enabled", true},
           {"power_limit_w", 700.0},
           {"default_power_limit_w", 700.0},
           {"processes", json::array()},
           {"sram_threshold_exceeded", false},
           {"remapped_rows", {{"corrected", 0}, {"uncorrected", 0}, {"pending", false}, {"failed", false}}},
           {"recovery_action", 0},
           {"fabric_state", nvlinks > 0 ? 3 : 0},
           {"fabric_status", 0},
           {"fabric_health", {{"mask", nvlinks > 0 ? 0x51aa : 0}, {"summary", nvlinks > 0 ? 1 : 0}}},
           {"clocks_event_reasons", 1},
           {"nvlinks", json::array()}};
  for (const char* counter :
       {"ecc_corrected", "ecc_uncorrected", "ecc_corrected_lifetime", "ecc_uncorrected_lifetime",
        "pcie_replays", "throttled_sw_thermal_ns", "throttled_hw_thermal_ns", "throttled_power_brake_ns"})
    row[counter] = 0;
  for (int link = 0; link < nvlinks; ++link)
    row["nvlinks"].push_back(
        {{"index", link}, {"active", true}, {"replays", 0}, {"recoveries", 0}, {"crc_errors", 0}});
  return row;
}

/// Two memory modules and a power supply, as dmidecode prints them.
void write_parts(FakeNode& node) {
  std::string dump =
      "Handle 0x0000, DMI type 0, 26 bytes\nBIOS Information\n\tVendor: Example\n\tVersion: 2.4a\n";
  for (const char* slot : {"A1", "B1"})
    dump += fmt::format(
        "Handle 0x0011, DMI type 17, 92 bytes\n\tSize: 64 GB\n\tLocator: {}\n\tType: DDR5\n\tSpeed: 4800 "
        "MT/s\n",
        slot);
  dump +=
      "Handle 0x0020, DMI type 39, 22 bytes\n\tLocation: PSU1\n\tMax Power Capacity: 3000 W\n\tStatus: "
      "Present, "
      "OK\n";
  node.write("/answers/dmidecode", dump);
  node.write("/proc/cpuinfo", "processor\t: 0\nmicrocode\t: 0x2b000603\n");
}

void write_host(FakeNode& node) {
  write_parts(node);
  node.write("/proc/sys/kernel/random/boot_id", "6a6c1d1e-0000-4000-8000-000000000001\n");
  node.write("/sys/bus/pci/devices/.keep", "");
  for (const std::string controller : {"mc0", "mc1"}) {
    node.write("/sys/devices/system/edac/mc/" + controller + "/ce_count", "0\n");
    node.write("/sys/devices/system/edac/mc/" + controller + "/ue_count", "0\n");
  }
  node.write("/proc/mounts", "/dev/nvme0n1p2 / ext4 rw 0 0\nproc /proc proc rw 0 0\n");
  node.write("/answers/space", "/ 1000000000000 600000000000 1000000 900000\n");
  node.write("/answers/clock", "8193 3 1500\n");
  node.write("/proc/811/comm", "chronyd\n");
  node.write("/sys/class/nvme/nvme0/model", "made up\n");
  std::string smart(512, '\0');
  smart[1] = 0x36, smart[2] = 0x01;  // 310 K
  smart[3] = 100, smart[4] = 10, smart[5] = 7;
  node.write("/answers/nvme0.smart", smart);
  node.write("/dev/kmsg",
             "5,0,0,-;Linux version 6.1.0-28-amd64\n6,1,1000,-;Command line: quiet\n SUBSYSTEM=none\n"
             "6,2,5000000,-;nvidia: loading out-of-tree module\n");
}

/// NVIDIA's driver with its kernel module for peer memory.
void write_driver(FakeNode& node) {
  node.write("/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025\n");
  node.write("/sys/module/nvidia_peermem/version", "580.95.05\n");
}

void write_nvswitches(FakeNode& node) {
  for (int index = 1; index <= 4; ++index)
    write_pci(node, fmt::format("pci0000:c0/0000:c0:0{0}.0/0000:c{0}:00.0", index), 0, "0x10de", "0x068000");
  node.write("/proc/4242/comm", "nv-fabricmanage\n");
  node.write("/answers/fabric_manager", "580.95.05\n");
  node.write("/proc/stat", "cpu  1 0 1 9 0 0 0 0 0 0\nbtime 1764400000\n");  // 2025-11-29
  node.write(
      "/var/log/fabricmanager.log",
      "[Jul 09 2024 18:14:07] [ERROR] [tid 12727] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch "
      "pci bus id 00000000:c1:00.0 physical id 3 port 33\n"  // of an earlier start
      "[Dec 02 2025 08:00:01] [INFO] [tid 1803] Received an inband message\n");
}

json build_hgx(FakeNode& node, bool ethernet) {
  json gpus = json::array();
  write_driver(node);
  write_nvswitches(node);
  for (int index = 0; index < 8; ++index) {
    const int bus = index + 1, numa = index / 4;
    const std::string port = fmt::format("pci0000:{0}0/0000:{0}0:01.0", bus);
    const std::string upstream = fmt::format("{}/0000:{}1:00.0", port, bus);
    const std::string above_gpu = fmt::format("{}/0000:{}2:00.0", upstream, bus);
    const std::string above_adapter = fmt::format("{}/0000:{}2:01.0", upstream, bus);
    write_aer_service(node, port);
    for (const std::string& bridge : {port, upstream, above_gpu, above_adapter})
      write_pci(node, bridge, numa, "0x1000", "0x060400");
    const std::string gpu = fmt::format("0000:{}3:00.0", bus), adapter = fmt::format("0000:{}5:00.0", bus);
    write_pci(node, above_gpu + "/" + gpu, numa, "0x10de", "0x030200");
    write_pci(node, above_adapter + "/" + adapter, numa, "0x15b3", ethernet ? "0x020000" : "0x020700");
    for (const std::string& bridge : {above_gpu, above_adapter}) write_port_configuration(node, bridge);
    for (const std::string& device : {above_gpu + "/" + gpu, above_adapter + "/" + adapter})
      write_passthrough(node, device);
    write_adapter(node, index, above_adapter + "/" + adapter, ethernet);
    gpus.push_back(gpu_row(index, gpu, 18));
  }
  return gpus;
}

json build_pcie(FakeNode& node) {
  json gpus = json::array();
  write_driver(node);
  for (int index = 0; index < 2; ++index) {
    const std::string port = fmt::format("pci0000:{0}0/0000:{0}0:01.0", index + 1);
    const std::string gpu = fmt::format("0000:{}1:00.0", index + 1);
    write_pci(node, port, index, "0x8086", "0x060400");
    write_aer_service(node, port);
    write_pci(node, port + "/" + gpu, index, "0x10de", "0x030200");
    gpus.push_back(gpu_row(index, gpu, 0));
  }
  write_pci(node, "pci0000:30/0000:30:01.0", 0, "0x8086", "0x060400");
  write_aer_service(node, "pci0000:30/0000:30:01.0");
  write_pci(node, "pci0000:30/0000:30:01.0/0000:31:00.0", 0, "0x15b3", "0x020000");
  write_adapter(node, 0, "pci0000:30/0000:30:01.0/0000:31:00.0", true);
  return gpus;
}

}  // namespace

json build_healthy(const std::string& tree, FakeNode& node) {
  write_host(node);
  if (tree == "hgx_ib") return {{"gpus", build_hgx(node, false)}};
  if (tree == "hgx_roce") return {{"gpus", build_hgx(node, true)}};
  if (tree == "pcie") return {{"gpus", build_pcie(node)}};
  if (tree == "host")
    return {{"unavailable", "libnvidia-ml.so.1: cannot open shared object file"}, {"gpus", json::array()}};
  throw std::runtime_error("no healthy tree is named " + tree);
}

std::string expectation_of(const std::string& tree) {
  const std::string source = "source = \"the test's own tree\"\n";
  const std::string hgx =
      source + "gpus = 8\nnvlinks = 18\nadapters = 8\nrate_gbit_per_s = 400\ngpu_name = \"H100\"\n";
  if (tree == "hgx_ib") return hgx + "link_layer = \"InfiniBand\"\n";
  if (tree == "hgx_roce") return hgx + "link_layer = \"Ethernet\"\nmtu_bytes = 4096\n";
  if (tree == "pcie") return source + "gpus = 2\nnvlinks = 0\nadapters = 1\n";
  return source + "gpus = 0\nadapters = 0\n";
}

}  // namespace assay::health
