// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/wire_counters.hpp"

#include <algorithm>
#include <filesystem>

#include "harness/machine/pretended_node.hpp"

namespace assay::machine {
namespace {

// ARPHRD_* of Linux, include/uapi/linux/if_arp.h. Other types are tunnels: what they send passes another
// interface.
constexpr std::int64_t ethernet = 1, infiniband_word = 32, loopback = 772;

std::string kernel_of(const Tree& tree) { return tree.text("/proc/sys/kernel/random/boot_id"); }

std::string network_namespace_of(const Tree& tree) {
  const std::string kernel = kernel_of(tree);
  const std::string name = std::filesystem::path(tree.resolve("/proc/self/ns/net")).filename();
  return kernel.empty() || name.empty() ? "" : kernel + "/" + name;
}

/// In words of 4 bytes (InfiniBand Architecture Specification, PortCounters: PortXmitData). A port without
/// the extended counters stops at the end of 32 bits.
std::optional<std::uint64_t> sent_by_port(const Tree& tree, const std::string& path) {
  constexpr std::uint64_t word_bytes = 4, full = 0xffffffff;
  const auto words = tree.read_count(path);
  return words && *words != full ? std::optional(word_bytes * *words) : std::nullopt;
}

void add_rdma(std::vector<WireCounter>& counters, const Tree& tree) {
  const std::string devices = "/sys/class/infiniband", place = kernel_of(tree);
  for (const std::string& device : tree.list(devices))
    for (const std::string& port : tree.list(devices + "/" + device + "/ports")) {
      const std::string path = devices + "/" + device + "/ports/" + port + "/counters/port_xmit_data";
      if (tree.exists(path))
        counters.push_back({Wire::rdma, device + "/" + port, place, sent_by_port(tree, path)});
    }
}

bool is_up(const Tree& tree, const std::string& interface) {
  const std::string state = tree.text(interface + "/operstate");
  return state == "up" || state == "unknown";  // loopback is of an unknown state, and down where it is down
}

bool stands_on_another(const Tree& tree, const std::string& interface) {
  return std::ranges::any_of(tree.list(interface),
                             [](const std::string& name) { return name.starts_with("lower_"); });
}

void add_net(std::vector<WireCounter>& counters, const Tree& tree) {
  const std::string interfaces = "/sys/class/net", place = network_namespace_of(tree);
  for (const std::string& name : tree.list(interfaces)) {
    const std::string interface = interfaces + "/" + name;
    const auto type = tree.read_integer(interface + "/type");
    if (type != ethernet && type != infiniband_word && type != loopback) continue;
    if (!is_up(tree, interface) || stands_on_another(tree, interface)) continue;
    counters.push_back({type == loopback ? Wire::loopback : Wire::net, name, place,
                        tree.read_count(interface + "/statistics/tx_bytes")});
  }
}

void add_nvlink(std::vector<WireCounter>& counters, const Tree& tree, const Nvml& nvml) {
  const std::string place = kernel_of(tree);
  for (int index = 0; index < nvml.device_count(); ++index) {
    const auto gpu = nvml.device(index);
    if (gpu && gpu->nvlinks_active().value_or(0) > 0)
      counters.push_back({Wire::nvlink, gpu->uuid().value_or("gpu" + std::to_string(index)), place,
                          gpu->nvlink_sent_bytes()});
  }
}

const WireCounter* find_same(const std::vector<WireCounter>& counters, const WireCounter& wanted) {
  const auto found = std::ranges::find_if(counters, [&](const WireCounter& one) {
    return one.wire == wanted.wire && one.name == wanted.name && one.place == wanted.place;
  });
  return found == counters.end() ? nullptr : &*found;
}

}  // namespace

std::string_view to_text(Wire wire) {
  switch (wire) {
    case Wire::rdma:
      return "rdma";
    case Wire::net:
      return "net";
    case Wire::loopback:
      return "loopback";
    case Wire::nvlink:
      return "nvlink";
  }
  return "unknown";
}

std::vector<WireCounter> read_wire_counters(const Tree& tree, const Nvml& nvml) {
  std::vector<WireCounter> counters;
  add_rdma(counters, tree);
  add_net(counters, tree);
  add_nvlink(counters, tree, nvml);
  return counters;
}

std::vector<WireCounter> read_wire_counters() {
  return read_wire_counters(Tree(pretended_root()), Nvml::shared());
}

std::vector<WireCounter> sent_between(const std::vector<WireCounter>& before,
                                      const std::vector<WireCounter>& after) {
  std::vector<WireCounter> sent = before;
  for (WireCounter& one : sent) {
    const WireCounter* then = find_same(after, one);
    const bool told = then != nullptr && one.bytes && then->bytes && *then->bytes >= *one.bytes;
    one.bytes = told ? std::optional(*then->bytes - *one.bytes) : std::nullopt;
  }
  for (const WireCounter& one : after)
    if (find_same(before, one) == nullptr) sent.push_back({one.wire, one.name, one.place, std::nullopt});
  return sent;
}

}  // namespace assay::machine
