// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/device.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>

#include "harness/core/error.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

struct FreeDeviceList {
  void operator()(ibv_device** list) const noexcept { ibv_free_device_list(list); }
};

struct DeviceList {
  std::unique_ptr<ibv_device*[], FreeDeviceList> list;
  int count = 0;
};

DeviceList list_devices() {
  DeviceList devices;
  devices.list.reset(ibv_get_device_list(&devices.count));
  if (!devices.list) {
    if (errno != ENOSYS) throw_verbs(errno, "list RDMA devices");
    devices.count = 0;  // no kernel support for verbs at all
  }
  return devices;
}

[[noreturn]] void refuse_absent(const std::string& name) {
  const std::vector<std::string> names = device_names();
  if (names.empty())
    throw core::Error(core::ErrorKind::verbs,
                      "this host has no RDMA device: /sys/class/infiniband is empty (is the driver loaded?)");
  core::usage_error(fmt::format("no RDMA device is named '{}' (there are: {})", name, fmt::join(names, " ")));
}

ContextHandle open_device(const DeviceList& devices, const std::string& name) {
  for (int i = 0; i < devices.count; ++i)
    if (name == ibv_get_device_name(devices.list[static_cast<std::size_t>(i)]))
      return ContextHandle(
          made_by_verbs(ibv_open_device(devices.list[static_cast<std::size_t>(i)]), "open an RDMA device"));
  refuse_absent(name);
}

ibv_port_attr query_port(ibv_context* context, int port) {
  ibv_port_attr attributes{};
  check_verbs(ibv_query_port(context, static_cast<std::uint8_t>(port), &attributes), "query a port");
  return attributes;
}

/// The device and port of "mlx5_0:2"; port 0 where none is named.
std::pair<std::string, int> split_port(const std::string& name) {
  const auto colon = name.find(':');
  if (colon == std::string::npos) return {name, 0};
  int port = 0;
  const char* end = name.data() + name.size();
  const auto [last, error] = std::from_chars(name.data() + colon + 1, end, port);
  if (error != std::errc{} || last != end || port < 1)
    core::usage_error(fmt::format("device '{}': a port is a number from 1, as in mlx5_0:1", name));
  return {name.substr(0, colon), port};
}

bool has_active_port(const std::string& name, int& port) {
  const DeviceList devices = list_devices();
  const ContextHandle context = open_device(devices, name);
  ibv_device_attr limits{};
  check_verbs(ibv_query_device(context.get(), &limits), "query a device");
  for (port = 1; port <= limits.phys_port_cnt; ++port)
    if (query_port(context.get(), port).state == IBV_PORT_ACTIVE) return true;
  return false;
}

/// The device that "auto" means: the one that this rank's environment names, else the first with an active
/// port.
std::pair<std::string, int> automatic() {
  if (const char* named = std::getenv("ASSAY_RDMA_DEVICE"); named != nullptr && *named != 0)
    return split_port(named);
  const std::vector<std::string> names = device_names();
  if (names.empty()) refuse_absent("auto");
  for (const std::string& name : names)
    if (int port = 0; has_active_port(name, port)) return {name, port};
  throw core::Error(
      core::ErrorKind::verbs,
      fmt::format("no port of any RDMA device is active (there are: {}); bring a link up and see "
                  "`assay machine`",
                  fmt::join(names, " ")));
}

bool in_use(const ibv_gid& gid) {
  static constexpr std::array<std::uint8_t, 16> none{};
  return std::memcmp(gid.raw, none.data(), none.size()) != 0;
}

std::string type_of(const ibv_gid_entry& entry) {
  if (entry.gid_type == IBV_GID_TYPE_ROCE_V2) return "RoCE v2";
  return entry.gid_type == IBV_GID_TYPE_ROCE_V1 ? "RoCE v1" : "IB";
}

}  // namespace

std::vector<std::string> device_names() {
  const DeviceList devices = list_devices();
  std::vector<std::string> names;
  for (int i = 0; i < devices.count; ++i)
    names.emplace_back(ibv_get_device_name(devices.list[static_cast<std::size_t>(i)]));
  return names;
}

bool Gid::ipv4() const {
  static constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(raw.raw, mapped.data(), mapped.size()) == 0;
}

std::string Gid::text() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const bool mapped = ipv4();
  inet_ntop(mapped ? AF_INET : AF_INET6, raw.raw + (mapped ? 12 : 0), text.data(), text.size());
  return text.data();
}

Device::Device(const std::string& name) {
  std::tie(name_, port_) = name == "auto" ? automatic() : split_port(name);
  context_ = open_device(list_devices(), name_);
  check_verbs(ibv_query_device(context_.get(), &limits_), "query a device");
  if (port_ == 0) port_ = 1;
  if (port_ > limits_.phys_port_cnt)
    core::usage_error(fmt::format("{} has {} port(s), not {}", name_, limits_.phys_port_cnt, port_));
  port_attributes_ = query_port(context_.get(), port_);
  if (port_attributes_.state != IBV_PORT_ACTIVE)
    throw core::Error(core::ErrorKind::verbs,
                      fmt::format("{} port {} is {}: bring its link up first (cable, switch port, `ip link`)",
                                  name_, port_, ibv_port_state_str(port_attributes_.state)));
  // Events are looked for, never waited for.
  fcntl(context_->async_fd, F_SETFL, fcntl(context_->async_fd, F_GETFL) | O_NONBLOCK);
}

int Device::numa_node() const {
  int node = -1;
  std::ifstream(fmt::format("{}/device/numa_node", context_->device->ibdev_path)) >> node;
  return node;
}

std::vector<Gid> Device::gids() const {
  std::vector<Gid> found;
  for (int index = 0; index < port_attributes_.gid_tbl_len; ++index) {
    ibv_gid_entry entry{};
    const int error = ibv_query_gid_ex(context_.get(), static_cast<std::uint32_t>(port_),
                                       static_cast<std::uint32_t>(index), &entry, 0);
    if (error == ENODATA) continue;
    check_verbs(error, "query a GID");
    if (!in_use(entry.gid)) continue;
    found.push_back({.index = index, .raw = entry.gid, .type = type_of(entry)});
  }
  return found;
}

Gid Device::gid(int index) const {
  const std::vector<Gid> found = gids();
  std::vector<std::string> known;
  const Gid* best = nullptr;
  for (const Gid& gid : found) {
    known.push_back(fmt::format("{}: {} {}", gid.index, gid.text(), gid.type));
    if (index >= 0 && gid.index == index) return gid;
    const bool wanted = !ethernet() || gid.type == "RoCE v2";
    if (index < 0 && wanted && (best == nullptr || (ethernet() && gid.ipv4() && !best->ipv4()))) best = &gid;
  }
  if (best != nullptr) return *best;
  core::usage_error(fmt::format("{} port {} has no {} (there are: {})", name_, port_,
                                index < 0 ? "RoCE v2 GID" : fmt::format("GID index {}", index),
                                fmt::join(known, ", ")));
}

std::string Device::next_event() const {
  ibv_async_event event{};
  if (ibv_get_async_event(context_.get(), &event) != 0) return {};
  const std::string text = ibv_event_type_str(event.event_type);
  ibv_ack_async_event(&event);
  return text;
}

}  // namespace assay::rdma
