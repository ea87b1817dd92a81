// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/exchange_lane.hpp"

#include <utility>

#include "harness/core/seconds_since.hpp"

namespace assay::collectives {

ExchangeLane::ExchangeLane(std::size_t exchanges, std::function<void(std::size_t)> exchange)
    : exchange_(std::move(exchange)), took_s_(exchanges), thread_([this] { serve(); }) {}

ExchangeLane::~ExchangeLane() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void ExchangeLane::restart() {
  const std::lock_guard lock(mutex_);
  allowed_ = done_ = 0;
}

void ExchangeLane::allow(std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    if (count <= allowed_) return;
    allowed_ = count;
  }
  changed_.notify_all();
}

void ExchangeLane::await(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ >= count || failure_ != nullptr; });
  if (failure_) std::rethrow_exception(failure_);
}

void ExchangeLane::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || (done_ < allowed_ && failure_ == nullptr); });
    if (ends_) return;
    const std::size_t next = done_;
    lock.unlock();
    std::exception_ptr failure;
    const double began = core::steady_seconds();
    try {
      exchange_(next);
    } catch (...) {
      failure = std::current_exception();
    }
    const double took = core::steady_seconds() - began;
    lock.lock();
    took_s_[next] = took;
    failure_ = failure;
    ++done_;
    changed_.notify_all();
  }
}

}  // namespace assay::collectives
