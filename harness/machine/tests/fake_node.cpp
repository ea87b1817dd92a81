// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tests/fake_node.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <fstream>
#include <stdexcept>

namespace assay::machine {

namespace {

const std::string cpu_directory = "/sys/devices/system/cpu/";

/// CPUs 0-3 are the first threads of cores 0-3, CPUs 4-7 the second ones; cores 0 and 1 are socket 0.
void write_cpu(FakeNode& node, int cpu) {
  const int core = cpu % 4, socket = core / 2;
  const std::string one = cpu_directory + "cpu" + std::to_string(cpu) + "/";
  const std::string siblings = fmt::format("{},{}", core, core + 4);
  const std::string socket_cpus = socket == 0 ? "0-1,4-5" : "2-3,6-7";
  node.write(one + "topology/thread_siblings_list", siblings + "\n");
  node.write(one + "topology/physical_package_id", std::to_string(socket) + "\n");
  const auto cache = [&](int index, int level, const std::string& type, const std::string& size,
                         const std::string& cpus) {
    const std::string directory = one + "cache/index" + std::to_string(index) + "/";
    node.write(directory + "level", std::to_string(level) + "\n");
    node.write(directory + "type", type + "\n");
    node.write(directory + "size", size + "\n");
    node.write(directory + "coherency_line_size", "64\n");
    node.write(directory + "shared_cpu_list", cpus + "\n");
  };
  cache(0, 1, "Data", "48K", siblings);
  cache(1, 1, "Instruction", "32K", siblings);
  cache(2, 2, "Unified", "2048K", siblings);
  cache(3, 3, "Unified", "105M", socket_cpus);
}

void write_clocks(FakeNode& node) {
  const std::string cpufreq = cpu_directory + "cpu0/cpufreq/";
  node.write(cpufreq + "base_frequency", "2000000\n");
  node.write(cpufreq + "cpuinfo_max_freq", "3800000\n");
  node.write(cpufreq + "scaling_cur_freq", "2900000\n");
  node.write(cpufreq + "scaling_governor", "performance\n");
  node.write(cpu_directory + "intel_pstate/no_turbo", "0\n");
}

void write_memory(FakeNode& node) {
  node.write("/proc/meminfo",
             "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:   12582912 kB\n");
  node.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  node.write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "512\n");
  node.write("/sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "3\n");
  node.write("/proc/self/cgroup", "0::/user.slice/job\n");
  for (int id : {0, 1}) {
    const std::string directory = "/sys/devices/system/node/node" + std::to_string(id) + "/";
    node.write(directory + "meminfo",
               fmt::format("Node {0} MemTotal: 8388608 kB\nNode {0} MemFree: 1 kB\n", id));
    node.write(directory + "cpulist", id == 0 ? "0-1,4-5\n" : "2-3,6-7\n");
    node.write(directory + "distance", id == 0 ? "10 21\n" : "21 10\n");
  }
  node.write("/sys/devices/system/node/possible", "0-1\n");
}

struct Port {
  std::string vendor = "0x8086", kind = "0x060400", speed = "32.0 GT/s PCIe", best_speed = "32.0 GT/s PCIe";
  int width = 16, best_width = 16;
};

/// A PCI device at `path` below /sys/devices, and the kernel's link to it by address.
void write_pci(FakeNode& node, const std::string& path, int numa, const Port& port) {
  const std::string address = path.substr(path.rfind('/') + 1), directory = "/sys/devices/" + path + "/";
  node.write(directory + "vendor", port.vendor + "\n");
  node.write(directory + "class", port.kind + "\n");
  node.write(directory + "numa_node", std::to_string(numa) + "\n");
  node.write(directory + "current_link_speed", port.speed + "\n");
  node.write(directory + "max_link_speed", port.best_speed + "\n");
  node.write(directory + "current_link_width", std::to_string(port.width) + "\n");
  node.write(directory + "max_link_width", std::to_string(port.best_width) + "\n");
  node.link("/sys/bus/pci/devices/" + address, "../../../devices/" + path);
}

void write_hca(FakeNode& node, int index, const std::string& path) {
  const bool ethernet = index >= 4, up = index != 7;
  const std::string name = "mlx5_" + std::to_string(index);
  const std::string directory = "/sys/devices/" + path + "/infiniband/" + name + "/";
  node.write(directory + "fw_ver", "28.39.1002\n");
  node.write(directory + "board_id", "MT_0000000838\n");
  node.write(directory + "ports/1/state", up ? "4: ACTIVE\n" : "1: DOWN\n");
  node.write(directory + "ports/1/rate", up ? "400 Gb/sec (4X NDR)\n" : "40 Gb/sec (4X QDR)\n");
  node.write(directory + "ports/1/link_layer", ethernet ? "Ethernet\n" : "InfiniBand\n");
  node.link(directory + "device", "../../../" + path.substr(path.rfind('/') + 1));
  node.link("/sys/class/infiniband/" + name, "../../devices/" + path + "/infiniband/" + name);
  if (!ethernet) return;
  const std::string netdev = "eth" + std::to_string(index);
  node.write(directory + "ports/1/gid_attrs/ndevs/0", netdev + "\n");
  node.write("/sys/class/net/" + netdev + "/mtu", index == 5 ? "1500\n" : "9000\n");
}

}  // namespace

FakeNode::FakeNode() {
  // Hundreds of small files a test: memory takes them a hundred times faster than a busy disk.
  for (const std::filesystem::path& base :
       {std::filesystem::path("/dev/shm"), std::filesystem::temp_directory_path()}) {
    std::string pattern = (base / "assay-machine-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) continue;
    root_ = pattern;
    return;
  }
  throw std::runtime_error("no temporary directory");
}

FakeNode::~FakeNode() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void FakeNode::write(const std::string& path, const std::string& text) {
  const std::filesystem::path file = root().append(path);
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

void FakeNode::link(const std::string& path, const std::string& target) {
  const std::filesystem::path file = root().append(path);
  std::filesystem::create_directories(file.parent_path());
  std::filesystem::create_symlink(target, file);
}

void FakeNode::remove(const std::string& path) { std::filesystem::remove_all(root().append(path)); }

void FakeNode::make_unreadable(const std::string& path) {
  remove(path);
  std::filesystem::create_directories(root().append(path));
}

void build_two_sockets(FakeNode& node) {
  node.write("/proc/cpuinfo",
             "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
             "model name\t: Intel(R) Xeon(R) Platinum 8480C\nstepping\t: 8\nmicrocode\t: 0x2b000603\n"
             "cpu MHz\t\t: 2000.000\nflags\t\t: fpu avx2 fma avx512f avx512_bf16 amx_tile amx_bf16 erms\n\n"
             "processor\t: 1\nmodel name\t: another\n");
  node.write(cpu_directory + "online", "0-7\n");
  for (int cpu = 0; cpu < 8; ++cpu) write_cpu(node, cpu);
  write_clocks(node);
  write_memory(node);
  node.write("/proc/sys/kernel/hostname", "node-1\n");
  node.write("/proc/sys/kernel/osrelease", "6.1.0-28-amd64\n");
  node.write("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  node.write("/sys/class/dmi/id/sys_vendor", "Example\n");
  node.write("/sys/class/dmi/id/product_name", "GX-8\n");
}

std::string gpu_address(int index) { return fmt::format("0000:{}3:00.0", index + 1); }
std::string hca_address(int index) { return fmt::format("0000:{}{}:00.0", index + 1, index == 3 ? 7 : 5); }

void build_gpus_and_hcas(FakeNode& node) {
  for (int index = 0; index < 8; ++index) {
    const int bus = index + 1, numa = index / 4;
    Port gpu{.vendor = "0x10de", .kind = "0x030200"}, hca{.vendor = "0x15b3", .kind = "0x020700"}, uplink;
    if (index == 1) uplink.speed = "8.0 GT/s PCIe";
    if (index == 2) hca.speed = "16.0 GT/s PCIe";
    if (index == 5) gpu.width = 8;
    const std::string root = fmt::format("pci0000:{0}0/0000:{0}0:01.0", bus);
    const std::string upstream = fmt::format("{}/0000:{}1:00.0", root, bus);
    write_pci(node, root, numa, {});
    std::string above_gpu = fmt::format("{}/0000:{}2:00.0", upstream, bus);
    std::string above_hca = fmt::format("{}/0000:{}2:01.0", upstream, bus);
    if (index == 6) {
      above_gpu = root;
      above_hca = fmt::format("pci0000:{0}0/0000:{0}0:02.0", bus);
    } else {
      write_pci(node, upstream, numa, uplink);
      write_pci(node, above_gpu, numa, {});
    }
    write_pci(node, above_hca, numa, {});
    if (index == 3) {
      above_hca += "/0000:45:00.0";
      write_pci(node, above_hca, numa, {});
      above_hca += "/0000:46:00.0";
      write_pci(node, above_hca, numa, {});
    }
    write_pci(node, above_gpu + "/" + gpu_address(index), numa, gpu);
    write_pci(node, above_hca + "/" + hca_address(index), numa, hca);
    write_hca(node, index, above_hca + "/" + hca_address(index));
  }
}

}  // namespace assay::machine
