// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages: their bytes move at once, their time is counted on the virtual clock. Busy queue pairs share a
// port equally.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "harness/core/mix.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/tests/simulated/node.hpp"
#include "rdma/tests/simulated/queue_pair.hpp"
#include "rdma/tests/simulated/thread_clock.hpp"

namespace assay::rdma::simulated {
namespace {

bool is_atomic(ibv_wr_opcode opcode) {
  return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

bool needs_receive(ibv_wr_opcode opcode) {
  return opcode == IBV_WR_SEND || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

/// A noise factor of mean 1: of this process' run, and of its messages.
double spread(std::uint64_t message) {
  const std::uint64_t process = process_number();
  return (1 + spread_of_runs * core::simulated::noise(core::mix64(process))) *
         (1 + spread_of_messages * core::simulated::noise(core::mix64(message + 1'000'003 * process)));
}

/// The time to send a message with errors again, else 0: the port that sees them counts them.
double resent_s(Port& port, std::uint64_t bad_message_of) {
  if (bad_message_of == 0 || ++port.messages % bad_message_of != 0) return 0;
  ++port.symbol_errors;
  return resend_s;
}

struct Times {
  double arrives_s, completes_s;
};

/// Times of a message that is posted now. What is sent is acknowledged, what is fetched was asked for: it
/// completes after both ways.
Times send_off(Shared& fabric, QueuePair& pair, SharedQueuePair& own, SharedQueuePair& peer,
               const SendRequest& request) {
  Port &here = fabric.ports[static_cast<std::size_t>(own.port)],
       &there = fabric.ports[static_cast<std::size_t>(peer.port)];
  const double rate =
      std::min(own.bytes_per_s / std::max(here.sending, 1), peer.bytes_per_s / std::max(there.receiving, 1));
  const double noisy = spread(++here.messages);
  const double way_s = (one_way_s + (own.leaf == peer.leaf ? 0 : over_the_spine_s)) * noisy;
  const double begins_s = std::max(now_s(), pair.free_s);
  double moves_s = std::max(request.piece.length / rate, posting_s) * noisy;
  moves_s += resent_s(here, own.bad_message_of) + resent_s(there, peer.bad_message_of);
  pair.free_s = begins_s + moves_s;
  return {pair.free_s + way_s, pair.free_s + 2 * way_s};
}

/// The bytes of a message, from where its work request says.
const void* source_of(const SendRequest& request) {
  return request.inlined.empty() ? reinterpret_cast<const void*>(request.piece.addr) : request.inlined.data();
}

bool covers(const Region* region, const SharedQueuePair& peer, std::uint64_t address, std::uint64_t bytes,
            int access) {
  return region != nullptr && region->owner == peer.owner && (region->access & access) == access &&
         address >= region->address && address + bytes <= region->address + region->bytes;
}

ibv_wc_status act_on_counter(const SharedQueuePair& peer, const SendRequest& request) {
  const auto& atomic = request.wr.wr.atomic;
  std::uint64_t held = 0;
  if (!copy_from(peer.owner, atomic.remote_addr, &held, sizeof held)) return IBV_WC_RETRY_EXC_ERR;
  const bool adds = request.wr.opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
  const std::uint64_t now = adds                         ? held + atomic.compare_add
                            : held == atomic.compare_add ? atomic.swap
                                                         : held;
  std::memcpy(reinterpret_cast<void*>(request.piece.addr), &held, sizeof held);
  return copy_to(peer.owner, atomic.remote_addr, &now, sizeof now) ? IBV_WC_SUCCESS : IBV_WC_RETRY_EXC_ERR;
}

/// Write, read and atomics.
ibv_wc_status reach_memory(Shared& fabric, const SharedQueuePair& peer, const SendRequest& request) {
  const ibv_wr_opcode opcode = request.wr.opcode;
  const auto& wr = request.wr.wr;
  const bool atomic = is_atomic(opcode);
  const std::uint64_t remote = atomic ? wr.atomic.remote_addr : wr.rdma.remote_addr;
  const int access = atomic                       ? IBV_ACCESS_REMOTE_ATOMIC
                     : opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_REMOTE_READ
                                                  : IBV_ACCESS_REMOTE_WRITE;
  const Region* const region = region_of(fabric, atomic ? wr.atomic.rkey : wr.rdma.rkey);
  const std::uint64_t bytes = request.piece.length;
  if (!covers(region, peer, remote, bytes, access)) return IBV_WC_REM_ACCESS_ERR;
  if (atomic) return act_on_counter(peer, request);
  const bool moved = opcode == IBV_WR_RDMA_READ
                         ? copy_from(peer.owner, remote, reinterpret_cast<void*>(request.piece.addr), bytes)
                         : copy_to(peer.owner, remote, source_of(request), bytes);
  return moved ? IBV_WC_SUCCESS : IBV_WC_RETRY_EXC_ERR;
}

ibv_wc_status deliver(Shared& fabric, SharedQueuePair& peer, const SendRequest& request, double arrives_s) {
  const bool into_receive = request.wr.opcode == IBV_WR_SEND;
  ibv_wc_status status = IBV_WC_SUCCESS;
  if (into_receive) {
    const Receive receive = peer.receives.front();
    if (receive.bytes < request.piece.length)
      status = IBV_WC_REM_INV_REQ_ERR;
    else if (!copy_to(peer.owner, receive.address, source_of(request), request.piece.length))
      status = IBV_WC_RETRY_EXC_ERR;
  } else {
    status = reach_memory(fabric, peer, request);
  }
  if (status != IBV_WC_SUCCESS) return status;
  peer.last_arrival_s = std::max(peer.last_arrival_s, arrives_s);
  if (!needs_receive(request.wr.opcode)) return status;
  peer.arrived.push({.id = peer.receives.front().id,
                     .at_s = arrives_s,
                     .bytes = request.piece.length,
                     .opcode = into_receive ? IBV_WC_RECV : IBV_WC_RECV_RDMA_WITH_IMM,
                     .status = IBV_WC_SUCCESS});
  peer.receives.pop();
  return status;
}

void complete(QueuePair& pair, const SendRequest& request, ibv_wc_status status, double at_s) {
  ++pair.sent;
  if ((request.wr.send_flags & IBV_SEND_SIGNALED) == 0 && status == IBV_WC_SUCCESS) return;
  pair.completions.push_back({{.id = request.wr.wr_id,
                               .at_s = at_s,
                               .bytes = request.piece.length,
                               .opcode = IBV_WC_SEND,
                               .status = status},
                              pair.sent});
  pair.sent = 0;
}

/// False where it waits for a receive of the peer.
bool carry_out(Shared& fabric, QueuePair& pair, SendRequest& request) {
  SharedQueuePair& own = *pair_of(fabric, pair.qp_num);
  SharedQueuePair* const peer = pair_of(fabric, pair.peer);
  const bool connected = peer != nullptr && peer->receives_packets && peer->peer == pair.qp_num &&
                         peer->first_expected == own.first_sent;
  if (!connected) {
    complete(pair, request, IBV_WC_RETRY_EXC_ERR, now_s());
    return true;
  }
  if (needs_receive(request.wr.opcode) && peer->receives.empty()) {
    constexpr double receiver_limit_s = 5;
    if (request.since_s == 0) request.since_s = core::steady_seconds();
    if (core::steady_seconds() - request.since_s < receiver_limit_s) return false;
    complete(pair, request, IBV_WC_RNR_RETRY_EXC_ERR, now_s());
    return true;
  }
  const Times times = send_off(fabric, pair, own, *peer, request);
  complete(pair, request, deliver(fabric, *peer, request, times.arrives_s), times.completes_s);
  return true;
}

void carry_out_waiting(Shared& fabric, QueuePair& pair) {
  while (!pair.waiting.empty() && carry_out(fabric, pair, pair.waiting.front())) pair.waiting.pop_front();
}

SendRequest taken(const ibv_send_wr& wr) {
  SendRequest request{.wr = wr, .piece = *wr.sg_list, .inlined = {}};
  if ((wr.send_flags & IBV_SEND_INLINE) != 0) {
    const auto* const from = reinterpret_cast<const std::byte*>(request.piece.addr);
    request.inlined.assign(from, from + request.piece.length);
  }
  return request;
}

/// The earliest that has not been reported; nothing where none is under way.
std::optional<double> next_event_s(Shared& fabric, const CompletionQueue& queue) {
  std::optional<double> next;
  const auto take = [&](double at_s) { next = next ? std::min(*next, at_s) : at_s; };
  for (QueuePair* const pair : queue.pairs) {
    if (!pair->completions.empty()) take(pair->completions.front().completion.at_s);
    SharedQueuePair& own = *pair_of(fabric, pair->qp_num);
    if (!own.arrived.empty()) take(own.arrived.front().at_s);
  }
  return next;
}

ibv_wc report_of(const Completion& completion, std::uint32_t number) {
  ibv_wc report{};
  report.wr_id = completion.id;
  report.status = completion.status;
  report.opcode = completion.opcode;
  report.byte_len = completion.bytes;
  report.qp_num = number;
  return report;
}

/// Takes what has completed at this queue pair by now.
int take_completed(Shared& fabric, QueuePair& pair, int most, ibv_wc* into) {
  int found = 0;
  SharedQueuePair& own = *pair_of(fabric, pair.qp_num);
  for (; found < most && !own.arrived.empty() && own.arrived.front().at_s <= now_s(); own.arrived.pop())
    into[found++] = report_of(own.arrived.front(), pair.qp_num);
  for (; found < most && !pair.completions.empty(); pair.completions.pop_front()) {
    const QueuePair::Sent& sent = pair.completions.front();
    if (sent.completion.at_s > now_s()) break;
    into[found++] = report_of(sent.completion, pair.qp_num);
    pair.outstanding -= static_cast<int>(sent.messages);
    if (pair.outstanding == 0) set_busy(fabric, pair, false);
  }
  return found;
}

/// Peers may have no processor of their own: whoever waits for them spins for a moment, then sleeps.
void rest_unless(bool found) {
  constexpr int spins = 50;
  constexpr useconds_t sleep_us = 20;
  thread_local int looks = 0;
  looks = found ? 0 : looks + 1;
  if (looks > spins) usleep(sleep_us);
}

void write_counters(Shared& fabric, Context& context) {
  const std::uint64_t errors = fabric.ports[static_cast<std::size_t>(context.adapter.port)].symbol_errors;
  if (errors == context.written_errors) return;
  write_symbol_errors(context.adapter, errors);
  context.written_errors = errors;
}

}  // namespace

void set_busy(Shared& fabric, QueuePair& pair, bool busy) {
  SharedQueuePair& own = *pair_of(fabric, pair.qp_num);
  if (own.busy == busy) return;
  if (busy) {
    const SharedQueuePair* const peer = pair_of(fabric, pair.peer);
    if (peer == nullptr) return;
    pair.peer_port = peer->port;
  }
  own.busy = busy;
  const int change = busy ? 1 : -1;
  fabric.ports[static_cast<std::size_t>(own.port)].sending += change;
  fabric.ports[static_cast<std::size_t>(pair.peer_port)].receiving += change;
}

int post_send(ibv_qp* qp, ibv_send_wr* request, ibv_send_wr** refused) {
  auto& pair = *static_cast<QueuePair*>(qp);
  const Locked fabric;
  *refused = request;
  if (pair.state != IBV_QPS_RTS) return EINVAL;
  watch_arrivals(pair.qp_num);
  advance_to(pair_of(*fabric, pair.qp_num)->last_arrival_s);
  carry_out_waiting(*fabric, pair);
  for (; request != nullptr; *refused = request = request->next) {
    if (pair.outstanding >= static_cast<int>(pair.cap.max_send_wr)) return ENOMEM;
    ++pair.outstanding;
    set_busy(*fabric, pair, true);
    advance_by(posting_s);
    SendRequest sent = taken(*request);
    if (!pair.waiting.empty() || !carry_out(*fabric, pair, sent)) pair.waiting.push_back(std::move(sent));
  }
  return 0;
}

int post_receive(ibv_qp* qp, ibv_recv_wr* request, ibv_recv_wr** refused) {
  const Locked fabric;
  Ring<Receive>& receives = pair_of(*fabric, qp->qp_num)->receives;
  for (*refused = request; request != nullptr; *refused = request = request->next) {
    if (receives.full()) return ENOMEM;
    receives.push({request->wr_id, request->sg_list->addr, request->sg_list->length});
  }
  return 0;
}

int poll(ibv_cq* cq, int most, ibv_wc* into) {
  auto& queue = *static_cast<CompletionQueue*>(cq);
  int found = 0;
  {
    const Locked fabric;
    write_counters(*fabric, *static_cast<Context*>(queue.context));
    for (QueuePair* const pair : queue.pairs) carry_out_waiting(*fabric, *pair);
    if (const auto next = next_event_s(*fabric, queue)) advance_to(*next);
    for (QueuePair* const pair : queue.pairs)
      found += take_completed(*fabric, *pair, most - found, into + found);
  }
  rest_unless(found > 0);
  return found;
}

}  // namespace assay::rdma::simulated
