// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/prediction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace assay::offload {
namespace {

/// One of the three: the block it is at, and how much of it is left.
struct Stage {
  double block_s = 0;
  double left = 0;  // of 1
  bool busy = false;
  double pace = 1;

  void begin() {
    busy = true;
    left = 1;
  }
  double end_s() const { return busy ? left * block_s / pace : std::numeric_limits<double>::infinity(); }
  /// True when the block ended.
  bool advance(double seconds) {
    if (!busy) return false;
    left = end_s() <= seconds ? 0 : left - seconds * pace / block_s;
    busy = left > 0;
    return !busy;
  }
};

struct Player {
  Stage compute, fetch, write;

  void start(const PipelineShape& shape, const Progress& progress) {
    if (!fetch.busy && may_fetch(shape, progress)) fetch.begin();
    if (!compute.busy && may_compute(shape, progress)) compute.begin();
    if (!write.busy && may_write(shape, progress)) write.begin();
  }

  void set_paces(const Slowdowns& slowdowns) {
    const double copy =
        (compute.busy ? 1 / slowdowns.copy : 1) * (fetch.busy && write.busy ? slowdowns.direction_share : 1);
    compute.pace = fetch.busy || write.busy ? 1 / slowdowns.compute : 1;
    fetch.pace = write.pace = copy;
  }
};

}  // namespace

double direction_share(double fetch_s, double write_s, double both_s) {
  const double shorter = std::min(fetch_s, write_s), longer = std::max(fetch_s, write_s);
  // Both run until the shorter one ends, at `share` of their pace: both = shorter / share + longer - shorter.
  const double together_s = both_s - longer + shorter;
  return together_s > 0 ? std::clamp(shorter / together_s, 0.5, 1.0) : 1;
}

double predicted_step_s(const PipelineShape& shape, const BlockTimes& times, const Slowdowns& slowdowns) {
  Player player{{times.compute_s}, {times.fetch_s}, {times.write_s}};
  Progress progress;
  double step_s = 0;
  while (!all_written(shape, progress)) {
    player.start(shape, progress);
    player.set_paces(slowdowns);
    const double next_s = std::min({player.compute.end_s(), player.fetch.end_s(), player.write.end_s()});
    if (!std::isfinite(next_s)) return std::numeric_limits<double>::quiet_NaN();  // not a time
    progress.computed += player.compute.advance(next_s) ? 1 : 0;
    progress.fetched += player.fetch.advance(next_s) ? 1 : 0;
    progress.written += player.write.advance(next_s) ? 1 : 0;
    step_s += next_s;
  }
  return step_s;
}

}  // namespace assay::offload
