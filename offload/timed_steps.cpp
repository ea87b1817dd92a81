// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/timed_steps.hpp"

#include <utility>

#include "harness/core/seconds_since.hpp"

namespace assay::offload {

TimedSteps::TimedSteps(MakeStep make) : thread_([this, make = std::move(make)] { serve(make); }) {}

TimedSteps::~TimedSteps() {
  {
    const std::lock_guard lock(mutex_);
    leaves_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void TimedSteps::serve(const MakeStep& make) {
  std::unique_lock lock(mutex_);
  try {
    lock.unlock();
    const std::function<void()> step = make();
    lock.lock();
    while (!leaves_) {
      resting_ = !wanted_;
      if (resting_) {
        changed_.notify_all();
        changed_.wait(lock);
        continue;
      }
      lock.unlock();
      const double begin_s = core::steady_seconds();
      step();
      const double end_s = core::steady_seconds();
      lock.lock();
      steps_.push_back({begin_s, end_s});
      ++ended_;
      changed_.notify_all();
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    failure_ = std::current_exception();
    changed_.notify_all();
  }
}

void TimedSteps::wait_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& holds) {
  changed_.wait(lock, [&] { return failure_ != nullptr || holds(); });
  if (failure_) std::rethrow_exception(failure_);
}

void TimedSteps::pause() {
  std::unique_lock lock(mutex_);
  wanted_ = false;
  wait_until(lock, [this] { return resting_; });
}

void TimedSteps::resume() {
  std::unique_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  wanted_ = true;
  changed_.notify_all();
}

void TimedSteps::await(std::size_t count) {
  std::unique_lock lock(mutex_);
  const std::size_t due = ended_ + count;
  wait_until(lock, [&] { return ended_ >= due; });
}

std::vector<double> TimedSteps::within(double begin_s, double end_s) const {
  const std::lock_guard lock(mutex_);
  std::vector<double> seconds;
  for (const TimedStep& step : steps_)
    if (step.begin_s >= begin_s && step.end_s <= end_s) seconds.push_back(step.end_s - step.begin_s);
  return seconds;
}

void TimedSteps::forget() {
  const std::lock_guard lock(mutex_);
  steps_.clear();
}

}  // namespace assay::offload
