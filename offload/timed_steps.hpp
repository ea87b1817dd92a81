// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Training, as a checkpoint sees it: equal steps of compute, one after the other on threads of their own,
// each timed. Asked to pause, it does so between two steps.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace assay::offload {

struct TimedStep {  // by core::steady_seconds()
  double begin_s = 0, end_s = 0;
};

class TimedSteps {
 public:
  /// Made on the thread that will run it, which may bind itself and own what its steps need.
  using MakeStep = std::function<std::function<void()>()>;

  /// Steps run from now on. What making or running one throws is thrown by the next call of the others.
  explicit TimedSteps(MakeStep make);
  ~TimedSteps();
  TimedSteps(const TimedSteps&) = delete;
  TimedSteps& operator=(const TimedSteps&) = delete;

  /// Returns when the step under way has ended.
  void pause();
  void resume();
  /// Returns when `count` more steps have ended.
  void await(std::size_t count);
  /// Seconds of the steps that began and ended within.
  std::vector<double> within(double begin_s, double end_s) const;
  /// Forgets the steps so far.
  void forget();

 private:
  void serve(const MakeStep& make);
  void wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<TimedStep> steps_;
  std::size_t ended_ = 0;
  bool wanted_ = true, resting_ = true, leaves_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace assay::offload
