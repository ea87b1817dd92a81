// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A room as a process: started, listened to, interrupted or killed, and never left behind.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>
#include <vector>

namespace assay::suite {

/// How a process ended.
struct Ending {
  int exit_code = 0;  // meaningful when signal is 0
  int signal = 0;     // the signal that ended it, 0 if none
};

class Child {
 public:
  /// Starts argv[0] in a process group of its own; descriptors named in `keep` stay open in it. It is sent
  /// SIGTERM when this process dies. Throws core::Error(system) when it cannot be started.
  Child(const std::vector<std::string>& argv, const std::vector<int>& keep, int stdout_descriptor = -1);
  /// Kills what still runs, and waits for it.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  /// True once it has ended; then ending() tells how. Does not block.
  bool ended();
  /// Blocks until it ends.
  Ending wait();

 private:
  void reap(int status);

  pid_t pid_ = -1;
  bool ended_ = false;
  Ending ending_;
};

/// Both ends of a pipe; closed with it.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_write_end() { close_end(1); }
  void close_read_end() { close_end(0); }

 private:
  void close_end(int which);

  int ends_[2] = {-1, -1};
};

struct Output {
  Ending ending;
  std::string text;
  bool timed_out = false;
};

inline constexpr double no_limit_s = 1e9;

/// Runs a program to its end and returns what it printed on standard output. It is killed when `limit_s` is
/// over, and when `signals`, where given, counts an interrupt.
Output run_and_read(const std::vector<std::string>& argv, double limit_s = no_limit_s,
                    const std::atomic<int>* signals = nullptr);

}  // namespace assay::suite
