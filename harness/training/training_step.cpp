// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/training/training_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/core/error.hpp"

namespace assay::training {
namespace {

/// Streams as they proceed, on a clock that only compute moves.
class StreamClock {
 public:
  explicit StreamClock(const TrainingStep& step) : step_(step), cursors_(step.streams.size()) {
    std::map<std::string, std::size_t> places;
    for (std::size_t at = 0; at < step.streams.size(); ++at) places[step.streams[at].name] = at;
    for (std::size_t at = 0; at < step.streams.size(); ++at)
      for (const std::string& name : step.streams[at].after) cursors_[at].after.push_back(places.at(name));
    settle();
  }

  /// Places the next operation, once; false where there is none.
  bool next(Issued& issued) {
    std::size_t best = cursors_.size();
    for (std::size_t at = first_open_; at < cursors_.size(); ++at)
      if (cursors_[at].runs && (best == cursors_.size() || cursors_[at].now_s < cursors_[best].now_s))
        best = at;
    if (best == cursors_.size()) return false;
    Cursor& cursor = cursors_[best];
    issued = {best, cursor.operation};
    advance(cursor, step_.streams[best].operations);
    settle();
    return true;
  }
  double last_s() const { return last_s_; }

 private:
  struct Cursor {
    std::vector<std::size_t> after = {};
    std::size_t operation = 0;
    std::int64_t done = 0;  // times of the operation
    double now_s = 0;
    bool runs = false, ended = false;
  };

  void advance(Cursor& cursor, const std::vector<StepOperation>& operations) {
    const StepOperation& one = operations[cursor.operation];
    cursor.now_s += one.compute_s;
    if (++cursor.done < std::llround(one.times)) return;
    cursor.done = 0;
    ++cursor.operation;
  }

  /// Ends streams that have nothing left, and starts those that waited for them, until nothing changes.
  void settle() {
    for (bool any = true; any;) {
      any = false;
      for (std::size_t at = first_open_; at < cursors_.size(); ++at) any = settle(at) || any;
      while (first_open_ < cursors_.size() && cursors_[first_open_].ended) ++first_open_;
    }
  }

  bool settle(std::size_t at) {
    Cursor& cursor = cursors_[at];
    if (cursor.ended) return false;
    const bool ran = cursor.runs;
    if (!ran) {
      for (const std::size_t before : cursor.after) {
        if (!cursors_[before].ended) return false;
        cursor.now_s = std::max(cursor.now_s, cursors_[before].now_s);
      }
      cursor.runs = true;
    }
    if (cursor.operation == step_.streams[at].operations.size()) {
      cursor.runs = false;
      cursor.ended = true;
      last_s_ = std::max(last_s_, cursor.now_s);
    }
    return cursor.ended || !ran;
  }

  const TrainingStep& step_;
  std::vector<Cursor> cursors_;
  std::size_t first_open_ = 0;
  double last_s_ = 0;
};

}  // namespace

void append(StepStream& stream, StepOperation operation) {
  if (operation.times < 1) return;
  const bool exchanges = operation.traffic != Traffic::none;
  if (exchanges ? operation.groups.empty() || operation.bytes < 1 : operation.compute_s <= 0) return;
  stream.operations.push_back(std::move(operation));
}

std::string add(TrainingStep& step, StepStream stream) {
  if (stream.operations.empty()) return {};
  std::erase_if(stream.after, [](const std::string& name) { return name.empty(); });
  return step.streams.emplace_back(std::move(stream)).name;
}

void leave_out_compute(TrainingStep& step) {
  for (StepStream& stream : step.streams)
    for (StepOperation& one : stream.operations) one.compute_s = 0;
}

double compute_path_s(const TrainingStep& step) {
  StreamClock clock(step);
  for (Issued issued; clock.next(issued);) {
  }
  return clock.last_s();
}

std::vector<bool> runs_next_to_compute(const TrainingStep& step) {
  const std::size_t count = step.streams.size();
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));
  std::vector<bool> computes(count), next_to(count);
  for (std::size_t at = 0; at < count; ++at) {
    places[step.streams[at].name] = at;
    for (const std::string& name : step.streams[at].after) {
      const std::size_t other = places.at(name);
      before[at][other] = true;
      for (std::size_t earlier = 0; earlier < other; ++earlier)
        if (before[other][earlier]) before[at][earlier] = true;
    }
    for (const StepOperation& one : step.streams[at].operations)
      if (one.traffic == Traffic::none) computes[at] = true;
  }
  for (std::size_t at = 0; at < count; ++at)
    for (std::size_t other = 0; other < at; ++other)
      if (!before[at][other]) {
        if (computes[other]) next_to[at] = true;
        if (computes[at]) next_to[other] = true;
      }
  return next_to;
}

std::vector<Issued> issue_order(const TrainingStep& step, std::size_t most) {
  double count = 0;
  for (const StepStream& stream : step.streams)
    for (const StepOperation& one : stream.operations) count += one.times;
  if (count > static_cast<double>(most))
    core::usage_error(
        fmt::format("{}: {:.0f} operations in a step: expected at most {}", step.name, count, most));
  StreamClock clock(step);
  std::vector<Issued> order;
  for (Issued issued; clock.next(issued);) order.push_back(issued);
  return order;
}

}  // namespace assay::training
