// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/queue_pair.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

void refuse_too_deep(const Device& device, const QueueDepths& depths) {
  const int most = device.limits().max_qp_wr;
  const int asked = std::max(depths.send, depths.receive);
  if (asked > most)
    core::usage_error(fmt::format("a queue of {} work requests is deeper than {} allows ({}): lower tx_depth",
                                  asked, device.name(), most));
}

}  // namespace

QueuePair::QueuePair(const Device& device, ibv_pd* domain, const CompletionQueue& sends,
                     const CompletionQueue& receives, Transport transport, const QueueDepths& depths)
    : transport_(transport) {
  refuse_too_deep(device, depths);
  ibv_qp_init_attr asked{};
  asked.send_cq = sends.get();
  asked.recv_cq = receives.get();
  asked.qp_type = type_of(transport);
  asked.cap.max_send_wr = static_cast<std::uint32_t>(depths.send);
  asked.cap.max_recv_wr = static_cast<std::uint32_t>(depths.receive);
  asked.cap.max_send_sge = 1;
  asked.cap.max_recv_sge = 1;
  asked.cap.max_inline_data = static_cast<std::uint32_t>(depths.inline_bytes);
  ibv_qp* made = ibv_create_qp(domain, &asked);
  if (made == nullptr)
    throw_verbs(errno, fmt::format("create a queue pair ({}, {} sends, {} receives, {} inline bytes)",
                                   to_string(transport), depths.send, depths.receive, depths.inline_bytes));
  qp_.reset(made);
  inline_bytes_ = static_cast<int>(asked.cap.max_inline_data);
}

}  // namespace assay::rdma
