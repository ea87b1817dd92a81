// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A queue of items that one thread makes and another takes, in order, with a limit of how many may wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace assay::core {

template <class Item>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t most) : most_(most) {}

  /// Waits while it is full. False once no more are wanted.
  bool put(Item item) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return given_up_ || waiting_.size() < most_; });
      if (given_up_) return false;
      waiting_.push_back(std::move(item));
    }
    changed_.notify_all();
    return true;
  }

  /// Nothing at the end. Throws what end() was given, after all that was put before it.
  std::optional<Item> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      if (failed_) std::rethrow_exception(failed_);
      return std::nullopt;
    }
    std::optional<Item> item(std::move(waiting_.front()));
    waiting_.pop_front();
    const bool wake = waiting_.size() == most_ / 2;  // not for each: waking a thread costs
    lock.unlock();
    if (wake) changed_.notify_all();
    return item;
  }

  /// No more follow.
  void end(std::exception_ptr failed = nullptr) {
    {
      const std::lock_guard lock(mutex_);
      failed_ = std::move(failed);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// No more are wanted.
  void give_up() {
    {
      const std::lock_guard lock(mutex_);
      given_up_ = true;
    }
    changed_.notify_all();
  }

 private:
  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> waiting_;
  std::exception_ptr failed_;
  bool ended_ = false, given_up_ = false;
};

}  // namespace assay::core
