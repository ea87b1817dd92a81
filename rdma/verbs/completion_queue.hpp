// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A completion queue, polled or woken by events.
#pragma once

#include <array>
#include <span>

#include "rdma/verbs/device.hpp"

namespace assay::rdma {

enum class Completion { polling, events };

class CompletionQueue {
 public:
  CompletionQueue(const Device& device, int entries, Completion completion);
  ~CompletionQueue();
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  ibv_cq* get() const { return cq_.get(); }
  Completion completion() const { return completion_; }

  /// What has completed since, without waiting. The span lives until the next call.
  std::span<const ibv_wc> poll();

  /// With events: sleeps until something completes, or until a signal (see WakeUp) interrupts the sleep. May
  /// return with nothing to poll. With polling: returns at once.
  void wait();

 private:
  void arm();

  Completion completion_;
  CompletionChannelHandle channel_;
  CompletionQueueHandle cq_;
  unsigned unacknowledged_ = 0;  // acknowledging takes a lock: it is done for many events at a time
  std::array<ibv_wc, 32> completions_{};
};

}  // namespace assay::rdma
