// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/queue_pair.hpp"

#include <fmt/format.h>

#include <cerrno>

#include "harness/core/error.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs/opcode.hpp"

namespace assay::rdma {
namespace {

void refuse_too_deep(const Device& device, const QueueDepths& depths) {
  const int most = device.limits().max_qp_wr;
  const int asked = std::max(depths.send, depths.receive);
  if (asked > most)
    core::usage_error(fmt::format("a queue of {} work requests is deeper than {} allows ({}): lower tx_depth",
                                  asked, device.name(), most));
}

/// No attribute holds how much inline data a device takes: it is tried.
[[noreturn]] void refuse_queue_pair(int error_number, Transport transport, const QueueDepths& depths) {
  const std::string doing =
      fmt::format("create a queue pair ({}, {} sends, {} receives, {} inline bytes)", to_string(transport),
                  depths.send, depths.receive, depths.inline_bytes);
  if (error_number != EINVAL || depths.inline_bytes == 0) throw_verbs(error_number, doing);
  throw core::Unsupported(core::ErrorKind::verbs, doing + ": Invalid argument (errno 22): lower inline_bytes",
                          error_number);
}

}  // namespace

CompletionQueue::CompletionQueue(const Device& device, int entries, Completion completion)
    : completion_(completion) {
  if (completion == Completion::events)
    channel_.reset(made_by_verbs(ibv_create_comp_channel(device.context()), "create a completion channel"));
  cq_.reset(made_by_verbs(ibv_create_cq(device.context(), entries, nullptr, channel_.get(), 0),
                          "create a completion queue"));
  if (completion == Completion::events) arm();
}

CompletionQueue::~CompletionQueue() {
  if (unacknowledged_ > 0) ibv_ack_cq_events(cq_.get(), unacknowledged_);
}

void CompletionQueue::arm() { check_verbs(ibv_req_notify_cq(cq_.get(), 0), "ask for a completion event"); }

std::span<const ibv_wc> CompletionQueue::poll() {
  const int found = ibv_poll_cq(cq_.get(), static_cast<int>(completions_.size()), completions_.data());
  if (found < 0) throw_verbs(errno, "poll a completion queue");
  return {completions_.data(), static_cast<std::size_t>(found)};
}

bool CompletionQueue::wait() {
  if (completion_ == Completion::polling) return false;
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  if (ibv_get_cq_event(channel_.get(), &cq, &context) != 0) {
    if (errno == EINTR || errno == EAGAIN) return false;
    throw_verbs(errno, "wait for a completion event");
  }
  constexpr unsigned acknowledged_together = 64;
  if (++unacknowledged_ == acknowledged_together) {
    ibv_ack_cq_events(cq_.get(), unacknowledged_);
    unacknowledged_ = 0;
  }
  // Armed before the caller polls: a completion that comes in between raises the next event.
  arm();
  return true;
}

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
  if (made == nullptr) refuse_queue_pair(errno, transport, depths);
  qp_.reset(made);
  inline_bytes_ = static_cast<int>(asked.cap.max_inline_data);
}

}  // namespace assay::rdma
