// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// libibverbs' entry points for devices, ports, GIDs and events, and the name of the pretended host.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <string>

#include "harness/core/tests/simulated/node.hpp"
#include "rdma/tests/simulated/queue_pair.hpp"

#undef ibv_get_device_list
#undef ibv_query_port

using namespace assay::rdma::simulated;

namespace {

void copy_text(char* to, std::size_t room, const std::string& text) {
  std::strncpy(to, text.c_str(), room - 1);
  to[room - 1] = 0;
}

std::deque<ibv_device> make_devices() {
  std::deque<ibv_device> devices;
  for (int rail = 0; rail < rails(); ++rail) {
    const Adapter adapter = adapter_of(rail);
    ibv_device& device = devices.emplace_back();
    copy_text(device.name, sizeof device.name, adapter.name());
    copy_text(device.ibdev_path, sizeof device.ibdev_path, adapter.sysfs());
  }
  return devices;
}

std::deque<ibv_device>& devices() {
  static std::deque<ibv_device> all = make_devices();
  return all;
}

int rail_of(const ibv_device* device) {
  int rail = 0;
  while (&devices()[static_cast<std::size_t>(rail)] != device) ++rail;
  return rail;
}

const Adapter& adapter_of(ibv_context* context) { return static_cast<Context*>(context)->adapter; }

}  // namespace

extern "C" {

// The C library's own stands behind it.
int gethostname(char* name, std::size_t room) noexcept {
  std::string host;
  std::getline(std::ifstream(assay::core::simulated::Node::shared().folder() + "/proc/sys/kernel/hostname"),
               host);
  copy_text(name, room, host);
  return 0;
}

// Declared in verbs.h under another name of the same symbols.
ibv_device** ibv_get_device_list(int* count) {
  auto** const list = new ibv_device*[devices().size() + 1]();
  for (std::size_t i = 0; i < devices().size(); ++i) list[i] = &devices()[i];
  if (count != nullptr) *count = static_cast<int>(devices().size());
  return list;
}

void ibv_free_device_list(ibv_device** list) { delete[] list; }
const char* ibv_get_device_name(ibv_device* device) { return device->name; }

ibv_context* ibv_open_device(ibv_device* device) {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  auto* const context = new Context{};
  context->device = device;
  context->adapter = adapter_of(rail_of(device));
  context->async_fd = ends[0];
  context->event_write_end = ends[1];
  context->ops.poll_cq = poll;
  context->ops.post_send = post_send;
  context->ops.post_recv = post_receive;
  return context;
}

int ibv_close_device(ibv_context* context) {
  auto* const own = static_cast<Context*>(context);
  close(own->async_fd);
  close(own->event_write_end);
  delete own;
  return 0;
}

int ibv_query_device(ibv_context*, ibv_device_attr* attributes) {
  *attributes = {};
  attributes->phys_port_cnt = 1;
  attributes->max_qp = 1024;
  attributes->max_qp_wr = most_work_requests;
  attributes->max_cqe = 1 << 20;
  attributes->max_qp_rd_atom = attributes->max_qp_init_rd_atom = 16;
  return 0;
}

int ibv_query_port(ibv_context*, std::uint8_t, _compat_ibv_port_attr* attributes) {
  auto* const port = reinterpret_cast<ibv_port_attr*>(attributes);
  port->state = IBV_PORT_ACTIVE;
  port->active_mtu = port->max_mtu = IBV_MTU_4096;
  port->link_layer = IBV_LINK_LAYER_ETHERNET;
  port->gid_tbl_len = 1;
  port->max_msg_sz = 1U << 30U;
  return 0;
}

int _ibv_query_gid_ex(ibv_context* context, std::uint32_t port, std::uint32_t index, ibv_gid_entry* entry,
                      std::uint32_t, std::size_t) {
  if (index != 0) return ENODATA;
  *entry = {.gid = adapter_of(context).gid(),
            .gid_index = 0,
            .port_num = port,
            .gid_type = IBV_GID_TYPE_ROCE_V2,
            .ndev_ifindex = 1};
  return 0;
}

int ibv_get_async_event(ibv_context* context, ibv_async_event* event) {
  const auto taken = read(context->async_fd, &event->event_type, sizeof event->event_type);
  return taken == sizeof event->event_type ? 0 : -1;
}

void ibv_ack_async_event(ibv_async_event*) {}

const char* ibv_port_state_str(ibv_port_state state) {
  return state == IBV_PORT_ACTIVE ? "PORT_ACTIVE" : "another state";
}

const char* ibv_event_type_str(ibv_event_type) { return "an event"; }

}  // extern "C"
