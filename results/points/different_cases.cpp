// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/different_cases.hpp"

#include <atomic>
#include <utility>

#include "results/store/several_readers.hpp"

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

}  // namespace

std::vector<std::optional<PointsOfCase>> different_points_of_cases(const Store& store, const StoredRun& run,
                                                                   std::span<const StoredCase> cases,
                                                                   std::int64_t most) {
  CasesInTurn in_turn(run, cases, most);
  with_several_readers(store, cases.size(), [&](const Store& own) { in_turn.read(own); });
  return in_turn.take();
}

}  // namespace assay::results
