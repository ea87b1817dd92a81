// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/completion_queue.hpp"

#include <cerrno>

#include "rdma/verbs/check.hpp"

namespace assay::rdma {

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

void CompletionQueue::wait() {
  if (completion_ == Completion::polling) return;
  ibv_cq* cq = nullptr;
  void* context = nullptr;
  if (ibv_get_cq_event(channel_.get(), &cq, &context) != 0) {
    if (errno == EINTR || errno == EAGAIN) return;
    throw_verbs(errno, "wait for a completion event");
  }
  constexpr unsigned acknowledged_together = 64;
  if (++unacknowledged_ == acknowledged_together) {
    ibv_ack_cq_events(cq_.get(), unacknowledged_);
    unacknowledged_ = 0;
  }
  // Armed before the caller polls: a completion that comes in between raises the next event.
  arm();
}

}  // namespace assay::rdma
