// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/feeder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <mutex>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::offload {
namespace {

using core::tests::message_of;

/// Quanta that last so long each, one after the other.
class TimedQueue final : public FedQueue {
 public:
  explicit TimedQueue(double quantum_s) : quantum_s_(quantum_s) {}
  void push(int slot) override {
    const std::lock_guard lock(mutex_);
    ends_s_[slot] = free_s_ = std::max(free_s_, core::steady_seconds()) + quantum_s_;
    ++pushed;
    most_under_way = std::max(most_under_way, pushed - ended);
  }
  std::optional<double> ended_s(int slot) override {
    const std::lock_guard lock(mutex_);
    if (core::steady_seconds() < ends_s_.at(slot)) return std::nullopt;
    ++ended;
    return ends_s_.at(slot);
  }
  void drain() override {
    while (core::steady_seconds() < free_s_) std::this_thread::yield();
  }

  bool await_pushes(int count) {
    return core::tests::eventually([&] {
      const std::lock_guard lock(mutex_);
      return pushed >= count;
    });
  }

  int pushed = 0, ended = 0, most_under_way = 0;

 private:
  std::mutex mutex_;
  std::map<int, double> ends_s_;
  double quantum_s_, free_s_ = 0;
};

TEST(Feeder, KeepsAsManyQuantaInTheQueueAsItMay) {
  TimedQueue queue(5e-3);
  Feeder feeder(queue, 6, unlimited, 1);
  EXPECT_TRUE(queue.await_pushes(12));
  const Fed fed = feeder.stop();
  EXPECT_EQ(queue.most_under_way, 6);
  EXPECT_EQ(static_cast<int>(fed.ends_s.size()), queue.pushed) << "what was queued is drained and counted";
  for (std::size_t i = 1; i < fed.ends_s.size(); ++i) EXPECT_GT(fed.ends_s[i], fed.ends_s[i - 1]);
}

TEST(Feeder, TellsThatTheQueueRanDry) {
  class AtOnce final : public FedQueue {
   public:
    std::promise<void> third;

   private:
    void push(int) override {
      core::tests::work_for(1e-3);
      if (++pushed_ == 3) third.set_value();
    }
    std::optional<double> ended_s(int) override { return core::steady_seconds(); }
    void drain() override {}
    int pushed_ = 0;
  } queue;
  Feeder feeder(queue, 1, unlimited, 1);
  queue.third.get_future().wait();
  EXPECT_GT(feeder.stop().ran_dry, 0);
}

TEST(Feeder, KeepsBelowItsCapAndDoesNotCallThatDry) {
  TimedQueue queue(1e-6);
  const double began_s = core::steady_seconds();
  Feeder feeder(queue, 4, 0.1, 100'000);  // a quantum every millisecond
  EXPECT_TRUE(queue.await_pushes(20));
  const Fed fed = feeder.stop();
  EXPECT_LE(static_cast<double>(queue.pushed), 1 + (core::steady_seconds() - began_s) / 1e-3);
  EXPECT_EQ(fed.ran_dry, 0);
}

class Broken final : public FedQueue {
 public:
  explicit Broken(bool at_once) : at_once_(at_once) {}
  void await_failure() { failed_.get_future().wait(); }
  void attach() override {
    if (at_once_) fail();
  }
  void push(int) override { fail(); }
  std::optional<double> ended_s(int) override { return std::nullopt; }
  void drain() override {}

 private:
  [[noreturn]] void fail() {
    failed_.set_value();
    throw core::Error(core::ErrorKind::cuda, "the GPU is lost");
  }
  bool at_once_;
  std::promise<void> failed_;
};

TEST(Feeder, HandsOnWhatTheQueueThrows) {
  for (const bool at_once : {true, false}) {
    Broken first(at_once);
    Feeder waiting(first, 2, unlimited, 1);
    EXPECT_EQ(message_of([&] { waiting.await_first(2); }), "the GPU is lost");
    Broken second(at_once);
    Feeder stopped(second, 2, unlimited, 1);
    second.await_failure();
    EXPECT_EQ(message_of([&] { stopped.stop(); }), "the GPU is lost");
    Broken third(at_once);
    const Feeder left_alone(third, 2, unlimited, 1);
  }
}

TEST(Feeder, DoesNotWaitForeverForAQueueThatStands) {
  TimedQueue queue(3600);
  Feeder feeder(queue, 2, unlimited, 1);
  EXPECT_THROW(feeder.await_first(20e-3), core::TimedOut);
  EXPECT_EQ(queue.ended, 0);
}

}  // namespace
}  // namespace assay::offload
