// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The text of `assay machine`: one paragraph a part; everything that is absent has its reason next to it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string>

#include "harness/machine/cpu_list.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/machine/describe/describe_hcas.hpp"
#include "harness/machine/describe/describe_inventory.hpp"
#include "harness/machine/gpu_support.hpp"
#include "harness/machine/readable.hpp"

namespace assay::machine {

namespace {

constexpr std::size_t line_width = 110;

/// Parts joined by `separator`, the empty ones left out.
std::string joined(const std::vector<std::string>& parts, const std::string& separator) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : separator) + part;
  return text;
}

std::string said(const std::string& before, const std::string& value, const std::string& after = "") {
  return value.empty() ? "" : before + value + after;
}

std::string whole(double value, const std::string& unit) {
  return value > 0 ? fmt::format("{:.0f}{}", value, unit) : "";
}

std::string mhz(const std::optional<double>& value) { return whole(value.value_or(0), " MHz"); }

std::string line(const std::string& label, const std::string& value) {
  return value.empty() ? "" : "  " + padded(label, 9) + " " + wrapped(value, line_width - 12, 12) + "\n";
}

std::string heading(const Machine& machine) {
  const std::string under =
      machine.virtualization == "none" ? "bare metal" : said("virtualization ", machine.virtualization);
  return joined({machine.host, machine.product}, " · ") + "\n" +
         joined({machine.os, said("kernel ", machine.kernel), under}, ", ") + "\n";
}

std::string processor(const Cpu& cpu) {
  std::vector<std::string> caches;
  for (const Cache& cache : cpu.caches)
    caches.push_back(
        fmt::format("{} {} x {}", readable_cache_name(cache), readable_bytes(cache.bytes), cache.instances));
  std::vector<std::string> counts = {said("", cpu.cores > 0 ? std::to_string(cpu.cores) : "", " cores"),
                                     fmt::format("{} threads", cpu.threads)};
  const std::string boost = !cpu.boost ? "" : *cpu.boost ? "boost on" : "boost off";
  const std::string identity =
      fmt::format("family {} model {} stepping {}", cpu.family, cpu.model_number, cpu.stepping);
  return "\nProcessor\n" +
         line("model", joined({(cpu.sockets > 1 ? fmt::format("{} x ", cpu.sockets) : "") + cpu.model,
                               joined(counts, ", ")},
                              ": ")) +
         line("identity", joined({identity, said("microcode ", cpu.microcode)}, ", ")) +
         line("clock", joined({said("base ", mhz(cpu.base_mhz)), said("maximum ", mhz(cpu.max_mhz)),
                               said("now ", mhz(cpu.current_mhz)), said("governor ", cpu.governor), boost},
                              ", ")) +
         line("caches", joined(caches, ", ")) + line("features", joined(cpu.features, " "));
}

std::string numa_table(const std::vector<NumaNode>& nodes) {
  std::vector<std::vector<std::string>> rows = {{"node", "socket", "memory", "cores", "CPUs", "distances"}};
  for (const NumaNode& node : nodes) {
    std::vector<std::string> distances;
    for (int distance : node.distances) distances.push_back(std::to_string(distance));
    rows.push_back({std::to_string(node.id), node.socket >= 0 ? std::to_string(node.socket) : "-",
                    readable_bytes(node.bytes), std::to_string(node.cores), format_cpu_list(node.cpus),
                    joined(distances, " ")});
  }
  return table(rows);
}

std::string memory(const Machine& machine) {
  const Memory& memory = machine.memory;
  std::vector<std::string> pools;
  for (const auto& [page_bytes, free] : memory.huge_page_pools)
    pools.push_back(fmt::format("{} of {}", free, readable_bytes(page_bytes)));
  const std::string limit =
      memory.limit_bytes ? "limited by its control group to " + readable_bytes(*memory.limit_bytes) : "";
  return "\nMemory\n" +
         line("size", joined({readable_bytes(memory.bytes), limit,
                              readable_bytes(memory.available_bytes) + " available"},
                             ", ")) +
         line("pages", joined({readable_bytes(memory.page_bytes),
                               said("transparent huge pages: ", memory.transparent_huge_pages),
                               said("free huge pages: ", joined(pools, ", "))},
                              "; ")) +
         (machine.numa.empty() ? line("nodes", "unknown: memory is taken as one NUMA node")
                               : numa_table(machine.numa));
}

std::string node_name(const PcieLink& link) {
  return link.numa_node >= 0 ? std::to_string(link.numa_node) : "";
}

std::string now_of(double now, double most, const std::string& unit) {
  if (now > 0 && most > 0) return fmt::format("{:.0f} of {:.0f}{}", now, most, unit);
  return whole(std::max(now, most), unit);
}

/// The lines about a driver on which programs of this build do not start by themselves.
std::string old_driver(const Machine& machine) {
  if (machine.driver_too_old.empty()) return "";
  return "\n" + line("driver", machine.driver_too_old) +
         line("here", said("assay run takes the forward-compatibility libraries of ", machine.cuda_compat));
}

/// A line for each kind of GPU: how far assay can be trusted on it.
std::string support(const Machine& machine) {
  std::set<std::string> lines;
  for (const Gpu& gpu : machine.gpus) {
    const GpuSupport support = support_of(gpu);
    lines.insert(line("assay on it", fmt::format("{}: {}", support.word, support.why)));
  }
  return fmt::format("\n{}", fmt::join(lines, ""));
}

std::string gpus(const Machine& machine) {
  if (machine.gpus.empty()) return "\nGPUs\n" + line("none", machine.gpu_unavailable) + old_driver(machine);
  std::vector<std::vector<std::string>> devices = {
      {"GPU", "name", "PCI", "node", "link", "NVLinks", "SMs", "memory"}};
  std::vector<std::vector<std::string>> states = {{"GPU", "SM clock", "memory clock", "power limit",
                                                   "temperature", "ECC", "MIG", "persistence", "serial",
                                                   "VBIOS"}};
  for (const Gpu& gpu : machine.gpus) {
    const std::string index = std::to_string(gpu.index);
    devices.push_back({index, gpu.name, gpu.pcie.address, node_name(gpu.pcie), readable_trained(gpu.pcie),
                       gpu.nvlinks_active ? std::to_string(*gpu.nvlinks_active) : "", whole(gpu.sm_count, ""),
                       gpu.memory_bytes > 0 ? readable_bytes(gpu.memory_bytes) : ""});
    states.push_back({index, now_of(gpu.sm_clock_mhz, gpu.max_sm_clock_mhz, " MHz"),
                      now_of(gpu.memory_clock_mhz, gpu.max_memory_clock_mhz, " MHz"),
                      now_of(gpu.power_limit_w, gpu.default_power_limit_w, " W"),
                      whole(gpu.temperature_c, " C"), gpu.ecc_mode, gpu.mig_mode, gpu.persistence_mode,
                      gpu.serial, gpu.vbios});
  }
  return "\nGPUs\n" + table(devices) + "\n" + table(states) + support(machine) + old_driver(machine);
}

std::string switches(const Machine& machine) {
  if (machine.switches.empty()) return "";
  std::vector<std::vector<std::string>> rows = {{"upstream port", "below", "node", "link"}};
  for (const PcieLink& one : machine.switches)
    rows.push_back({one.address, one.path.empty() ? one.host_bridge : one.path.back(), node_name(one),
                    readable_trained(one)});
  return "\nPCIe switches\n" + table(rows);
}

/// Names of the devices at the PCI addresses that distances refer to, in the order in which they are listed.
std::vector<std::pair<std::string, std::string>> named_addresses(const Machine& machine) {
  std::vector<std::pair<std::string, std::string>> named;
  for (const Gpu& gpu : machine.gpus) named.emplace_back(gpu.pcie.address, "GPU" + std::to_string(gpu.index));
  for (const Hca& hca : machine.hcas)
    if (!hca.pcie.address.empty() && (named.empty() || named.back().first != hca.pcie.address))
      named.emplace_back(hca.pcie.address, hca.device);
  return named;
}

std::string distances(const Machine& machine) {
  if (machine.distances.empty()) return "";
  std::map<std::pair<std::string, std::string>, std::string> between;
  for (const Distance& one : machine.distances) {
    between[{one.from, one.to}] = one.distance;
    between[{one.to, one.from}] = one.distance;
  }
  const auto devices = named_addresses(machine);
  std::vector<std::vector<std::string>> rows(1, {""});
  for (const auto& [address, name] : devices) rows.front().push_back(name);
  for (const auto& [from, name] : devices) {
    rows.push_back({name});
    for (const auto& [to, other] : devices) {
      const auto found = between.find({from, to});
      rows.back().push_back(from == to ? "-" : found == between.end() ? "?" : found->second);
    }
  }
  return "\nDistances over PCIe\n" + table(rows) +
         "  PIX one switch at most, PXB several, PHB one host bridge, NODE one NUMA node, SYS between NUMA "
         "nodes\n";
}

std::string versions_and_notes(const Machine& machine) {
  std::string text = machine.versions.empty() ? "" : "\nVersions\n";
  for (const Version& one : machine.versions)
    text += "  " + padded(one.component, 14) + " " + one.version + "\n";
  if (!machine.notes.empty()) text += "\nNot reported by this machine\n";
  for (const std::string& note : machine.notes) text += "  - " + wrapped(note, line_width - 4, 4) + "\n";
  return text;
}

}  // namespace

std::string to_text(const Machine& machine) {
  return heading(machine) + processor(machine.cpu) + memory(machine) + inventory_text(machine) +
         gpus(machine) + hcas_text(machine) + switches(machine) + distances(machine) +
         versions_and_notes(machine);
}

}  // namespace assay::machine
