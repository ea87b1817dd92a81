// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/interrupt_count.hpp"

#include "harness/core/process/handle_signals.hpp"

namespace assay::cli {
namespace {

std::atomic<int> interrupts{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_signal(int) { ++interrupts; }

}  // namespace

const std::atomic<int>& count_interrupts() {
  core::handle_stop_signals(on_signal);
  return interrupts;
}

}  // namespace assay::cli
