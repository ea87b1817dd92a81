// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/supervise.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"

namespace assay::suite {
namespace {

using Steady = std::chrono::steady_clock;

/// The room's announcements as they arrive; may come in pieces.
class Heartbeats {
 public:
  explicit Heartbeats(int descriptor) : descriptor_(descriptor) {}

  /// Waits up to 100 ms. True when at least one whole line came; latest() is then the newest.
  bool wait() {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (closed_) {
      poll(nullptr, 0, 20);
      return false;
    }
    if (poll(&waiting, 1, 100) <= 0) return false;
    std::array<char, 4096> buffer{};
    const ssize_t got = read(descriptor_, buffer.data(), buffer.size());
    if (got == 0) closed_ = true;
    if (got <= 0) return false;
    text_.append(buffer.data(), static_cast<std::size_t>(got));
    bool any = false;
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      latest_ = parse_heartbeat(text_.substr(0, end));
      text_.erase(0, end + 1);
      any = true;
    }
    return any;
  }
  const Heartbeat& latest() const { return latest_; }

 private:
  int descriptor_;
  bool closed_ = false;
  std::string text_;
  Heartbeat latest_;
};

void note(Watched& watched, const Heartbeat& beat) {
  watched.any_point = true;
  watched.in_flight = beat;
  watched.started = core::iso_time_now();
}

}  // namespace

Heartbeat parse_heartbeat(const std::string& line) {
  Heartbeat beat;
  const char* const end = line.data() + line.size();
  const auto budget = std::from_chars(line.data(), end, beat.budget_s);
  const char* const gap = budget.ptr;
  const bool counted = budget.ec == std::errc() && gap != end && *gap == ' ';
  const auto repetition = std::from_chars(counted ? gap + 1 : end, end, beat.repetition);
  const auto first = static_cast<std::size_t>(repetition.ptr - line.data());
  const std::size_t second = line.find(' ', first + 1);
  if (repetition.ec != std::errc() || first >= line.size() || line[first] != ' ' ||
      second == std::string::npos)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("a room announced '{}' (expected: budget repetition case point)", line));
  beat.case_name = line.substr(first + 1, second - first - 1);
  beat.key = line.substr(second + 1);
  return beat;
}

double silence_limit_s(const Heartbeat& beat, double slack_s) { return slack_s + 5 * beat.budget_s; }

Watched supervise(std::vector<std::string> argv, double slack_s, const std::atomic<int>& signals,
                  const std::vector<std::string>& launch) {
  Pipe pipe;
  argv.insert(argv.begin(), launch.begin(), launch.end());
  argv.push_back(launch.empty() ? fmt::format("--heartbeat-fd={}", pipe.write_end())
                                : fmt::format("--heartbeat-file=/proc/{}/fd/{}", getpid(), pipe.write_end()));
  Child child(argv, {pipe.write_end()});
  if (launch.empty()) pipe.close_write_end();
  Heartbeats beats(pipe.read_end());
  Watched watched;
  auto last = Steady::now();
  for (int passed_on = 0; !child.ended();) {
    if (beats.wait()) {
      note(watched, beats.latest());
      last = Steady::now();
    }
    // Two SIGINTs sent in a row may arrive as one; the second time it is to end at once, whatever it does.
    const int got = signals;
    if (got > passed_on) child.send(got > 1 ? SIGKILL : SIGINT);
    passed_on = got;
    const std::chrono::duration<double> silent = Steady::now() - last;
    if (silent.count() > silence_limit_s(watched.in_flight, slack_s)) {
      watched.timed_out = true;
      child.send(SIGKILL);
      break;
    }
  }
  watched.ending = child.wait();
  while (beats.wait()) {  // what came between the last look and the end
    note(watched, beats.latest());
    last = Steady::now();
  }
  watched.in_flight_s = std::chrono::duration<double>(Steady::now() - last).count();
  return watched;
}

}  // namespace assay::suite
