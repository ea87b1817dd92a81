// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/interrupt.hpp"

#include <unistd.h>

#include "harness/core/process/exit_code.hpp"
#include "harness/core/process/handle_signals.hpp"
#include "harness/core/process/stop_request.hpp"

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
  // SIGUSR1 is an interrupt that came by srun or mpirun, which pass it on.
  core::handle_stop_signals(on_interrupt);
  core::handle_signals({SIGUSR1}, on_interrupt);
  // No one reads the output, or the supervisor ended: no reason to stop.
  core::handle_signals({SIGPIPE}, SIG_IGN);
  return interrupted;
}

}  // namespace assay::run
