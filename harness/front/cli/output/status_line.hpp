// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The progress of a long computation, on a terminal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <iosfwd>
#include <mutex>
#include <string>
#include <thread>

namespace assay::cli {

/// "simulating ring: step 35 of 200, about 12 s left": one line, rewritten each half second from the second
/// second on, and gone at the end. Writes nothing where `terminal` is false.
class StatusLine {
 public:
  using Duration = std::chrono::milliseconds;

  StatusLine(std::ostream& out, bool terminal, std::string what, Duration quiet = std::chrono::seconds(1),
             Duration period = std::chrono::milliseconds(500));
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Called by several threads. None done: another computation begins.
  void show(std::size_t done, std::size_t of);

 private:
  using Clock = std::chrono::steady_clock;

  void rewrite(const std::stop_token& stop, Duration quiet, Duration period);
  std::string text() const;

  std::ostream& out_;
  std::string what_;
  mutable std::mutex mutex_;
  std::condition_variable_any wake_;
  std::size_t done_ = 0, of_ = 0;
  Clock::time_point start_ = Clock::now();
  std::jthread writer_;  // last: it reads the others
};

/// "about 12 s left", from how long what is done took; "" where nothing is done.
std::string time_left_text(std::size_t done, std::size_t of, double seconds);

}  // namespace assay::cli
