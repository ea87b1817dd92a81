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
#include "rdma/traffic/pairing.hpp"
#include "rdma/traffic/seats.hpp"
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
void refuse_beyond_limits(const VerbsPoint& at);

/// The ranks of a case of one pair: rank 0 and its peer. All ranks call it.
struct SeatedPair {
  SeatedPair(const VerbsPoint& at, TeamSite& site)
      : seats(take_seats(site.team, site.machine, at.traffic)),
        ends(first_pair(seats.ranks, at.traffic.pairing)) {}

  Seats seats;
  Pair ends;
};

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

/// A case of streams: it also declares schedule(settings), whose rounds Streamed runs, or what Paired asks.
struct StreamCase : VerbsCase {
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;
  static constexpr double min_sample_seconds = 2e-3;  // long compared with the filling of the pipeline
  static constexpr double suspect_share = 0;          // of Schedule
};

/// The payload of all flows but probes.
core::Work work_of(const VerbsPoint& at, const Schedule& schedule);

/// The payload of one pair of ranks.
core::Work work_of_pair(const VerbsPoint& at, Ways ways);

/// The benchmark class of a StreamCase.
template <class Declared>
class Streamed : public Declared, public StreamTrial {
 public:
  static core::Work work(const typename Declared::Settings& at) {
    return work_of(at, Declared::schedule(at));
  }
  Streamed(const typename Declared::Settings& at, TeamSite& site)
      : StreamTrial(site.machine, site.team, take_seats(site.team, site.machine, at.traffic).own,
                    Declared::schedule(at)) {}
};

/// The benchmark class of a StreamCase between pairs of ranks, all pairs of a round at once; it declares
/// `ways` and suspect_share.
template <class Declared>
class Paired : public Declared, public StreamTrial {
 public:
  static core::Work work(const VerbsPoint& at) { return work_of_pair(at, Declared::ways); }
  Paired(const VerbsPoint& at, TeamSite& site)
      : Paired(site, take_seats(site.team, site.machine, at.traffic)) {}

 private:
  Paired(TeamSite& site, const Seats& seats)
      : StreamTrial(site.machine, site.team, seats.own, paired(seats)) {}
  static Schedule paired(const Seats& seats) {
    Schedule schedule = schedule_of(rounds_of(seats.ranks, seats.own.pairing), Declared::ways, seats.own);
    schedule.suspect_share = Declared::suspect_share;
    return schedule;
  }
};

/// `axes` and those that every connection has.
std::vector<core::Axis> with_connection(std::vector<core::Axis> axes);
/// The same of a case of one pair of ranks.
std::vector<core::Axis> with_pair(std::vector<core::Axis> axes);
/// The same of a case of all pairs of the first round.
std::vector<core::Axis> with_round(std::vector<core::Axis> axes);
std::vector<core::Axis> joined(std::vector<core::Axis> axes, std::vector<core::Axis> more);

}  // namespace assay::rdma
