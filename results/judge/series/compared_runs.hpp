// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The runs on the two sides of a comparison, each a fresh start, none twice; and what they measured, point by
// point and repetition by repetition, with every reason why a repetition must not count.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "results/record/record.hpp"
#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {

/// Each side: run ids, "latest", "all", or globs over run ids.
struct ComparisonRequest {
  std::vector<std::string> a, b;  // the baseline, and the candidate that is judged
  double margin = 0.03;           // within 1 / (1 + margin) and 1 + margin
  std::string filter = {};        // glob over cases or case/point

  bool operator==(const ComparisonRequest&) const = default;
};

struct ComparedRun {
  const Store* store = nullptr;
  StoredRun run;
};

struct ComparedSides {
  std::vector<ComparedRun> a, b;  // in order of their start
};

/// Throws std::runtime_error with one line: no such run; one run on both sides or twice on one; ranks of one
/// run, which are one start; records of different origins.
ComparedSides compared_sides(const Store& of_a, const Store& of_b, const ComparisonRequest& request);

/// One repetition of a point in a run.
struct RepetitionValue {
  double time_s = 0;
  std::int64_t process = 0;
  /// Null where it counts: "failed: no memory", "its link was not sound: lossy".
  std::shared_ptr<const std::string> why_not = {};
  Status status = Status::ok;
  bool is_wrong = false;  // its result is wrong, whatever its status says
  bool cut = false;       // by an interrupt: a resumed run measures it again

  bool counts() const { return why_not == nullptr; }
  void discount(std::string why) { why_not = std::make_shared<const std::string>(std::move(why)); }
};

/// The values of one point in one run, by rising repetition: two fleets have millions, most of one
/// repetition.
class RunValues {
 public:
  using Repetition = std::pair<std::int64_t, RepetitionValue>;

  /// The value that is there, and whether it is this one.
  std::pair<RepetitionValue*, bool> add(std::int64_t repetition, const RepetitionValue& value);
  /// Null where it is not there.
  const RepetitionValue* find(std::int64_t repetition) const;
  bool empty() const { return values_.empty(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::vector<Repetition> values_;
};

using PointName = std::pair<std::string, std::string>;  // case, key
using PointValues =
    std::map<PointName, std::vector<RunValues>>;  // a RunValues for each run, in the order given

struct SideValues {
  PointValues a, b;
};
/// Every point that any of these runs has. Throws std::runtime_error with one line for a run that is a copy
/// of another, and where two repetitions of a point differ in bytes or FLOPs of an iteration, how the bytes
/// are counted, the quantile of the time, ranks or nodes, or the unit of a metric, or two runs of a case have
/// no value of an axis in common.
SideValues values_of(const ComparedSides& sides, const std::string& filter);

}  // namespace assay::results
