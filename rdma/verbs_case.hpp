// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the cases of this module declare alike: a rank of a team as their site, a point's settings, their
// work, and the checks that every case makes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/case_of.hpp"
#include "rdma/cases.hpp"
#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {

/// A rank of a team. Benchmarks here take their time themselves and watch their own link.
struct TeamSite : core::Condition {
  using Place = Surroundings;
  explicit TeamSite(const Surroundings& around) : machine(*around.machine), team(*around.team) {}
  static std::optional<std::string> unavailable(const Surroundings& around);

  const machine::Machine& machine;
  team::Team& team;
};

struct VerbsPoint {
  Settings traffic;
  Surroundings place;
};

/// What this host's device cannot do, said before anything starts.
/// A usage Error where the point asks for a message, queue pairs, a depth or a GID that the device has not.
/// Throws Error(verbs) where there is no such device or its port is down.
void refuse_beyond_limits(const Settings& settings);

struct VerbsCase {
  using Site = TeamSite;
  using Settings = VerbsPoint;
  static VerbsPoint settings(const core::Point& point, const Surroundings& around) {
    return {settings_of(point), around};
  }
  /// One message.
  static core::Work work(const VerbsPoint& at);
  static std::optional<std::string> impossible(const VerbsPoint& at);
};

/// A case of streams: it also declares schedule(settings), whose rounds Streamed runs.
struct StreamCase : VerbsCase {
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 2e-3;  // long compared with the filling of the pipeline
};

/// The payload of all flows but probes.
core::Work work_of(const VerbsPoint& at, const Schedule& schedule);

/// The benchmark class of a StreamCase.
template <class Declared>
class Streamed : public Declared, public StreamTrial {
 public:
  static core::Work work(const typename Declared::Settings& at) {
    return work_of(at, Declared::schedule(at));
  }
  Streamed(const typename Declared::Settings& at, TeamSite& site)
      : StreamTrial(site.machine, site.team, at.traffic, Declared::schedule(at)) {}
};

/// `axes` and those that every connection has.
std::vector<core::Axis> with_connection(std::vector<core::Axis> axes);
std::vector<core::Axis> joined(std::vector<core::Axis> axes, std::vector<core::Axis> more);

}  // namespace assay::rdma
