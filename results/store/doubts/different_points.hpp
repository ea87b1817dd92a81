// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The points of a case, each once, while its rows are read.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/store/repetitions.hpp"

namespace assay::results {

/// Repetitions that are ok and have a finite headline are joined; of others the first stays.
class DifferentPoints {
 public:
  /// False where the point is new: then add() takes it whole.
  bool join(std::string_view key, std::string_view metric, Status status, const RepetitionNumbers& numbers);
  void add(StoredPoint first);
  /// Joins points that were read after these. False where more than `most` would come of it: then nothing is
  /// joined.
  bool append(DifferentPoints more, std::size_t most);
  std::size_t size() const { return points_.size(); }
  /// In order of first appearance. Ends the use of this.
  std::vector<StoredPoint> take();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::string_view name_of(std::string_view key, std::string_view metric, bool is_measured);
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> places_;
  std::vector<JoinedRepetitions> points_;
  std::string name_;  // its memory is used again
};

/// Joins the repetitions among points of one case.
std::vector<StoredPoint> different_points(std::vector<StoredPoint> points);

}  // namespace assay::results
