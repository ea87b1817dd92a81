// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/process/side_by_side.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace assay::core {
namespace {

class FirstFailure {
 public:
  /// False where the call threw.
  template <class Call>
  bool watch(std::size_t at, const Call& call) {
    try {
      call();
      return true;
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (at < at_) {
        at_ = at;
        failure_ = std::current_exception();
      }
      return false;
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::size_t at_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace

void side_by_side(std::size_t count, const std::function<void(std::size_t, unsigned)>& work,
                  Threads threads) {
  const std::size_t turns = (count + threads.in_turn - 1) / threads.in_turn;
  const unsigned most = threads.most > 0 ? threads.most : std::max(1U, std::thread::hardware_concurrency());
  std::atomic<std::size_t> next = 0;
  FirstFailure failure;
  const auto take_in_turn = [&](unsigned own) {
    for (std::size_t from; (from = next.fetch_add(threads.in_turn)) < count;)
      for (std::size_t at = from; at < std::min(from + threads.in_turn, count); ++at)
        if (!failure.watch(at, [&] { work(at, own); })) return;
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned own = 1; own < std::min<std::size_t>(turns, most); ++own)
        others.emplace_back(take_in_turn, own);
    } catch (const std::system_error&) {
      // Those that are there take the rest in turn.
    }
    take_in_turn(0);
  }
  failure.rethrow();
}

void at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
  if (count == 0) return;
  FirstFailure failure;
  {
    std::vector<std::jthread> others;
    for (std::size_t at = 1; at < count; ++at)
      others.emplace_back([&, at] { failure.watch(at, [&] { work(at); }); });
    failure.watch(0, [&] { work(0); });
  }
  failure.rethrow();
}

}  // namespace assay::core
