// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// libibverbs' entry points for devices, ports, GIDs and asynchronous events.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <type_traits>

#include "rdma/tests/fake_world.hpp"

#undef ibv_get_device_list
#undef ibv_query_port

using namespace assay::rdma::fake;

namespace {

/// The device's port, or none.
const Port* port_of(const ibv_context* context, std::uint32_t port) {
  const auto& ports = static_cast<const Context*>(context)->spec->ports;
  return port >= 1 && port <= ports.size() ? &ports[port - 1] : nullptr;
}

int poll_queue(ibv_cq* queue, int most, ibv_wc* into) {
  World& all = world();
  if (const int error = all.enter("ibv_poll_cq"); error != 0) {
    errno = error;
    return -1;
  }
  const std::lock_guard lock(all.mutex);
  all.run_waiting();
  auto& ready = static_cast<Queue*>(queue)->ready;
  int found = 0;
  for (; found < most && !ready.empty(); ++found) {
    if (ready.front().frees != nullptr) ready.front().frees->send_slots_used -= ready.front().slots;
    into[found] = ready.front().wc;
    ready.pop_front();
  }
  return found;
}

int arm_queue(ibv_cq* queue, int) {
  const int error = world().enter("ibv_req_notify_cq");
  const std::lock_guard lock(world().mutex);
  if (error == 0) static_cast<Queue*>(queue)->armed = true;
  return error;
}

template <class Request>
int post_all(ibv_qp* qp, Request* request, Request** refused) {
  constexpr bool sends = std::is_same_v<Request, ibv_send_wr>;
  World& all = world();
  int error = all.enter(sends ? "ibv_post_send" : "ibv_post_recv");
  const std::lock_guard lock(all.mutex);
  ++all.post_calls;
  for (; error == 0 && request != nullptr; request = request->next) {
    error = all.post(*static_cast<QueuePair*>(qp), *request);
    if (error != 0) break;
  }
  *refused = request;
  all.run_waiting();
  return error;
}

}  // namespace

extern "C" {

// Declared in verbs.h under another name of the same symbols.
ibv_device** ibv_get_device_list(int* count) {
  World& all = world();
  if (const int error = all.enter("ibv_get_device_list"); error != 0) {
    errno = error;
    return nullptr;
  }
  const std::lock_guard lock(all.mutex);
  auto** list = new ibv_device*[all.devices.size() + 1]();
  std::ranges::transform(all.devices, list, [](ibv_device& device) { return &device; });
  if (count != nullptr) *count = static_cast<int>(all.devices.size());
  all.made("device list");
  return list;
}

void ibv_free_device_list(ibv_device** list) {
  const std::lock_guard lock(world().mutex);
  delete[] list;
  world().gone("device list");
}

const char* ibv_get_device_name(ibv_device* device) { return device->name; }

ibv_context* ibv_open_device(ibv_device* device) {
  World& all = world();
  int ends[2] = {-1, -1};
  int error = all.enter("ibv_open_device");
  if (error == 0 && pipe2(ends, O_CLOEXEC) != 0) error = errno;
  if (error != 0) {
    errno = error;
    return nullptr;
  }
  const std::lock_guard lock(all.mutex);
  auto* context = new Context{};
  context->device = device;
  context->spec = &*std::ranges::find(all.specs, std::string(device->name), &DeviceSpec::name);
  context->async_fd = ends[0];
  context->event_write_end = ends[1];
  context->ops.poll_cq = poll_queue;
  context->ops.req_notify_cq = arm_queue;
  context->ops.post_send = post_all<ibv_send_wr>;
  context->ops.post_recv = post_all<ibv_recv_wr>;
  all.contexts.insert(context);
  all.made("ibv_context");
  return context;
}

int ibv_close_device(ibv_context* context) {
  const std::lock_guard lock(world().mutex);
  auto* own = static_cast<Context*>(context);
  close(own->async_fd);
  close(own->event_write_end);
  world().contexts.erase(own);
  world().gone("ibv_context");
  delete own;
  return 0;
}

int ibv_query_device(ibv_context* context, ibv_device_attr* attributes) {
  if (const int error = world().enter("ibv_query_device"); error != 0) return error;
  const DeviceSpec& spec = *static_cast<Context*>(context)->spec;
  *attributes = {};
  attributes->phys_port_cnt = static_cast<std::uint8_t>(spec.ports.size());
  attributes->max_qp = spec.max_qp;
  attributes->max_qp_wr = spec.max_qp_wr;
  attributes->max_cqe = spec.max_cqe;
  attributes->max_qp_rd_atom = attributes->max_qp_init_rd_atom = spec.max_read_requests;
  return 0;
}

int ibv_query_port(ibv_context* context, std::uint8_t number, _compat_ibv_port_attr* attributes) {
  if (const int error = world().enter("ibv_query_port"); error != 0) return error;
  const Port* port = port_of(context, number);
  if (port == nullptr) return EINVAL;
  auto* told = reinterpret_cast<ibv_port_attr*>(attributes);
  told->state = port->state;
  told->active_mtu = told->max_mtu = port->active_mtu;
  told->link_layer = port->link_layer;
  told->lid = port->lid;
  told->gid_tbl_len = static_cast<int>(port->gids.size());
  told->max_msg_sz = static_cast<Context*>(context)->spec->max_message_bytes;
  return 0;
}

int _ibv_query_gid_ex(ibv_context* context, std::uint32_t number, std::uint32_t index, ibv_gid_entry* entry,
                      std::uint32_t, std::size_t) {
  if (const int error = world().enter("ibv_query_gid_ex"); error != 0) return error;
  const Port* port = port_of(context, number);
  if (port == nullptr || index >= port->gids.size()) return EINVAL;
  const GidEntry& held = port->gids[index];
  static constexpr std::uint8_t unused[16] = {};
  if (std::memcmp(held.gid.raw, unused, sizeof unused) == 0) return ENODATA;
  *entry = {
      .gid = held.gid, .gid_index = index, .port_num = number, .gid_type = held.type, .ndev_ifindex = 1};
  return 0;
}

int ibv_get_async_event(ibv_context* context, ibv_async_event* event) {
  if (const int error = world().enter("ibv_get_async_event"); error != 0) {
    errno = error;
    return -1;
  }
  const auto taken = read(context->async_fd, &event->event_type, sizeof event->event_type);
  if (taken != sizeof event->event_type) return -1;
  const std::lock_guard lock(world().mutex);
  world().made("unacknowledged event");
  return 0;
}

void ibv_ack_async_event(ibv_async_event*) {
  const std::lock_guard lock(world().mutex);
  world().gone("unacknowledged event");
}

const char* ibv_port_state_str(ibv_port_state state) {
  static constexpr const char* words[] = {"PORT_NOP",   "PORT_DOWN",   "PORT_INIT",
                                          "PORT_ARMED", "PORT_ACTIVE", "PORT_ACTIVE_DEFER"};
  return words[state];
}

const char* ibv_event_type_str(ibv_event_type event) {
  return event == IBV_EVENT_PORT_ERR ? "port error" : "another event";
}

}  // extern "C"
