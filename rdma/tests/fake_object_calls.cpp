// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// libibverbs' entry points for protection domains, memory, completion queues, queue pairs and addresses.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "rdma/tests/fake_world.hpp"

#undef ibv_reg_mr

using namespace assay::rdma::fake;

namespace {

/// Counts the call; true, with errno set, where it must fail.
bool refused(const char* function) {
  const int error = world().enter(function);
  if (error != 0) errno = error;
  return error != 0;
}

Region* new_region(ibv_pd* domain, void* address, std::size_t bytes, int access) {
  World& all = world();
  const std::lock_guard lock(all.mutex);
  auto* region = new Region{};
  region->context = domain->context;
  region->pd = domain;
  region->addr = address;
  region->length = bytes;
  region->access = access;
  region->lkey = all.next_key++;
  region->rkey = all.next_key++;
  all.regions[region->lkey] = all.regions[region->rkey] = region;
  all.made("ibv_mr");
  return region;
}

/// The attributes that a transition must bring, no more and no less: InfiniBand Architecture
/// Specification 1.4, table 91.
int required(ibv_qp_type type, ibv_qp_state to) {
  const bool reliable = type == IBV_QPT_RC, datagram = type == IBV_QPT_UD;
  if (to == IBV_QPS_INIT)
    return IBV_QP_PKEY_INDEX | IBV_QP_PORT | (datagram ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS);
  if (to == IBV_QPS_RTR && datagram) return 0;
  if (to == IBV_QPS_RTR)
    return IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
           (reliable ? IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER : 0);
  if (to == IBV_QPS_RTS)
    return IBV_QP_SQ_PSN |
           (reliable ? IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC : 0);
  return 0;
}

bool follows(ibv_qp_state from, ibv_qp_state to) {
  if (to == IBV_QPS_ERR) return true;
  return (from == IBV_QPS_RESET && to == IBV_QPS_INIT) || (from == IBV_QPS_INIT && to == IBV_QPS_RTR) ||
         (from == IBV_QPS_RTR && to == IBV_QPS_RTS);
}

void keep(ibv_qp_attr& held, const ibv_qp_attr& given, int mask) {
  if ((mask & IBV_QP_ACCESS_FLAGS) != 0) held.qp_access_flags = given.qp_access_flags;
  if ((mask & IBV_QP_QKEY) != 0) held.qkey = given.qkey;
  if ((mask & IBV_QP_AV) != 0) held.ah_attr = given.ah_attr;
  if ((mask & IBV_QP_PATH_MTU) != 0) held.path_mtu = given.path_mtu;
  if ((mask & IBV_QP_DEST_QPN) != 0) held.dest_qp_num = given.dest_qp_num;
  if ((mask & IBV_QP_RQ_PSN) != 0) held.rq_psn = given.rq_psn;
  if ((mask & IBV_QP_SQ_PSN) != 0) held.sq_psn = given.sq_psn;
}

}  // namespace

extern "C" {

ibv_pd* ibv_alloc_pd(ibv_context* context) {
  if (refused("ibv_alloc_pd")) return nullptr;
  const std::lock_guard lock(world().mutex);
  world().made("ibv_pd");
  return new ibv_pd{context, 0};
}

int ibv_dealloc_pd(ibv_pd* domain) {
  const std::lock_guard lock(world().mutex);
  const auto of_domain = [&](const auto& entry) { return entry.second->pd == domain; };
  if (std::ranges::any_of(world().regions, of_domain) || std::ranges::any_of(world().queue_pairs, of_domain))
    world().blame("a protection domain was deallocated before what it holds");
  world().gone("ibv_pd");
  delete domain;
  return 0;
}

ibv_mr* ibv_reg_mr(ibv_pd* domain, void* address, std::size_t bytes, int access) {
  return refused("ibv_reg_mr") ? nullptr : new_region(domain, address, bytes, access);
}

ibv_mr* ibv_reg_mr_iova2(ibv_pd* domain, void* address, std::size_t bytes, std::uint64_t, unsigned access) {
  return ibv_reg_mr(domain, address, bytes, static_cast<int>(access));
}

ibv_mr* ibv_reg_dmabuf_mr(ibv_pd*, std::uint64_t, std::size_t, std::uint64_t, int, int) {
  if (!refused("ibv_reg_dmabuf_mr")) errno = EOPNOTSUPP;
  return nullptr;
}

int ibv_dereg_mr(ibv_mr* region) {
  const std::lock_guard lock(world().mutex);
  world().regions.erase(region->lkey);
  world().regions.erase(region->rkey);
  world().gone("ibv_mr");
  delete static_cast<Region*>(region);
  return 0;
}

ibv_comp_channel* ibv_create_comp_channel(ibv_context* context) {
  int ends[2] = {-1, -1};
  if (refused("ibv_create_comp_channel") || pipe2(ends, O_CLOEXEC) != 0) return nullptr;
  const std::lock_guard lock(world().mutex);
  world().made("ibv_comp_channel");
  auto* channel = new Channel{};
  channel->context = context;
  channel->fd = ends[0];
  channel->write_end = ends[1];
  return channel;
}

int ibv_destroy_comp_channel(ibv_comp_channel* channel) {
  const std::lock_guard lock(world().mutex);
  if (channel->refcnt > 0) world().blame("a completion channel was destroyed before its queue");
  close(channel->fd);
  close(static_cast<Channel*>(channel)->write_end);
  world().gone("ibv_comp_channel");
  delete static_cast<Channel*>(channel);
  return 0;
}

ibv_cq* ibv_create_cq(ibv_context* context, int entries, void*, ibv_comp_channel* channel, int) {
  if (refused("ibv_create_cq")) return nullptr;
  const std::lock_guard lock(world().mutex);
  if (entries < 1 || entries > static_cast<Context*>(context)->spec->max_cqe) {
    errno = EINVAL;
    return nullptr;
  }
  auto* queue = new Queue{};
  queue->context = context;
  queue->channel = channel;
  queue->cqe = entries;
  if (channel != nullptr) ++channel->refcnt;
  world().made("ibv_cq");
  return queue;
}

int ibv_destroy_cq(ibv_cq* queue) {
  const std::lock_guard lock(world().mutex);
  auto* own = static_cast<Queue*>(queue);
  for (const auto& [number, qp] : world().queue_pairs)
    if (qp->send_cq == queue || qp->recv_cq == queue)
      world().blame("a completion queue was destroyed before its queue pair");
  // The real one would wait for ever.
  if (own->unacknowledged > 0) world().blame("a completion queue was destroyed with unacknowledged events");
  if (queue->channel != nullptr) --queue->channel->refcnt;
  world().gone("ibv_cq");
  delete own;
  return 0;
}

int ibv_get_cq_event(ibv_comp_channel* channel, ibv_cq** queue, void** context) {
  if (refused("ibv_get_cq_event")) return -1;
  if (read(channel->fd, queue, sizeof *queue) != sizeof *queue) return -1;
  const std::lock_guard lock(world().mutex);
  ++static_cast<Queue*>(*queue)->unacknowledged;
  *context = nullptr;
  return 0;
}

void ibv_ack_cq_events(ibv_cq* queue, unsigned count) {
  const std::lock_guard lock(world().mutex);
  static_cast<Queue*>(queue)->unacknowledged -= static_cast<int>(count);
}

ibv_qp* ibv_create_qp(ibv_pd* domain, ibv_qp_init_attr* asked) {
  if (refused("ibv_create_qp")) return nullptr;
  World& all = world();
  const std::lock_guard lock(all.mutex);
  const DeviceSpec& spec = *static_cast<Context*>(domain->context)->spec;
  const auto deepest = std::max(asked->cap.max_send_wr, asked->cap.max_recv_wr);
  if (deepest > static_cast<unsigned>(spec.max_qp_wr) ||
      asked->cap.max_inline_data > static_cast<unsigned>(spec.max_inline_bytes)) {
    errno = EINVAL;
    return nullptr;
  }
  auto* qp = new QueuePair{};
  qp->context = domain->context;
  qp->pd = domain;
  qp->send_cq = asked->send_cq;
  qp->recv_cq = asked->recv_cq;
  qp->qp_type = asked->qp_type;
  qp->state = IBV_QPS_RESET;
  qp->cap = asked->cap;
  qp->qp_num = all.next_number++;
  all.queue_pairs[qp->qp_num] = qp;
  all.made("ibv_qp");
  return qp;
}

int ibv_modify_qp(ibv_qp* qp, ibv_qp_attr* attributes, int mask) {
  World& all = world();
  if (const int error = all.enter("ibv_modify_qp"); error != 0) return error;
  const std::lock_guard lock(all.mutex);
  auto& own = *static_cast<QueuePair*>(qp);
  all.transitions.push_back({qp->qp_num, qp->qp_type, *attributes, mask});
  const ibv_qp_state to = attributes->qp_state;
  if (!follows(own.state, to) || mask != (required(own.qp_type, to) | IBV_QP_STATE)) return EINVAL;
  keep(own.attributes, *attributes, mask);
  if (to == IBV_QPS_ERR)
    all.fail(own);
  else
    own.state = to;
  return 0;
}

int ibv_query_qp_data_in_order(ibv_qp*, ibv_wr_opcode, std::uint32_t) { return 1; }

int ibv_destroy_qp(ibv_qp* qp) {
  World& all = world();
  const std::lock_guard lock(all.mutex);
  auto* own = static_cast<QueuePair*>(qp);
  for (ibv_cq* queue : {qp->send_cq, qp->recv_cq})
    std::erase_if(static_cast<Queue*>(queue)->ready,
                  [&](const Completion& completion) { return completion.wc.qp_num == qp->qp_num; });
  std::erase_if(all.held, [&](const auto& entry) { return entry.second.frees == own; });
  all.queue_pairs.erase(qp->qp_num);
  all.gone("ibv_qp");
  delete own;
  return 0;
}

ibv_ah* ibv_create_ah(ibv_pd* domain, ibv_ah_attr* attributes) {
  if (refused("ibv_create_ah")) return nullptr;
  const std::lock_guard lock(world().mutex);
  auto* handle = new AddressHandle{};
  handle->pd = domain;
  handle->context = domain->context;
  handle->attributes = *attributes;
  world().made("ibv_ah");
  return handle;
}

int ibv_destroy_ah(ibv_ah* handle) {
  const std::lock_guard lock(world().mutex);
  world().gone("ibv_ah");
  delete static_cast<AddressHandle*>(handle);
  return 0;
}

}  // extern "C"
