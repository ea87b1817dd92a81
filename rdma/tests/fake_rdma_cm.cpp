// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/fake_rdma_cm.hpp"

#include <arpa/inet.h>
#include <rdma/rdma_cma.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

namespace {

struct CmEvent : rdma_cm_event {
  std::vector<char> data;
};

struct CmChannel : rdma_event_channel {
  std::deque<CmEvent*> waiting;
};

struct CmId : rdma_cm_id {
  std::uint16_t calls_port = 0;  // of the listener that it resolved
  CmId* far = nullptr;
  std::uint32_t far_queue_pair = 0;
};

std::mutex everything;
std::map<std::uint16_t, CmId*> listeners;  // by port
std::uint16_t next_port = 40'000;

void post(CmId* to, rdma_cm_event_type type, CmId* id, CmId* listens = nullptr,
          const rdma_conn_param* asked = nullptr) {
  auto* event = new CmEvent{};
  event->event = type;
  event->id = id;
  event->listen_id = listens;
  if (asked != nullptr && asked->private_data != nullptr) {
    const auto* bytes = static_cast<const char*>(asked->private_data);
    event->data.assign(bytes, bytes + asked->private_data_len);
    event->param.conn.private_data = event->data.data();
    event->param.conn.private_data_len = asked->private_data_len;
  }
  auto* channel = static_cast<CmChannel*>(to->channel);
  channel->waiting.push_back(event);
  const std::uint64_t one = 1;
  static_cast<void>(!write(channel->fd, &one, sizeof one));
}

void reject(CmId* caller) { post(caller, RDMA_CM_EVENT_REJECTED, caller); }

}  // namespace

namespace assay::rdma::fake {

ConnectionManager& connection_manager() {
  static ConnectionManager manager;
  return manager;
}

}  // namespace assay::rdma::fake

using assay::rdma::fake::connection_manager;

rdma_event_channel* rdma_create_event_channel() {
  if (const int refusal = connection_manager().refuses_to_open; refusal != 0) {
    errno = refusal;
    return nullptr;
  }
  auto* channel = new CmChannel{};
  channel->fd = eventfd(0, EFD_SEMAPHORE);
  return channel;
}

void rdma_destroy_event_channel(rdma_event_channel* channel) {
  auto* own = static_cast<CmChannel*>(channel);
  for (CmEvent* event : own->waiting) delete event;
  close(own->fd);
  delete own;
}

int rdma_create_id(rdma_event_channel* channel, rdma_cm_id** id, void* context, rdma_port_space) {
  auto* made = new CmId{};
  made->channel = channel;
  made->context = context;
  *id = made;
  return 0;
}

int rdma_destroy_id(rdma_cm_id* id) {
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmId*>(id);
  std::erase_if(listeners, [&](const auto& one) { return one.second == own; });
  if (own->far != nullptr) own->far->far = nullptr;
  if (own->verbs != nullptr) ibv_close_device(own->verbs);
  delete own;
  return 0;
}

int rdma_bind_addr(rdma_cm_id*, sockaddr*) { return 0; }

int rdma_listen(rdma_cm_id* id, int) {
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmId*>(id);
  own->calls_port = next_port++;
  listeners[own->calls_port] = own;
  return 0;
}

__be16 rdma_get_src_port(rdma_cm_id* id) { return htons(static_cast<CmId*>(id)->calls_port); }

int rdma_resolve_addr(rdma_cm_id* id, sockaddr*, sockaddr* to, int) {
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmId*>(id);
  ibv_device** devices = ibv_get_device_list(nullptr);
  own->verbs = ibv_open_device(devices[connection_manager().through]);
  ibv_free_device_list(devices);
  own->calls_port = ntohs(reinterpret_cast<sockaddr_in*>(to)->sin_port);
  post(own, RDMA_CM_EVENT_ADDR_RESOLVED, own);
  return 0;
}

int rdma_resolve_route(rdma_cm_id* id, int) {
  const std::lock_guard lock(everything);
  post(static_cast<CmId*>(id), RDMA_CM_EVENT_ROUTE_RESOLVED, static_cast<CmId*>(id));
  return 0;
}

int rdma_connect(rdma_cm_id* id, rdma_conn_param* asked) {
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmId*>(id);
  const auto listener = listeners.find(own->calls_port);
  if (connection_manager().loses_answers) return 0;
  if (connection_manager().rejects || listener == listeners.end()) {
    reject(own);
    return 0;
  }
  auto* answers = new CmId{};
  answers->channel = listener->second->channel;
  answers->far = own;
  answers->far_queue_pair = asked->qp_num;
  own->far = answers;
  post(listener->second, RDMA_CM_EVENT_CONNECT_REQUEST, answers, listener->second, asked);
  return 0;
}

int rdma_accept(rdma_cm_id* id, rdma_conn_param* granted) {
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmId*>(id);
  if (own->far == nullptr) return 0;
  own->far->far_queue_pair = granted->qp_num;
  post(own->far, RDMA_CM_EVENT_CONNECT_RESPONSE, own->far);
  return 0;
}

int rdma_reject(rdma_cm_id* id, const void*, std::uint8_t) {
  const std::lock_guard lock(everything);
  if (auto* own = static_cast<CmId*>(id); own->far != nullptr) reject(own->far);
  return 0;
}

int rdma_establish(rdma_cm_id* id) {
  const std::lock_guard lock(everything);
  if (auto* own = static_cast<CmId*>(id); own->far != nullptr)
    post(own->far, RDMA_CM_EVENT_ESTABLISHED, own->far);
  return 0;
}

int rdma_get_cm_event(rdma_event_channel* channel, rdma_cm_event** event) {
  std::uint64_t one = 0;
  static_cast<void>(!read(channel->fd, &one, sizeof one));
  const std::lock_guard lock(everything);
  auto* own = static_cast<CmChannel*>(channel);
  *event = own->waiting.front();
  own->waiting.pop_front();
  return 0;
}

int rdma_ack_cm_event(rdma_cm_event* event) {
  delete static_cast<CmEvent*>(event);
  return 0;
}

const char* rdma_event_str(rdma_cm_event_type event) {
  return event == RDMA_CM_EVENT_REJECTED ? "RDMA_CM_EVENT_REJECTED" : "another event";
}

int rdma_init_qp_attr(rdma_cm_id* id, ibv_qp_attr* attributes, int* mask) {
  attributes->dest_qp_num = static_cast<CmId*>(id)->far_queue_pair;
  *mask = attributes->qp_state == IBV_QPS_RTR
              ? IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER
              : IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                    IBV_QP_MAX_QP_RD_ATOMIC;
  return 0;
}
