// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rank 0's watch over a point: when a call of all ranks takes longer than its limit, a thread asks every rank
// what it is doing, keeps the diagnosis, and orders those that answer to give up.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "collectives/watch/rank_report.hpp"
#include "collectives/watch/watch_post.hpp"

namespace assay::collectives {

class HangWatch {
 public:
  struct Options {
    double ask_limit_s = 2;     // for a rank to say what it does
    double leave_limit_s = 30;  // for rank 0 itself to come back once it was ordered to give up
    /// Called where it does not: the process measures nothing more (MPI holds it). Takes the diagnosis.
    std::function<void(const std::string&)> stuck = {};
  };
  HangWatch() : HangWatch(Options{}) {}
  explicit HangWatch(Options options);
  ~HangWatch();
  HangWatch(const HangWatch&) = delete;
  HangWatch& operator=(const HangWatch&) = delete;

  /// Sets the posts of the next calls' ranks, indexed by rank, and the hosts' names.
  void set_places(std::vector<PostPlace> places);
  /// Watches from now until ends(). Forgets the last diagnosis.
  void begins(double limit_s);
  void ends();
  /// The diagnosis of the call that ended last; none where it kept its limit.
  std::optional<Diagnosis> diagnosis() const;
  /// Asks at once, for a call that failed by itself.
  Diagnosis look() const;

 private:
  using Clock = std::chrono::steady_clock;
  void serve();
  void diagnose(std::unique_lock<std::mutex>& lock);

  Options options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<PostPlace> places_;
  std::optional<Clock::time_point> deadline_;  // of the call under way
  std::optional<Diagnosis> diagnosis_;
  bool leaving_ = false;  // it was ordered to give up
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace assay::collectives
