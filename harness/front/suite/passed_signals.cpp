// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/passed_signals.hpp"

#include <csignal>

namespace assay::suite {
namespace {

std::atomic<int> latest{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_passed_signal(int signal) { latest = signal; }

}  // namespace

const std::atomic<int>& pass_on_signals() {
  struct sigaction action = {};
  action.sa_handler = on_passed_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
  return latest;
}

}  // namespace assay::suite
