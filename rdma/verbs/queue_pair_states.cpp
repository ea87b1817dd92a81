// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The one place where queue pairs change state: RESET, INIT, RTR, RTS, ERROR. Which attributes a transition
// takes is table 91 of the InfiniBand Architecture Specification 1.4.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "harness/core/error.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs/queue_pair.hpp"

namespace assay::rdma {
namespace {

void modify(ibv_qp* qp, ibv_qp_attr& attributes, int mask, const std::string& doing) {
  check_verbs(ibv_modify_qp(qp, &attributes, mask | IBV_QP_STATE), doing.c_str());
}

ibv_mtu mtu_code(int bytes) {
  return static_cast<ibv_mtu>(std::countr_zero(static_cast<unsigned>(bytes)) - 7);
}

std::uint8_t outstanding_reads(int limit) { return static_cast<std::uint8_t>(std::clamp(limit, 0, 16)); }

void ready_to_receive(ibv_qp* qp, const Device& device, const Gid& own_gid, const QueuePairAddress& peer,
                      const PathSettings& path, const RetrySettings& retry) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTR;
  if (qp->qp_type == IBV_QPT_UD) return modify(qp, attributes, 0, "move a queue pair to RTR");
  attributes.path_mtu = mtu_code(agreed_mtu_bytes(path.mtu_bytes, device.active_mtu_bytes(), peer.mtu_bytes));
  attributes.dest_qp_num = peer.number;
  attributes.rq_psn = peer.first_packet;
  attributes.ah_attr = address_attributes(device, own_gid, peer, path);
  int mask = IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
  if (qp->qp_type == IBV_QPT_RC) {
    attributes.max_dest_rd_atomic = outstanding_reads(device.limits().max_qp_rd_atom);
    attributes.min_rnr_timer = static_cast<std::uint8_t>(retry.receiver_not_ready_timer);
    mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  }
  const Gid towards{.index = 0, .raw = peer.gid, .type = {}};
  modify(qp, attributes, mask,
         fmt::format("move a queue pair to RTR towards GID {} (can it be reached from {}?)", towards.text(),
                     own_gid.text()));
}

void set_retries(ibv_qp_attr& attributes, const Device& device, const RetrySettings& retry) {
  attributes.timeout = static_cast<std::uint8_t>(retry.timeout);
  attributes.retry_cnt = static_cast<std::uint8_t>(retry.count);
  attributes.rnr_retry = static_cast<std::uint8_t>(retry.receiver_not_ready);
  attributes.max_rd_atomic = outstanding_reads(device.limits().max_qp_init_rd_atom);
}

void ready_to_send(ibv_qp* qp, const Device& device, std::uint32_t first_packet, const RetrySettings& retry) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_RTS;
  attributes.sq_psn = first_packet;
  int mask = IBV_QP_SQ_PSN;
  if (qp->qp_type == IBV_QPT_RC) {
    set_retries(attributes, device, retry);
    mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  }
  modify(qp, attributes, mask, "move a queue pair to RTS");
}

}  // namespace

int agreed_mtu_bytes(int asked, int own, int peers) {
  const int both = std::min(own, peers);
  if (asked == 0) return both;
  const bool exists = asked >= 256 && asked <= 4096 && std::has_single_bit(static_cast<unsigned>(asked));
  if (!exists)
    core::usage_error(fmt::format("mtu={}: a path MTU is 256, 512, 1024, 2048 or 4096 bytes", asked));
  if (asked > both)
    core::usage_error(
        fmt::format("mtu={}: the ports' active MTUs are {} here and {} at the peer; raise the "
                    "interfaces' MTU or lower this",
                    asked, own, peers));
  return asked;
}

ibv_ah_attr address_attributes(const Device& device, const Gid& own_gid, const QueuePairAddress& peer,
                               const PathSettings& path) {
  ibv_ah_attr attributes{};
  attributes.port_num = static_cast<std::uint8_t>(device.port());
  attributes.sl = static_cast<std::uint8_t>(path.service_level);
  attributes.dlid = peer.lid;
  // RoCE always routes by GID; on InfiniBand a global header is for what a LID alone cannot say.
  if (device.ethernet() || path.gid_index >= 0 || peer.lid == 0) {
    attributes.is_global = 1;
    attributes.grh.dgid = peer.gid;
    attributes.grh.sgid_index = static_cast<std::uint8_t>(own_gid.index);
    attributes.grh.hop_limit = 64;
    attributes.grh.traffic_class = static_cast<std::uint8_t>(path.traffic_class);
    attributes.grh.flow_label = path.flow_label;
  }
  return attributes;
}

void QueuePair::initialize(const Device& device) {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_INIT;
  attributes.port_num = static_cast<std::uint8_t>(device.port());
  int mask = IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  if (transport_ == Transport::ud) {
    attributes.qkey = datagram_key;
    mask |= IBV_QP_QKEY;
  } else {
    attributes.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE;
    if (transport_ == Transport::rc)
      attributes.qp_access_flags |= IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
    mask |= IBV_QP_ACCESS_FLAGS;
  }
  modify(qp_.get(), attributes, mask, "move a queue pair to INIT");
}

void QueuePair::connect(const Device& device, const Gid& own_gid, std::uint32_t own_first_packet,
                        const QueuePairAddress& peer, const PathSettings& path, const RetrySettings& retry) {
  ready_to_receive(qp_.get(), device, own_gid, peer, path, retry);
  ready_to_send(qp_.get(), device, own_first_packet, retry);
}

void QueuePair::connect_by(const AttributesOf& attributes_of, const Device& device, const Gid& own_gid,
                           const QueuePairAddress& peer, const PathSettings& path,
                           const RetrySettings& retry) {
  ibv_qp_attr receiving{};
  receiving.qp_state = IBV_QPS_RTR;
  int mask = attributes_of(receiving);
  receiving.path_mtu = mtu_code(agreed_mtu_bytes(path.mtu_bytes, device.active_mtu_bytes(), peer.mtu_bytes));
  receiving.ah_attr = address_attributes(device, own_gid, peer, path);
  receiving.max_dest_rd_atomic = outstanding_reads(device.limits().max_qp_rd_atom);
  receiving.min_rnr_timer = static_cast<std::uint8_t>(retry.receiver_not_ready_timer);
  modify(qp_.get(), receiving, mask, "move a queue pair to RTR as rdma_cm says");
  ibv_qp_attr sending{};
  sending.qp_state = IBV_QPS_RTS;
  mask = attributes_of(sending);
  set_retries(sending, device, retry);
  modify(qp_.get(), sending, mask, "move a queue pair to RTS as rdma_cm says");
}

void QueuePair::fail() {
  ibv_qp_attr attributes{};
  attributes.qp_state = IBV_QPS_ERR;
  modify(qp_.get(), attributes, 0, "move a queue pair to ERROR");
}

}  // namespace assay::rdma
