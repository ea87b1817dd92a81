// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <initializer_list>

namespace assay::core {

/// Installs `handler`, which may only do what is safe in one (lock-free atomics, _exit); calls that it
/// interrupts continue.
inline void handle_signals(std::initializer_list<int> signals, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  for (const int signal : signals) sigaction(signal, &action, nullptr);
}

/// The signals by which a user, a scheduler or the end of a terminal asks a program to stop. SIGHUP stays
/// ignored where it is (nohup).
inline void handle_stop_signals(void (*handler)(int)) {
  handle_signals({SIGINT, SIGTERM}, handler);
  struct sigaction before = {};
  if (sigaction(SIGHUP, nullptr, &before) != 0 || before.sa_handler != SIG_IGN)
    handle_signals({SIGHUP}, handler);
}

}  // namespace assay::core
