// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A timer that interrupts this thread's blocking calls now and then, so that a wait for an event can end
// without a second system call in every wait.
#pragma once

#include <ctime>

namespace assay::rdma {

class WakeUp {
 public:
  /// Interrupts (EINTR) whatever blocks in the calling thread, every `period_s` seconds, while this lives.
  explicit WakeUp(double period_s);
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

 private:
  timer_t timer_ = nullptr;
};

}  // namespace assay::rdma
