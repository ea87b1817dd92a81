// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/cm_connections.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/ready_within.hpp"
#include "harness/core/seconds_since.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

using ChannelHandle = core::Handle<rdma_event_channel*, rdma_destroy_event_channel>;
using IdHandle = core::Handle<rdma_cm_id*, rdma_destroy_id>;
using EventHandle = core::Handle<rdma_cm_event*, rdma_ack_cm_event>;

constexpr int resolve_limit_ms = 4000;
constexpr int most_callers = 1024;

void check_cm(int result, const char* doing) {
  if (result != 0) throw_verbs(errno, doing);
}

sockaddr_in address_of(const ibv_gid& gid, std::uint16_t port) {
  constexpr std::size_t ipv4_at = 12;  // of an IPv4 address mapped into IPv6
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  std::memcpy(&address.sin_addr, gid.raw + ipv4_at, sizeof address.sin_addr);
  return address;
}

std::string text_of(const ibv_gid& gid) {
  const sockaddr_in address = address_of(gid, 0);
  char text[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, &address.sin_addr, text, sizeof text);
  return text;
}

ChannelHandle open_channel() {
  ChannelHandle channel(rdma_create_event_channel());
  if (channel) return channel;
  throw core::Unsupported(
      core::ErrorKind::verbs,
      fmt::format("open the connection manager: {} (is the kernel module rdma_ucm loaded?)",
                  std::strerror(errno)),
      errno);
}

IdHandle make_id(rdma_event_channel* channel, void* context) {
  rdma_cm_id* id = nullptr;
  check_cm(rdma_create_id(channel, &id, context, RDMA_PS_TCP), "create an id of the connection manager");
  return IdHandle(id);
}

}  // namespace

std::optional<std::string> cm_not_built() { return std::nullopt; }

struct CmConnections::State {
  State(const Device& opened, const Gid& gid) : device(opened), own(gid), channel(open_channel()) {
    listener = make_id(channel.get(), nullptr);
    sockaddr_in address = address_of(own.raw, 0);
    check_cm(rdma_bind_addr(listener.get(), reinterpret_cast<sockaddr*>(&address)),
             "bind the connection manager to the GID's address");
    check_cm(rdma_listen(listener.get(), most_callers), "listen for connections");
  }

  void call(CmEnd& end) {
    ids.push_back(make_id(channel.get(), &end));
    sockaddr_in from = address_of(own.raw, 0), to = address_of(end.peer.gid, end.peer_port);
    check_cm(rdma_resolve_addr(ids.back().get(), reinterpret_cast<sockaddr*>(&from),
                               reinterpret_cast<sockaddr*>(&to), resolve_limit_ms),
             "resolve the peer's address");
  }

  EventHandle next_event(double began_s, double limit_s) {
    std::array waiting{pollfd{channel->fd, POLLIN, 0}};
    const int ready = core::ready_within(waiting, began_s + limit_s - core::steady_seconds());
    check_cm(std::min(ready, 0), "wait for the connection manager");
    if (ready == 0)
      throw core::Error(core::ErrorKind::verbs,
                        fmt::format("{} of {} queue pairs were not connected by rdma_cm within {} s", missing,
                                    ends.size(), limit_s));
    rdma_cm_event* event = nullptr;
    check_cm(rdma_get_cm_event(channel.get(), &event), "get an event of the connection manager");
    return EventHandle(event);
  }

  void handle(EventHandle event) {
    rdma_cm_id* const id = event->id;
    auto* const end = static_cast<CmEnd*>(id->context);
    switch (event->event) {
      case RDMA_CM_EVENT_ADDR_RESOLVED:
        return check_cm(rdma_resolve_route(id, resolve_limit_ms), "resolve the route to the peer");
      case RDMA_CM_EVENT_ROUTE_RESOLVED:
        return ask(id, *end);
      case RDMA_CM_EVENT_CONNECT_REQUEST:
        return answer(std::move(event));
      case RDMA_CM_EVENT_CONNECT_RESPONSE:
        connect_queue_pair(id, *end);
        check_cm(rdma_establish(id), "establish a connection");
        --missing;
        return;
      case RDMA_CM_EVENT_ESTABLISHED:
        --missing;
        return;
      case RDMA_CM_EVENT_ADDR_ERROR:
      case RDMA_CM_EVENT_ROUTE_ERROR:
      case RDMA_CM_EVENT_CONNECT_ERROR:
      case RDMA_CM_EVENT_UNREACHABLE:
      case RDMA_CM_EVENT_REJECTED:
        throw core::Error(core::ErrorKind::verbs,
                          fmt::format("rdma_cm from {} to {}: {} (status {})", text_of(own.raw),
                                      end == nullptr ? "a caller" : text_of(end->peer.gid),
                                      rdma_event_str(event->event), event->status),
                          event->status);
      default:
        return;  // of connections that end, or of the path
    }
  }

  void ask(rdma_cm_id* id, const CmEnd& end) {
    const std::string through = ibv_get_device_name(id->verbs->device);
    if (through != device.name())
      throw core::Error(
          core::ErrorKind::verbs,
          fmt::format("rdma_cm reaches {} through {}, not through {}: the routes of this host say so",
                      text_of(end.peer.gid), through, device.name()));
    rdma_conn_param asked = parameters(end);
    asked.private_data = &end.name;
    asked.private_data_len = sizeof end.name;
    check_cm(rdma_connect(id, &asked), "ask for a connection");
  }

  /// Who names no queue pair of this rank is a stranger.
  void answer(EventHandle event) {
    std::uint64_t name = 0;
    if (event->param.conn.private_data_len >= sizeof name)
      std::memcpy(&name, event->param.conn.private_data, sizeof name);
    IdHandle id(event->id);
    event.reset();  // before its id may be destroyed
    const auto end =
        std::ranges::find_if(ends, [&](const CmEnd& one) { return one.name == name && !one.calls; });
    if (end == ends.end()) {
      rdma_reject(id.get(), nullptr, 0);
      return;
    }
    id->context = &*end;
    connect_queue_pair(id.get(), *end);
    rdma_conn_param granted = parameters(*end);
    check_cm(rdma_accept(id.get(), &granted), "accept a connection");
    ids.push_back(std::move(id));
  }

  rdma_conn_param parameters(const CmEnd& end) const {
    constexpr int most = 16;  // reads on the wire
    rdma_conn_param parameters{};
    parameters.qp_num = end.queue_pair->number();
    parameters.responder_resources =
        static_cast<std::uint8_t>(std::clamp(device.limits().max_qp_rd_atom, 0, most));
    parameters.initiator_depth =
        static_cast<std::uint8_t>(std::clamp(device.limits().max_qp_init_rd_atom, 0, most));
    parameters.retry_count = static_cast<std::uint8_t>(retry.count);
    parameters.rnr_retry_count = static_cast<std::uint8_t>(retry.receiver_not_ready);
    return parameters;
  }

  void connect_queue_pair(rdma_cm_id* id, const CmEnd& end) {
    end.queue_pair->connect_by(
        [id](ibv_qp_attr& attributes) {
          int mask = 0;
          check_cm(rdma_init_qp_attr(id, &attributes, &mask), "get a queue pair's attributes");
          return mask;
        },
        device, own, end.peer, end.path, retry);
  }

  const Device& device;
  Gid own;
  RetrySettings retry;
  std::vector<CmEnd> ends;  // ids refer to them
  std::size_t missing = 0;
  ChannelHandle channel;
  IdHandle listener;
  std::vector<IdHandle> ids;
};

CmConnections::CmConnections(const Device& device, const Gid& own) {
  if (!own.ipv4())
    throw core::Unsupported(
        core::ErrorKind::verbs,
        fmt::format("rdma_cm: {} is not an IPv4 address; gid_index chooses another GID", own.text()));
  state_ = std::make_unique<State>(device, own);
}

CmConnections::~CmConnections() = default;

std::uint16_t CmConnections::port() const { return ntohs(rdma_get_src_port(state_->listener.get())); }

void CmConnections::connect(std::vector<CmEnd> ends, const RetrySettings& retry, double limit_s) {
  state_->retry = retry;
  state_->ends = std::move(ends);
  state_->missing = state_->ends.size();
  for (CmEnd& end : state_->ends)
    if (end.calls) state_->call(end);
  const double began_s = core::steady_seconds();
  while (state_->missing > 0) state_->handle(state_->next_event(began_s, limit_s));
}

}  // namespace assay::rdma
