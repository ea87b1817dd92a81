// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/passed_signals.hpp"

#include "harness/core/process/handle_signals.hpp"

namespace assay::suite {
namespace {

std::atomic<int> latest{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_passed_signal(int signal) { latest = signal; }

}  // namespace

const std::atomic<int>& pass_on_signals() {
  core::handle_stop_signals(on_passed_signal);
  core::handle_signals({SIGUSR1}, on_passed_signal);
  return latest;
}

}  // namespace assay::suite
