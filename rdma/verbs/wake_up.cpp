// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/wake_up.hpp"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>

#include "harness/core/error.hpp"

namespace assay::rdma {
namespace {

int wake_signal() { return SIGRTMIN + 3; }

/// Handled, so that it interrupts; without SA_RESTART, so that the interrupted call returns.
void handle_wake_signal() {
  struct sigaction action{};
  action.sa_handler = [](int) {};
  sigemptyset(&action.sa_mask);
  sigaction(wake_signal(), &action, nullptr);
}

}  // namespace

WakeUp::WakeUp(double period_s) {
  handle_wake_signal();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = wake_signal();
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0)
    throw core::Error(core::ErrorKind::system, "create a wake-up timer", errno);
  const auto whole = std::floor(period_s);
  const timespec period{static_cast<time_t>(whole), static_cast<long>((period_s - whole) * 1e9)};
  const itimerspec periodic{period, period};
  timer_settime(timer_, 0, &periodic, nullptr);
}

WakeUp::~WakeUp() { timer_delete(timer_); }

}  // namespace assay::rdma
