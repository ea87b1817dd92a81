// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module as a process: started, listened to, interrupted or killed, and waited for. One that a driver holds
// where no signal ends it (state D) is left behind, and named.
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
  /// The process that did not end although it was killed: "process 4711 (state D) ...". Else empty.
  std::string left_behind = {};
};

/// Whom signals reach: the process with all that it started itself, or the process alone. A launcher passes
/// them on in its own way, and a rank must not hear one twice.
enum class Reach { group, process };

/// Settings of a process beyond its words; -1: as this process has it.
struct Surroundings {
  std::vector<int> keep = {};  // descriptors that stay open in it
  int stdin_descriptor = -1;   // -1: nothing to read
  int stdout_descriptor = -1, stderr_descriptor = -1;
  Reach reach = Reach::group;
  double dies_within_s = 60;  // of a kill: unmapping and unpinning memory takes a while
};

class Child {
 public:
  /// Starts argv[0] in a process group of its own. It is sent SIGTERM
  /// when this process dies. Throws core::Error(system) when it cannot be started.
  Child(const std::vector<std::string>& argv, const Surroundings& surroundings);
  /// Kills what still runs, and waits for it as wait() does.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;
  /// SIGKILL, after SIGTERM and up to `grace_s` to end by itself where that is not 0. Does not wait for the
  /// end.
  void kill_after(double grace_s);
  /// True once it has ended; then ending() says how. Does not block.
  bool ended();
  /// Blocks until it ends; once kill_after() was called, for `dies_within_s` at most.
  Ending wait();

 private:
  void reap(int status);
  void leave_behind();

  pid_t pid_ = -1;
  Reach reach_;
  double dies_within_s_;
  bool ended_ = false, killed_ = false;
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

/// How run_and_read treats a program that takes too long.
struct Patience {
  double limit_s = no_limit_s;
  double grace_s = 0;  // see Child::kill_after
  Reach reach = Reach::group;
  double dies_within_s = Surroundings{}.dies_within_s;
  double interrupted_s = 0;  // what it still may take once an interrupt is counted
};

/// Runs a program to its end and returns what it printed on standard output. It is killed when its limit is
/// over, and when `signals`, where given, counts an interrupt and the time for that is over.
Output run_and_read(const std::vector<std::string>& argv, const Patience& patience = {},
                    const std::atomic<int>* signals = nullptr);

}  // namespace assay::suite
