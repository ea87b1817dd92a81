// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A thread that runs exchanges in order, each once it is allowed, while another computes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace assay::collectives {

class ExchangeLane {
 public:
  /// `exchange(i)` runs on the lane's thread.
  ExchangeLane(std::size_t exchanges, std::function<void(std::size_t)> exchange);
  /// Waits for the exchange under way.
  ~ExchangeLane();
  ExchangeLane(const ExchangeLane&) = delete;
  ExchangeLane& operator=(const ExchangeLane&) = delete;

  /// None is allowed and none done any more. All that were allowed must be done.
  void restart();
  /// The first `count` may run.
  void allow(std::size_t count);
  /// Until the first `count`, which are allowed, are done. Throws what one of them threw.
  void await(std::size_t count);

  /// Duration of each exchange that is done; read where none runs.
  std::span<const double> took_s() const { return took_s_; }

 private:
  void serve();

  std::function<void(std::size_t)> exchange_;
  std::vector<double> took_s_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t allowed_ = 0, done_ = 0;
  bool ends_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace assay::collectives
