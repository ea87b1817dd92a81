// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Name, operating system, product, and whether a hypervisor or a container lies beneath.
#include <cpuid.h>

#include <array>
#include <cstring>
#include <sstream>

#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

/// The hypervisor's own signature, twelve letters at CPUID leaf 0x40000000.
std::string hypervisor_signature() {
  unsigned eax = 0;
  std::array<unsigned, 3> letters{};
  __cpuid(0x40000000, eax, letters[0], letters[1], letters[2]);
  std::array<char, 13> text{};
  std::memcpy(text.data(), letters.data(), sizeof(letters));
  return text.data();
}

std::string hypervisor_by_signature(const std::string& signature) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> known = {{{"KVMKVMKVM", "kvm"},
                                                                                {"Microsoft Hv", "hyper-v"},
                                                                                {"VMwareVMware", "vmware"},
                                                                                {"XenVMMXenVMM", "xen"},
                                                                                {"TCGTCGTCGTCG", "qemu"},
                                                                                {"bhyve bhyve ", "bhyve"}}};
  for (const auto& [written, name] : known)
    if (signature == written) return name;
  return "";
}

std::string hypervisor_by_vendor(const std::string& vendor) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> known = {{{"QEMU", "kvm"},
                                                                                {"Amazon EC2", "kvm"},
                                                                                {"Google", "kvm"},
                                                                                {"Microsoft", "hyper-v"},
                                                                                {"VMware", "vmware"},
                                                                                {"Xen", "xen"}}};
  for (const auto& [written, name] : known)
    if (vendor.find(written) != std::string::npos) return name;
  return "";
}

std::string unquoted(const std::string& text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace

std::optional<std::string> value_in_lines(const std::string& text, const std::string& name, char separator) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at)) == name) return trimmed(line.substr(at + 1));
  }
  return {};
}

std::string read_virtualization(const Tree& tree) {
  std::string flags = " ";
  flags += value_in_lines(tree.read("/proc/cpuinfo", 8 * 1024).value_or(""), "flags", ':').value_or("");
  flags += ' ';
  std::string found = "none";
  if (flags.find(" hypervisor ") != std::string::npos) {
    found = tree.is_this_machine() ? hypervisor_by_signature(hypervisor_signature()) : "";
    if (found.empty()) found = hypervisor_by_vendor(tree.text("/sys/class/dmi/id/sys_vendor"));
    if (found.empty()) found = "a hypervisor that does not say its name";
  }
  const bool container = tree.exists("/.dockerenv") || tree.exists("/run/.containerenv");
  return container ? found + ", in a container" : found;
}

void read_host(const Tree& tree, Machine& machine) {
  machine.host = tree.text("/proc/sys/kernel/hostname");
  machine.os = unquoted(value_in_lines(tree.text("/etc/os-release"), "PRETTY_NAME", '=').value_or(""));
  machine.kernel = tree.text("/proc/sys/kernel/osrelease");
  machine.virtualization = read_virtualization(tree);
  const std::string vendor = tree.text("/sys/class/dmi/id/sys_vendor");
  const std::string name = tree.text("/sys/class/dmi/id/product_name");
  machine.product = vendor + (vendor.empty() || name.empty() ? "" : " ") + name;
  if (machine.product.empty())
    machine.notes.emplace_back(
        "no product name in /sys/class/dmi/id: records cannot be grouped by server model");
}

}  // namespace assay::machine
