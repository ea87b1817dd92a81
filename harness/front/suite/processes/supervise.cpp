// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/supervise.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <iostream>
#include <optional>
#include <utility>

#include "harness/core/calendar.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/front/suite/processes/launcher.hpp"

namespace assay::suite {
namespace {

using Steady = std::chrono::steady_clock;

constexpr double least_to_die_s = 5;

/// A launcher's standard error: passed on line by line, and remembered where it names a lost rank.
class LauncherLines {
 public:
  LauncherLines() { fcntl(pipe_.read_end(), F_SETFL, O_NONBLOCK); }

  int descriptor() const { return pipe_.write_end(); }
  void started() { pipe_.close_write_end(); }
  void pass_on() {
    std::array<char, 4096> buffer{};
    for (ssize_t got = 1; got > 0;) {
      got = read(pipe_.read_end(), buffer.data(), buffer.size());
      if (got > 0) text_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      const std::string line = text_.substr(0, end);
      text_.erase(0, end + 1);
      std::cerr << line << "\n";
      lost_rank_ = first_to_fall(lost_rank_, line);
    }
  }
  /// Once nothing more can come: what did not end with its line.
  void pass_on_rest() { std::cerr << std::exchange(text_, {}) << std::flush; }
  const std::string& lost_rank() const { return lost_rank_; }

 private:
  Pipe pipe_;
  std::string text_, lost_rank_;
};

void note(Watched& watched, const Heartbeat& beat) {
  watched.any_point = true;
  watched.in_flight = beat;
  watched.started = core::iso_time_now();
}

/// Everything about one run of a module.
class Supervision {
 public:
  Supervision(std::vector<std::string> argv, const Watch& watch)
      : watch_(watch),
        announcements_(watch.behind_launcher ? announcements_in_file(watch.announcements_file)
                                             : announcements_over_pipe()),
        child_(with_flag(std::move(argv)), surroundings()) {
    announcements_->started();
    if (watch.behind_launcher) lines_.started();
  }

  Watched watch(const std::atomic<int>& signals) {
    for (int passed_on = 0; !child_.ended() && !watched_.timed_out && !watched_.given_up;) {
      listen();
      const int got = signals;
      if (got > passed_on) interrupt(got);
      passed_on = got;
      watched_.timed_out = core::seconds_since(last_) > silence_limit_s(watched_.in_flight, watch_.slack_s);
      if (watched_.timed_out) watched_.in_flight_s = core::seconds_since(begun_);
      watched_.given_up |= interrupted_ && core::seconds_since(*interrupted_) > watch_.interrupted_s;
    }
    if (watched_.timed_out || watched_.given_up) end_now();
    watched_.ending = child_.wait();
    while (listen()) {
    }  // what came between the last look and the end
    if (!watched_.timed_out) watched_.in_flight_s = core::seconds_since(begun_);
    lines_.pass_on_rest();
    watched_.launcher_said = lines_.lost_rank();
    return watched_;
  }

 private:
  std::vector<std::string> with_flag(std::vector<std::string> argv) const {
    argv.push_back(announcements_->flag());
    return argv;
  }
  Surroundings surroundings() const {
    const double dies_within_s = least_to_die_s + watch_.slack_s;
    std::vector<int> keep;
    if (watch_.run_lock >= 0) keep.push_back(watch_.run_lock);
    if (watch_.behind_launcher)
      return {.keep = std::move(keep),
              .stderr_descriptor = lines_.descriptor(),
              .reach = Reach::process,
              .dies_within_s = dies_within_s};
    keep.push_back(announcements_->descriptor());
    return {.keep = std::move(keep), .dies_within_s = dies_within_s};
  }
  bool listen() {
    const bool any = announcements_->wait();
    if (watch_.behind_launcher) lines_.pass_on();
    if (!any) return false;
    for (const Heartbeat& beat : announcements_->heard()) {
      // A launcher wakes a stopped process before it ends it: what that process begins then is not what
      // hung.
      if (watched_.timed_out) break;
      if (watched_.any_point && beat == watched_.in_flight) continue;  // it continues
      note(watched_, beat);
      begun_ = Steady::now();
      if (!watch_.goes_on || watch_.goes_on(beat) || watched_.asked_to_stop) continue;
      watched_.asked_to_stop = true;
      ask_to_stop();
    }
    last_ = Steady::now();
    return true;
  }
  /// Two SIGINTs sent in a row may arrive as one; the second time it is to end at once, whatever it does.
  /// srun and mpirun end their ranks on SIGINT, and pass SIGUSR1 on.
  void interrupt(int count) {
    if (count > 1)
      watched_.given_up = true;
    else
      ask_to_stop();
    if (!interrupted_) interrupted_ = Steady::now();
  }
  void ask_to_stop() const { child_.send(watch_.behind_launcher ? SIGUSR1 : SIGINT); }
  void end_now() { child_.kill_after(watch_.behind_launcher ? launcher_grace_s : 0); }

  Watch watch_;
  std::unique_ptr<Announcements> announcements_;
  LauncherLines lines_;
  Child child_;
  Watched watched_;
  Steady::time_point last_ = Steady::now(),
                     begun_ = last_;  // heard of the module, and of the point in flight
  std::optional<Steady::time_point> interrupted_;
};

}  // namespace

Watched supervise(std::vector<std::string> argv, const Watch& watch, const std::atomic<int>& signals) {
  return Supervision(std::move(argv), watch).watch(signals);
}

}  // namespace assay::suite
