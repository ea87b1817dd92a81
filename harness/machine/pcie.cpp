// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// PCIe links as they trained, from sysfs. A link has two ends: its best is what both of them can do.
#include <algorithm>
#include <set>

#include "harness/core/units.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

const std::string devices = "/sys/bus/pci/devices/";

bool hexadecimal(const std::string& text, std::size_t from, std::size_t count) {
  return text.find_first_not_of("0123456789abcdef", from) >= from + count && text.size() >= from + count;
}

/// domain:bus:device.function, the domain in four digits or more
bool is_address(const std::string& name) {
  const auto colon = name.find(':');
  return colon != std::string::npos && colon >= 4 && name.size() == colon + 8 &&
         hexadecimal(name, 0, colon) && hexadecimal(name, colon + 1, 2) && name[colon + 3] == ':' &&
         hexadecimal(name, colon + 4, 2) && name[colon + 6] == '.' && hexadecimal(name, colon + 7, 1);
}

/// "32.0 GT/s PCIe"; 0 for "Unknown"
double speed(const Tree& tree, const std::string& path) { return core::leading_number(tree.text(path)); }

/// The kernel writes 255 for an unknown width.
int width(const Tree& tree, const std::string& path) {
  const auto lanes = tree.read_integer(path).value_or(0);
  return lanes > 0 && lanes <= 32 ? static_cast<int>(lanes) : 0;
}

/// Both known: the lower. Else the one that is known.
template <class Number>
Number both_can(Number one, Number other) {
  if (one == 0 || other == 0) return std::max(one, other);
  return std::min(one, other);
}

void read_path(const std::string& real, PcieLink& link) {
  for (std::size_t at = 0; at < real.size();) {
    const std::size_t end = std::min(real.find('/', at), real.size());
    const std::string part = real.substr(at, end - at);
    if (part.starts_with("pci") && part.find(':') != std::string::npos) link.host_bridge = part;
    if (is_address(part) && part != link.address) link.path.push_back(part);
    at = end + 1;
  }
}

}  // namespace

PcieLink read_link(const Tree& tree, const std::string& address) {
  PcieLink link;
  link.address = address;
  const std::string own = devices + address + "/";
  read_path(tree.resolve(devices + address), link);
  link.speed_gt_per_s = speed(tree, own + "current_link_speed");
  link.width = width(tree, own + "current_link_width");
  link.max_speed_gt_per_s = speed(tree, own + "max_link_speed");
  link.max_width = width(tree, own + "max_link_width");
  if (!link.path.empty()) {
    const std::string port = devices + link.path.back() + "/";
    link.max_speed_gt_per_s = both_can(link.max_speed_gt_per_s, speed(tree, port + "max_link_speed"));
    link.max_width = both_can(link.max_width, width(tree, port + "max_link_width"));
  }
  link.numa_node = static_cast<int>(tree.read_integer(own + "numa_node").value_or(-1));
  return link;
}

std::vector<PcieLink> read_switches(const Tree& tree, const std::vector<PcieLink>& links) {
  // A path is root port, then an upstream and a downstream port for each switch: every second is an upstream
  // port.
  std::set<std::string> upstream;
  for (const PcieLink& link : links)
    for (std::size_t at = 1; at < link.path.size(); at += 2) upstream.insert(link.path[at]);
  std::vector<PcieLink> switches;
  for (const std::string& address : upstream) switches.push_back(read_link(tree, address));
  return switches;
}

std::vector<std::string> pci_devices(const Tree& tree, const std::string& vendor,
                                     const std::vector<std::string>& classes) {
  std::vector<std::string> found;
  for (const std::string& address : tree.list("/sys/bus/pci/devices")) {
    if (tree.text(devices + address + "/vendor") != vendor) continue;
    const std::string kind = tree.text(devices + address + "/class");
    if (std::any_of(classes.begin(), classes.end(), [&](const auto& one) { return kind.starts_with(one); }))
      found.push_back(address);
  }
  return found;
}

}  // namespace assay::machine
