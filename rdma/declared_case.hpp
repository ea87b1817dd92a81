// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Declarations that the cases of this module share, in builds with and without libibverbs: a point's settings
// and work, and what no machine can do. verbs_case.hpp runs them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "rdma/cases.hpp"
#include "rdma/traffic/wiring/schedule.hpp"

namespace assay::rdma {

struct VerbsPoint {
  Settings traffic;
  Surroundings place;
};

struct DeclaredCase {
  using Settings = VerbsPoint;
  static VerbsPoint settings(const core::Point& point, const Surroundings& around) {
    return {settings_of(point), around};
  }
  /// One message.
  static core::Work work(const VerbsPoint& at);
  static std::optional<std::string> impossible(const VerbsPoint& at);
};

/// The payload of all flows but probes.
core::Work work_of(const Schedule& schedule);

/// The payload of one pair of ranks.
core::Work work_of_pair(const VerbsPoint& at, Ways ways);

/// A case of streams: it also declares schedule(settings), whose rounds Streamed runs, or is DeclaredPairs.
struct DeclaredStream : DeclaredCase {
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 2e-3;  // long compared with the filling of the pipeline
};

/// Streams between pairs of ranks, all pairs of a round at once: Paired runs it.
template <Ways W>
struct DeclaredPairs : DeclaredStream {
  static constexpr Ways ways = W;
  static constexpr double suspect_share = 0;  // of Schedule
  static core::Work work(const VerbsPoint& at) { return work_of_pair(at, ways); }
};

/// `axes` and those that every connection has.
std::vector<core::Axis> with_connection(std::vector<core::Axis> axes);
/// `axes` and those of a case of one pair of ranks.
std::vector<core::Axis> with_pair(std::vector<core::Axis> axes);
/// `axes` and those of a case of all pairs of the first round.
std::vector<core::Axis> with_round(std::vector<core::Axis> axes);
std::vector<core::Axis> joined(std::vector<core::Axis> axes, std::vector<core::Axis> more);

}  // namespace assay::rdma
