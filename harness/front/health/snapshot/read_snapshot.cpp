// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "harness/core/gpu_name.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/snapshot/read_platform.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/front/health/snapshot/system_answers.hpp"
#include "harness/machine/inventory/redfish.hpp"
#include "harness/machine/parts.hpp"

namespace assay::health {
namespace {

const std::string pci_devices = "/sys/bus/pci/devices/";
const std::string memory_controllers = "/sys/devices/system/edac/mc";

/// The line "TOTAL_ERR_COR 3" of an AER file (Linux,
/// Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats).
std::optional<std::uint64_t> aer_total(const machine::Tree& tree, const std::string& file,
                                       const std::string& total) {
  const auto value = machine::value_in_lines(tree.text(file), total, ' ');
  return value ? machine::count_from(*value) : std::nullopt;
}

/// The kernel counts where firmware left error reporting to it: its driver then holds the root port.
/// Elsewhere the files are there all the same, and stay at zero.
bool kernel_reports(const machine::Tree& tree, const std::string& root_port) {
  const auto services = tree.list("/sys/bus/pci_express/drivers/aer");
  return std::any_of(services.begin(), services.end(),
                     [&](const std::string& service) { return service.starts_with(root_port + ":"); });
}

void read_aer(const machine::Tree& tree, const std::string& unit, const std::string& address, bool counted,
              std::vector<Counter>& counters) {
  const std::string device = pci_devices + address + "/";
  for (const auto& [name, file, total] :
       {std::tuple{"aer_correctable", "aer_dev_correctable", "TOTAL_ERR_COR"},
        std::tuple{"aer_nonfatal", "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL"},
        std::tuple{"aer_fatal", "aer_dev_fatal", "TOTAL_ERR_FATAL"}})
    counters.push_back({unit, name, counted ? aer_total(tree, device + file, total) : std::nullopt});
}

/// Reads AER counters of every device and every bridge above it, once: an error's receiver counts it.
void read_aer(const machine::Tree& tree, const std::vector<NamedLink>& links,
              std::vector<Counter>& counters) {
  std::set<std::string> seen;
  for (const NamedLink& named : links) seen.insert(named.link.address);
  for (const NamedLink& named : links) {
    const auto& path = named.link.path;
    const bool counted = kernel_reports(tree, path.empty() ? named.link.address : path.front());
    read_aer(tree, named.unit, named.link.address, counted, counters);
    for (const std::string& bridge : path)
      if (seen.insert(bridge).second) read_aer(tree, "bridge " + bridge, bridge, counted, counters);
  }
}

void read_memory_errors(const machine::Tree& tree, std::vector<Counter>& counters) {
  for (const std::string& name : tree.list(memory_controllers)) {
    if (!name.starts_with("mc") || name == "mc") continue;
    const std::string controller = memory_controllers + "/" + name + "/";
    counters.push_back(
        {"memory controller " + name, "edac_corrected", tree.read_count(controller + "ce_count")});
    counters.push_back(
        {"memory controller " + name, "edac_uncorrected", tree.read_count(controller + "ue_count")});
  }
}

void count_nvlink_errors(const GpuState& gpu, std::vector<Counter>& counters) {
  for (const machine::Nvlink& link : gpu.nvlinks.value_or(std::vector<machine::Nvlink>{})) {
    const std::string unit = fmt::format("{} NVLink {}", gpu.unit(), link.index);
    counters.push_back({unit, "nvlink_recoveries", link.recoveries});
    if (link.receive_errors || link.integrity_errors) {
      counters.push_back({unit, "nvlink_receive_errors", link.receive_errors});
      counters.push_back({unit, "nvlink_integrity_errors", link.integrity_errors});
    } else {
      counters.push_back({unit, "nvlink_replays", link.replays});
      counters.push_back({unit, "nvlink_crc_errors", link.crc_errors});
    }
  }
}

void count_c2c_errors(const GpuState& gpu, std::vector<Counter>& counters) {
  for (const machine::C2cLink& link : gpu.c2c_links.value_or(std::vector<machine::C2cLink>{})) {
    const std::string unit = fmt::format("{} C2C {}", gpu.unit(), link.index);
    counters.push_back({unit, "c2c_crc_errors", link.crc_errors});
    counters.push_back({unit, "c2c_replays", link.replays});
    counters.push_back({unit, "c2c_repeated_replays", link.repeated_replays});
  }
}

void count_media_errors(Snapshot& snapshot) {
  for (const Drive& drive : snapshot.platform.drives)
    snapshot.counters.push_back({drive.name, media_errors_counter,
                                 drive.log ? std::optional(drive.log->media_errors) : std::nullopt});
}

std::vector<NamedLink> read_links(const machine::Tree& tree, const Snapshot& snapshot) {
  std::vector<NamedLink> named;
  std::vector<machine::PcieLink> below;
  for (const std::string& address : snapshot.pci_gpus) {
    std::string unit = core::GpuName{"", address}.text();
    for (const GpuState& gpu : snapshot.gpus)
      if (gpu.address == address) unit = gpu.unit();
    below.push_back(machine::read_link(tree, address));
    named.push_back({unit, true, below.back()});
  }
  for (const machine::Hca& hca : snapshot.hcas) {
    if (hca.software || hca.port != 1) continue;
    below.push_back(hca.pcie);
    named.push_back({hca.device + " " + hca.pcie.address, false, hca.pcie});
  }
  for (const machine::PcieLink& above : machine::read_switches(tree, below))
    named.push_back({"switch " + above.address, false, above});
  return named;
}

/// When the kernel started, in seconds since 1970; 0 where it does not say.
std::uint64_t started_s(const machine::Tree& tree) {
  constexpr std::size_t most = 4U << 20;  // a line an interrupt
  const auto began = machine::value_in_lines(tree.read("/proc/stat", most).value_or(""), "btime", ' ');
  return began ? machine::count_from(*began).value_or(0) : 0;
}

/// GPUs and adapters as the snapshot has them, and the host's own parts.
std::vector<machine::Fact> read_parts(const machine::Tree& tree, const Snapshot& snapshot,
                                      const std::string& redfish) {
  machine::Notes ignored;
  machine::Machine found;
  found.inventory = machine::read_inventory(tree, ignored);
  if (!redfish.empty()) machine::take_redfish(redfish, found.inventory);
  found.cpu.microcode = machine::value_in_lines(tree.text("/proc/cpuinfo"), "microcode", ':').value_or("");
  found.hcas = snapshot.hcas;
  for (const GpuState& state : snapshot.gpus) {
    machine::Gpu& gpu = found.gpus.emplace_back();
    gpu.index = state.index;
    gpu.name = state.name.value_or("");
    gpu.vbios = state.vbios.value_or("");
  }
  return machine::facts_of(found);
}

std::vector<std::string> read_verbs_devices(const machine::Tree& tree) {
  std::vector<std::string> devices;
  for (const std::string& node : tree.list("/sys/class/infiniband_verbs"))
    if (const auto device = tree.read("/sys/class/infiniband_verbs/" + node + "/ibdev"))
      devices.push_back(*device);
  return devices;
}

}  // namespace

std::string GpuState::unit() const {
  return core::GpuName{std::to_string(index), address.value_or("")}.text();
}

Snapshot read_snapshot(const std::string& root, const GpuReading& gpus, const std::string& redfish) {
  const machine::Tree tree(root);
  Snapshot snapshot;
  snapshot.monotonic_s = core::steady_seconds();
  snapshot.host = tree.text("/proc/sys/kernel/hostname");
  snapshot.boot_id = tree.text("/proc/sys/kernel/random/boot_id");
  snapshot.kernel_release = tree.text("/proc/sys/kernel/osrelease");
  snapshot.pci_seen = tree.exists("/sys/bus/pci/devices");
  snapshot.pci_gpus = machine::pci_devices(tree, "0x10de", {"0x0300", "0x0302"});
  snapshot.pci_adapters = machine::pci_devices(tree, "0x15b3", {"0x0200", "0x0207"});
  std::erase_if(snapshot.pci_adapters, [&](const std::string& address) {
    return tree.exists(pci_devices + address + "/physfn");  // a virtual function
  });
  snapshot.gpus_unavailable = gpus.unavailable;
  snapshot.gpus = gpus.gpus;
  snapshot.driver = machine::read_cuda_driver(tree, gpus.driver);
  snapshot.counters = gpus.counters;
  machine::Notes ignored;  // the checks report the same with evidence
  snapshot.hcas = machine::read_hcas(tree, ignored);
  snapshot.links = read_links(tree, snapshot);
  snapshot.verbs_devices = read_verbs_devices(tree);
  const SystemAnswers answers = answers_below(root);
  snapshot.ports = link::CounterReader(snapshot.hcas, root, answers.statistics).read();
  snapshot.platform = read_platform(tree, snapshot, answers);
  snapshot.parts = read_parts(tree, snapshot, redfish);
  count_media_errors(snapshot);
  for (const GpuState& gpu : snapshot.gpus) {
    count_nvlink_errors(gpu, snapshot.counters);
    count_c2c_errors(gpu, snapshot.counters);
  }
  read_aer(tree, snapshot.links, snapshot.counters);
  read_memory_errors(tree, snapshot.counters);
  snapshot.log = read_kernel_log(root);
  snapshot.manager_log = read_manager_log(root, started_s(tree));
  return snapshot;
}

}  // namespace assay::health
