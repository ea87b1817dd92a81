// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/interrupt.hpp"

#include <unistd.h>

#include <csignal>

#include "harness/core/exit_code.hpp"
#include "harness/core/stop_request.hpp"

namespace assay::run {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

extern "C" void on_interrupt(int) {
  if (interrupted.exchange(true)) _exit(core::exit_code::interrupted);
  core::request_stop();
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGUSR1, &action, nullptr);  // an interrupt that came by srun or mpirun, which pass it on
  action.sa_handler = SIG_IGN;  // no one reads the output, or the supervisor ended: no reason to stop
  sigaction(SIGPIPE, &action, nullptr);
  return interrupted;
}

}  // namespace assay::run
