// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/tests/fake_world.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace assay::rdma::fake {
namespace {

thread_local int rank_of_this_thread = -1;

/// As a device writes: byte after byte, unseen by the thread sanitizer (a polling reader is no data race on
/// hardware).
__attribute__((no_sanitize("thread"))) void store(volatile std::byte* to, const std::byte* from,
                                                  std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to[i] = from[i];
}

bool is_atomic(ibv_wr_opcode opcode) {
  return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

bool needs_receive(ibv_wr_opcode opcode) {
  return opcode == IBV_WR_SEND || opcode == IBV_WR_RDMA_WRITE_WITH_IMM;
}

bool allowed(ibv_qp_type type, ibv_wr_opcode opcode) {
  if (type == IBV_QPT_UD) return opcode == IBV_WR_SEND;
  return type == IBV_QPT_RC || !(is_atomic(opcode) || opcode == IBV_WR_RDMA_READ);
}

}  // namespace

void this_thread_is(int rank) { rank_of_this_thread = rank; }

int World::enter(const char* function) {
  const std::lock_guard lock(mutex);
  ++calls[function];
  if (!planned || planned->left <= 0) return 0;
  const bool counts = planned->function == function ||
                      (planned->function.empty() && std::string_view(function) != "ibv_poll_cq");
  if (!counts || (planned->rank >= 0 && planned->rank != rank_of_this_thread)) return 0;
  if (--planned->left > 0) return 0;
  failed = function;
  return planned->error;
}

int World::post(QueuePair& qp, const ibv_send_wr& request) {
  if (qp.state != IBV_QPS_RTS && qp.state != IBV_QPS_ERR) return EINVAL;
  if (request.num_sge != 1 || !allowed(qp.qp_type, request.opcode)) return EINVAL;
  if (qp.send_slots_used >= static_cast<int>(qp.cap.max_send_wr)) return ENOMEM;
  SendRequest& sent = qp.sends.emplace_back(SendRequest{request, *request.sg_list, {}});
  if ((request.send_flags & IBV_SEND_INLINE) != 0) {
    if (sent.piece.length > qp.cap.max_inline_data) {
      qp.sends.pop_back();
      return EINVAL;
    }
    const auto* from = reinterpret_cast<const std::byte*>(sent.piece.addr);
    sent.inlined.assign(from, from + sent.piece.length);
  }
  ++qp.send_slots_used;
  posted.push_back({request, sent.piece, post_calls});
  run(qp);
  return 0;
}

int World::post(QueuePair& qp, const ibv_recv_wr& request) {
  if (qp.state == IBV_QPS_RESET || request.num_sge != 1) return EINVAL;
  if (qp.receives.size() >= qp.cap.max_recv_wr) return ENOMEM;
  qp.receives.emplace_back(request.wr_id, *request.sg_list);
  if (qp.state == IBV_QPS_ERR) complete_receive(qp, IBV_WC_RECV, 0, IBV_WC_WR_FLUSH_ERR);
  return 0;
}

/// Carries out what can be carried out; what waits for a receive stays, with all behind it.
void World::run(QueuePair& qp) {
  while (!qp.sends.empty()) {
    ibv_wc_status status = qp.state == IBV_QPS_ERR ? IBV_WC_WR_FLUSH_ERR : IBV_WC_SUCCESS;
    if (status == IBV_WC_SUCCESS && carry_out(qp, qp.sends.front(), status) == Outcome::waits) {
      if (!qp.waits_since) qp.waits_since = Clock::now();
      if (Clock::now() - *qp.waits_since < receiver_not_ready_limit) return;
      status = IBV_WC_RNR_RETRY_EXC_ERR;
    }
    qp.waits_since.reset();
    const SendRequest request = std::move(qp.sends.front());
    qp.sends.pop_front();
    complete_send(qp, request, status);
    if (status != IBV_WC_SUCCESS && qp.state != IBV_QPS_ERR) fail(qp);
  }
}

void World::fail(QueuePair& qp) {
  qp.state = IBV_QPS_ERR;
  while (!qp.receives.empty()) complete_receive(qp, IBV_WC_RECV, 0, IBV_WC_WR_FLUSH_ERR);
  run(qp);
}

void World::run_waiting() {
  for (auto& [number, qp] : queue_pairs)
    if (qp->waits_since) run(*qp);
}

bool World::known(const ibv_gid& gid) const {
  const auto same = [&](const GidEntry& entry) { return std::memcmp(entry.gid.raw, gid.raw, 16) == 0; };
  for (const DeviceSpec& spec : specs)
    for (const Port& port : spec.ports)
      if (std::ranges::any_of(port.gids, same)) return true;
  return false;
}

/// Whom the packet reaches, if anybody.
QueuePair* World::peer_of(const QueuePair& qp, const SendRequest& request) {
  const bool datagram = qp.qp_type == IBV_QPT_UD;
  const ibv_ah_attr& path =
      datagram ? static_cast<const AddressHandle*>(request.wr.wr.ud.ah)->attributes : qp.attributes.ah_attr;
  if (path.is_global != 0 && !known(path.grh.dgid)) return nullptr;
  const auto found = queue_pairs.find(datagram ? request.wr.wr.ud.remote_qpn : qp.attributes.dest_qp_num);
  if (found == queue_pairs.end()) return nullptr;
  QueuePair& peer = *found->second;
  if (peer.silent || (peer.state != IBV_QPS_RTR && peer.state != IBV_QPS_RTS)) return nullptr;
  if (datagram) return peer.attributes.qkey == request.wr.wr.ud.remote_qkey ? &peer : nullptr;
  const bool connected = peer.attributes.dest_qp_num == qp.qp_num &&
                         peer.attributes.rq_psn == qp.attributes.sq_psn &&
                         peer.attributes.path_mtu == qp.attributes.path_mtu;
  return connected ? &peer : nullptr;
}

World::Outcome World::carry_out(QueuePair& qp, SendRequest& request, ibv_wc_status& status) {
  const ibv_sge& piece = request.piece;
  if (request.inlined.empty() && region_of(piece.lkey, piece.addr, piece.length, 0) == nullptr) {
    status = IBV_WC_LOC_PROT_ERR;
    return Outcome::done;
  }
  QueuePair* peer = peer_of(qp, request);
  if (peer == nullptr) {
    if (qp.qp_type == IBV_QPT_RC) status = IBV_WC_RETRY_EXC_ERR;
    return Outcome::done;
  }
  if (needs_receive(request.wr.opcode) && peer->receives.empty()) {
    if (qp.qp_type == IBV_QPT_RC) return Outcome::waits;
    return Outcome::done;  // dropped
  }
  if (lose_in > 0 && --lose_in == 0) return Outcome::done;
  return hand_over(qp, *peer, request, status);
}

World::Outcome World::hand_over(QueuePair& qp, QueuePair& peer, SendRequest& request, ibv_wc_status& status) {
  const std::uint32_t bytes = request.piece.length;
  if (request.wr.opcode != IBV_WR_SEND) {
    status = reach_memory(qp, peer, request);
    if (status == IBV_WC_SUCCESS && needs_receive(request.wr.opcode))
      complete_receive(peer, IBV_WC_RECV_RDMA_WITH_IMM, bytes, IBV_WC_SUCCESS);
    return Outcome::done;
  }
  const std::uint32_t header = qp.qp_type == IBV_QPT_UD ? 40 : 0;
  const ibv_sge target = peer.receives.front().second;
  if (target.length < bytes + header) {
    if (qp.qp_type == IBV_QPT_RC) status = IBV_WC_REM_INV_REQ_ERR;
    complete_receive(peer, IBV_WC_RECV, bytes, IBV_WC_LOC_LEN_ERR);
    if (qp.qp_type == IBV_QPT_RC) fail(peer);
    return Outcome::done;
  }
  if (region_of(target.lkey, target.addr, bytes + header, IBV_ACCESS_LOCAL_WRITE) == nullptr) {
    status = IBV_WC_REM_OP_ERR;
    return Outcome::done;
  }
  move(target.addr + header,
       request.inlined.empty() ? reinterpret_cast<const void*>(request.piece.addr) : request.inlined.data(),
       bytes);
  complete_receive(peer, IBV_WC_RECV, bytes + header, IBV_WC_SUCCESS);
  return Outcome::done;
}

/// Write, read and atomics: straight to or from the peer's memory.
ibv_wc_status World::reach_memory(QueuePair& qp, QueuePair& peer, SendRequest& request) {
  const ibv_wr_opcode opcode = request.wr.opcode;
  const std::uint64_t local = request.piece.addr;
  const bool atomic = is_atomic(opcode);
  const auto& wr = request.wr.wr;
  const std::uint64_t remote = atomic ? wr.atomic.remote_addr : wr.rdma.remote_addr;
  const int access = atomic                       ? IBV_ACCESS_REMOTE_ATOMIC
                     : opcode == IBV_WR_RDMA_READ ? IBV_ACCESS_REMOTE_READ
                                                  : IBV_ACCESS_REMOTE_WRITE;
  const std::size_t bytes = request.piece.length;
  const bool right = (peer.attributes.qp_access_flags & static_cast<unsigned>(access)) != 0 &&
                     region_of(atomic ? wr.atomic.rkey : wr.rdma.rkey, remote, bytes, access) != nullptr;
  if (!right) {
    fail(peer);
    return qp.qp_type == IBV_QPT_RC ? IBV_WC_REM_ACCESS_ERR : IBV_WC_SUCCESS;
  }
  if (atomic) {
    if (bytes != 8 || remote % 8 != 0) return IBV_WC_REM_INV_REQ_ERR;
    std::uint64_t held_there = 0;
    std::memcpy(&held_there, reinterpret_cast<const void*>(remote), 8);
    move(local, &held_there, 8);
    const bool adds = opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
    const std::uint64_t now = adds                                  ? held_there + wr.atomic.compare_add
                              : held_there == wr.atomic.compare_add ? wr.atomic.swap
                                                                    : held_there;
    store(reinterpret_cast<volatile std::byte*>(remote), reinterpret_cast<const std::byte*>(&now), 8);
  } else if (opcode == IBV_WR_RDMA_READ) {
    move(local, reinterpret_cast<const void*>(remote), bytes);
  } else {
    move(remote, request.inlined.empty() ? reinterpret_cast<const void*>(local) : request.inlined.data(),
         bytes);
  }
  return IBV_WC_SUCCESS;
}

Region* World::region_of(std::uint32_t key, std::uint64_t address, std::size_t bytes, int access) {
  const auto found = regions.find(key);
  if (found == regions.end()) return nullptr;
  const auto begin = reinterpret_cast<std::uint64_t>(found->second->addr);
  const bool covers = address >= begin && address + bytes <= begin + found->second->length;
  return covers && (found->second->access & access) == access ? found->second : nullptr;
}

void World::move(std::uint64_t to, const void* from, std::size_t bytes) {
  const auto* source = static_cast<const std::byte*>(from);
  std::vector<std::byte> copy(bytes);
  store(copy.data(), source, bytes);
  if (spoiled_byte) copy.at(*spoiled_byte) ^= std::byte{0xff};
  store(reinterpret_cast<volatile std::byte*>(to), copy.data(), bytes);
}

void World::complete_send(QueuePair& qp, const SendRequest& request, ibv_wc_status status) {
  ++qp.unreported;
  if ((request.wr.send_flags & IBV_SEND_SIGNALED) == 0 && status == IBV_WC_SUCCESS) return;
  Completion completion{.frees = &qp, .slots = qp.unreported};
  qp.unreported = 0;
  completion.wc.wr_id = request.wr.wr_id;
  completion.wc.status = status;
  completion.wc.qp_num = qp.qp_num;
  auto& queue = *static_cast<Queue*>(qp.send_cq);
  if (holding)
    held.emplace_back(&queue, completion);
  else
    deliver(queue, completion);
}

void World::complete_receive(QueuePair& qp, ibv_wc_opcode opcode, std::uint32_t bytes, ibv_wc_status status) {
  Completion completion;
  completion.wc.wr_id = qp.receives.front().first;
  qp.receives.pop_front();
  completion.wc.status = status;
  completion.wc.opcode = opcode;
  completion.wc.byte_len = bytes;
  completion.wc.qp_num = qp.qp_num;
  deliver(*static_cast<Queue*>(qp.recv_cq), completion);
}

void World::deliver(Queue& queue, const Completion& completion) {
  if (queue.ready.size() >= static_cast<std::size_t>(queue.cqe)) blame("a completion queue was overrun");
  queue.ready.push_back(completion);
  if (!queue.armed || queue.channel == nullptr) return;
  queue.armed = false;
  ibv_cq* token = &queue;
  if (write(static_cast<Channel*>(queue.channel)->write_end, &token, sizeof token) != sizeof token)
    blame("a completion channel was overrun");
}

}  // namespace assay::rdma::fake
