// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// libibverbs' entry points for protection domains, memory, completion queues, queue pairs and addresses.
// Datagrams, completion events and memory of a GPU are refused.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "rdma/tests/simulated/queue_pair.hpp"
#include "rdma/tests/simulated/thread_clock.hpp"

#undef ibv_reg_mr

using namespace assay::rdma::simulated;

namespace {

template <class Object>
Object* refused(int error) {
  errno = error;
  return nullptr;
}

SharedQueuePair begun_by(const Adapter& adapter) {
  SharedQueuePair pair{};
  pair.owner = getpid();
  pair.port = adapter.port;
  pair.leaf = adapter.leaf;
  pair.bytes_per_s = adapter.bytes_per_s;
  pair.bad_message_of = adapter.bad_message_of;
  return pair;
}

void flush(SharedQueuePair& pair) {
  for (; !pair.receives.empty(); pair.receives.pop())
    pair.arrived.push({.id = pair.receives.front().id,
                       .at_s = now_s(),
                       .bytes = 0,
                       .opcode = IBV_WC_RECV,
                       .status = IBV_WC_WR_FLUSH_ERR});
}

}  // namespace

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) { return new ibv_pd{context, 0}; }

int ibv_dealloc_pd(ibv_pd* domain) {
  delete domain;
  return 0;
}

ibv_mr* ibv_reg_mr(ibv_pd* domain, void* address, std::size_t bytes, int access) {
  const Locked fabric;
  const std::uint32_t key = take_region(*fabric);
  if (key == 0) return refused<ibv_mr>(ENOMEM);
  *region_of(*fabric, key) = {getpid(), reinterpret_cast<std::uint64_t>(address), bytes, access};
  return new ibv_mr{domain->context, domain, address, bytes, 0, key, key};
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* domain, void* address, std::size_t bytes, std::uint64_t, unsigned access) {
  return ibv_reg_mr(domain, address, bytes, static_cast<int>(access));
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int, int) {
  return refused<ibv_mr>(EOPNOTSUPP);
}

int ibv_dereg_mr(ibv_mr* region) {
  const Locked fabric;
  *region_of(*fabric, region->rkey) = {};
  delete region;
  return 0;
}

ibv_comp_channel* ibv_create_comp_channel(ibv_context*) { return refused<ibv_comp_channel>(EOPNOTSUPP); }
int ibv_destroy_comp_channel(ibv_comp_channel*) { return EOPNOTSUPP; }
int ibv_get_cq_event(ibv_comp_channel*, ibv_cq**, void**) { return EOPNOTSUPP; }
void ibv_ack_cq_events(ibv_cq*, unsigned) {}

ibv_cq* ibv_create_cq(ibv_context* context, int entries, void*, ibv_comp_channel*, int) {
  auto* const queue = new CompletionQueue{};
  queue->context = context;
  queue->cqe = entries;
  return queue;
}

int ibv_destroy_cq(ibv_cq* queue) {
  delete static_cast<CompletionQueue*>(queue);
  return 0;
}

ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* asked) {
  constexpr std::uint32_t most_inline_bytes = 220;
  if (asked->qp_type == IBV_QPT_UD) return refused<ibv_qp>(EOPNOTSUPP);
  if (asked->cap.max_inline_data > most_inline_bytes) return refused<ibv_qp>(EINVAL);
  const Locked fabric;
  const std::uint32_t number = take_pair(*fabric);
  if (number == 0) return refused<ibv_qp>(ENOMEM);
  *pair_of(*fabric, number) = begun_by(static_cast<Context*>(domain->context)->adapter);
  // Ranks make their queue pairs while nothing is under way: then their clocks are set to one time.
  advance_to(fabric->latest_s);
  fabric->latest_s = now_s();
  auto* const pair = new QueuePair{};
  pair->context = domain->context;
  pair->pd = domain;
  pair->send_cq = asked->send_cq;
  pair->recv_cq = asked->recv_cq;
  pair->qp_type = asked->qp_type;
  pair->qp_num = number;
  pair->cap = asked->cap;
  static_cast<CompletionQueue*>(asked->send_cq)->pairs.push_back(pair);
  return pair;
}

int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* attributes, int mask) {
  const Locked fabric;
  auto& pair = *static_cast<QueuePair*>(qp);
  SharedQueuePair& own = *pair_of(*fabric, pair.qp_num);
  if ((mask & IBV_QP_DEST_QPN) != 0) own.peer = pair.peer = attributes->dest_qp_num;
  if ((mask & IBV_QP_RQ_PSN) != 0) own.first_expected = attributes->rq_psn;
  if ((mask & IBV_QP_SQ_PSN) != 0) own.first_sent = attributes->sq_psn;
  pair.state = attributes->qp_state;
  own.receives_packets = pair.state == IBV_QPS_RTR || pair.state == IBV_QPS_RTS;
  if (pair.state == IBV_QPS_ERR) flush(own);
  return 0;
}

int ibv_query_qp_data_in_order(ibv_qp*, ibv_wr_opcode, std::uint32_t) { return 1; }

int ibv_destroy_qp(ibv_qp* qp) {
  auto* const pair = static_cast<QueuePair*>(qp);
  const Locked fabric;
  set_busy(*fabric, *pair, false);
  std::erase(static_cast<CompletionQueue*>(pair->send_cq)->pairs, pair);
  watch_arrivals(0);
  *pair_of(*fabric, pair->qp_num) = {};
  delete pair;
  return 0;
}

ibv_ah* ibv_create_ah(ibv_pd*, ibv_ah_attr*) { return refused<ibv_ah>(EOPNOTSUPP); }
int ibv_destroy_ah(ibv_ah*) { return 0; }

}  // extern "C"
