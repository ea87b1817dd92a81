// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points as the judges of series read them, drift and history: those that went well, one at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

struct SeriesPoint {
  std::int64_t id = 0;
  std::string case_name, key;
  double time_s = 0, lower_s = 0, upper_s = 0;
};

class SeriesPoints {
 public:
  enum class Those { all, with_a_time };

  /// `filter` as in points_in_order().
  SeriesPoints(const Store& store, std::string filter, Those those)
      : store_(store), filter_(std::move(filter)), those_(those) {}

  /// Lasts for the call; the context is that of the point's process.
  using Take = std::function<void(const SeriesPoint& point, const ContextRecord& context)>;
  /// Those of the run that are ok, in the order measured; without those of a burn-in's rounds together.
  void read(const StoredRun& run, const Take& take);
  /// How many were left out.
  std::size_t together() const { return together_; }

 private:
  const Store& store_;
  std::string filter_;
  Those those_;
  std::size_t together_ = 0;
};

}  // namespace assay::results
