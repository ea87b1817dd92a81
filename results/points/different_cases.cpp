// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/different_cases.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>

namespace assay::results {
namespace {

/// Hands out the cases, the next to whoever is free.
class CasesInTurn {
 public:
  CasesInTurn(const StoredRun& run, std::span<const StoredCase> cases, std::int64_t most)
      : run_(run), cases_(cases), most_(most), read_(cases.size()) {}

  void read(const Store& store) {
    while (points_ < most_) {
      const std::size_t at = next_++;
      if (at >= cases_.size()) return;
      read_[at] = different_points_of_case(store, run_, cases_[at], most_);
      points_ += std::ssize(read_[at]->points);
    }
  }
  std::vector<std::optional<PointsOfCase>> take() { return std::move(read_); }

 private:
  const StoredRun& run_;
  std::span<const StoredCase> cases_;
  std::int64_t most_;
  std::vector<std::optional<PointsOfCase>> read_;  // each by one thread
  std::atomic<std::size_t> next_ = 0;
  std::atomic<std::int64_t> points_ = 0;
};

std::size_t readers_of(const Store& store, std::size_t cases) {
  if (store.path().empty()) return 1;  // it has no second connection
  return std::min<std::size_t>(cases, std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace

std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most) {
  CasesInTurn in_turn(run, cases, most);
  std::vector<std::future<void>> others;
  for (std::size_t reader = 1; reader < readers_of(store, cases.size()); ++reader)
    others.push_back(std::async(std::launch::async, [&in_turn, path = store.path()] {
      in_turn.read(Store(path, StoreMode::existing));
    }));
  in_turn.read(store);
  for (std::future<void>& other : others) other.get();
  return in_turn.take();
}

}  // namespace assay::results
