// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/snapshot/read_platform.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/front/health/checks/checks.hpp"
#include "harness/front/health/job/job_needs.hpp"
#include "harness/machine/parts.hpp"

namespace assay::health {
namespace {

const std::string pci_devices_of_bus = "/sys/bus/pci/devices/";

/// `size` bytes, the lowest first.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

std::vector<std::string> running_services(const machine::Tree& tree) {
  std::set<std::string> wanted(std::begin(clock_services), std::end(clock_services));
  wanted.insert(fabric_manager_service);
  std::set<std::string> found;
  for (const std::string& process : tree.list("/proc"))
    if (machine::count_from(process))
      if (const std::string name = tree.text("/proc/" + process + "/comm"); wanted.contains(name))
        found.insert(name);
  return {found.begin(), found.end()};
}

/// Ports below the switch that a GPU shares with an adapter: what goes from one to the other passes them.
std::vector<std::string> ports_between(const std::vector<NamedLink>& links) {
  std::set<std::string> between;
  constexpr std::ptrdiff_t below_switch = 2;  // behind root port and upstream port
  for (const NamedLink& gpu : links)
    for (const NamedLink& adapter : links) {
      if (!gpu.of_gpu || adapter.of_gpu || adapter.unit.starts_with("switch")) continue;
      if (!same_switch(gpu.link, adapter.link)) continue;
      for (const auto* path : {&gpu.link.path, &adapter.link.path})
        between.insert(path->begin() + below_switch, path->end());
    }
  return {between.begin(), between.end()};
}

std::vector<IommuDomain> read_iommu(const machine::Tree& tree, const std::vector<NamedLink>& links) {
  std::vector<IommuDomain> domains;
  for (const NamedLink& named : links) {
    if (named.unit.starts_with("switch")) continue;
    const std::string group = pci_devices_of_bus + named.link.address + "/iommu_group";
    domains.push_back({named.unit, tree.exists(group), tree.text(group + "/type")});
  }
  return domains;
}

std::vector<Drive> read_drives(const machine::Tree& tree, const SystemAnswers& answers) {
  std::vector<Drive> drives;
  for (const std::string& name : tree.list("/sys/class/nvme"))
    drives.push_back({name, parse_smart_log(answers.smart_log(name))});
  return drives;
}

std::vector<PortModule> read_modules(const std::vector<machine::Hca>& hcas, const SystemAnswers& answers) {
  std::vector<PortModule> modules;
  for (const machine::Hca& hca : hcas) {
    if (hca.software || hca.link_layer != "Ethernet" || hca.netdev.empty()) continue;
    for (const std::string& netdev :
         hca.bond_members.empty() ? std::vector<std::string>{hca.netdev} : hca.bond_members)
      modules.push_back({unit_of(hca), netdev, link::read_module(answers.module(netdev))});
  }
  return modules;
}

}  // namespace

bool Platform::runs(const std::string& service) const {
  return std::ranges::find(services, service) != services.end();
}

std::optional<SmartLog> parse_smart_log(const std::string& page) {
  constexpr std::size_t page_bytes = 512;
  if (page.size() != page_bytes) return {};
  const auto at = [&](std::size_t place, std::size_t size) { return little_endian(page, place, size); };
  constexpr int zero_celsius = 273;
  SmartLog log{.warnings = static_cast<unsigned>(at(0, 1)),
               .temperature_c = static_cast<int>(at(1, 2)) - zero_celsius,
               .spare_percent = static_cast<unsigned>(at(3, 1)),
               .least_spare_percent = static_cast<unsigned>(at(4, 1)),
               .used_percent = static_cast<unsigned>(at(5, 1)),
               .written_bytes = static_cast<double>(at(48, 8)) * 512'000,
               .media_errors = at(160, 8)};
  // No drive reports these: the page was not filled in, or is all ones.
  const bool possible =
      log.spare_percent <= 100 && log.least_spare_percent <= 100 && log.temperature_c > -100;
  return possible ? std::optional(log) : std::nullopt;
}

/// Extended capabilities begin at 256, each with id, version and place of the next; access control is 13
/// (PCI Express Base Specification 5.0, 7.7.8).
Bridge parse_access_control(const std::string& address, const std::string& configuration) {
  constexpr std::size_t first = 256, whole = 4096, id_of_access_control = 13, control_at = 6;
  Bridge bridge{.address = address, .why_unknown = {}, .acs_control = {}};
  if (configuration.size() < whole) {
    bridge.why_unknown = "its configuration can be read by root only";
    return bridge;
  }
  std::set<std::size_t> seen;
  for (std::size_t at = first; at >= first && at + 8 <= whole && seen.insert(at).second;) {
    const auto head = little_endian(configuration, at, 4);
    if (head == 0xffffffff) bridge.why_unknown = "it does not answer";
    if (head == 0 || head == 0xffffffff) break;
    if ((head & 0xffff) == id_of_access_control)
      bridge.acs_control = static_cast<unsigned>(little_endian(configuration, at + control_at, 2));
    at = head >> 20 & ~std::uint64_t{3};
  }
  return bridge;
}

std::vector<std::string> writable_mounts(const std::string& text) {
  std::vector<std::string> mounts;
  std::set<std::string> devices;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, mount, kind, options;
    if (!(words >> device >> mount >> kind >> options)) continue;
    const bool counts = mount == "/" || device.starts_with("/dev/");
    if (!counts || ("," + options + ",").find(",ro,") != std::string::npos) continue;
    if (devices.insert(device).second) mounts.push_back(mount);
  }
  return mounts;
}

std::optional<std::uint64_t> parse_limit(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(name + " ")) continue;
    std::istringstream words(line.substr(name.size()));
    std::string soft;
    words >> soft;
    return soft == "unlimited" ? unlimited : machine::count_from(soft);
  }
  return {};
}

Platform read_platform(const machine::Tree& tree, const Snapshot& snapshot, const SystemAnswers& answers) {
  Platform platform;
  platform.nvswitches = machine::pci_devices(tree, "0x10de", {"0x0680"});
  platform.services = running_services(tree);
  if (!platform.nvswitches.empty()) platform.fabric_manager_version = answers.fabric_manager_version();
  platform.driver_text = tree.text("/proc/driver/nvidia/version");
  platform.driver_version = machine::loaded_driver(tree);
  platform.peer_memory = tree.exists("/sys/module/nvidia_peermem") || tree.exists("/sys/module/nv_peer_mem");
  for (const std::string& port : ports_between(snapshot.links)) {
    constexpr std::size_t configuration_bytes = 4096;
    platform.bridges.push_back(parse_access_control(
        port, tree.read_bytes(pci_devices_of_bus + port + "/config", configuration_bytes).value_or("")));
  }
  platform.iommu = read_iommu(tree, snapshot.links);
  platform.clock = answers.clock();
  constexpr std::size_t most_of_mounts = 4U << 20;
  platform.mounts_seen = tree.exists("/proc/mounts");
  for (const std::string& mount : writable_mounts(tree.read("/proc/mounts", most_of_mounts).value_or("")))
    platform.file_systems.push_back({mount, answers.space(mount)});
  const std::string limits = tree.text("/proc/self/limits");
  platform.locked_bytes = parse_limit(limits, "Max locked memory");
  platform.open_files = parse_limit(limits, "Max open files");
  platform.shared_memory = answers.space("/dev/shm");
  platform.drives = read_drives(tree, answers);
  platform.modules = read_modules(snapshot.hcas, answers);
  return platform;
}

}  // namespace assay::health
