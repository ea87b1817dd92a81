// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How declared cases run on verbs: a rank of a team as their site, what the device must be able to do, and
// the trials of streams.
#pragma once

#include <optional>
#include <string>

#include "rdma/declared_case.hpp"
#include "rdma/traffic/wiring/pairing.hpp"
#include "rdma/traffic/wiring/seats.hpp"
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

/// Refuses what this host's device cannot do, before anything starts. Throws a usage Error where the point
/// asks for a message, queue pairs, a depth or a GID that the device has not, and Error(verbs) where there is
/// no such device or its port is down.
void refuse_beyond_limits(const VerbsPoint& at);

/// The component that this build lacks for the point: libraries for its memory and its connections.
std::optional<std::string> component_lacked(const VerbsPoint& at);

/// The ranks of a case of one pair: rank 0 and its peer. All ranks call it.
struct SeatedPair {
  SeatedPair(const VerbsPoint& at, TeamSite& site)
      : seats(take_seats(site.team, site.machine, at.traffic)),
        ends(first_pair(seats.ranks, at.traffic.pairing)) {}

  Seats seats;
  Pair ends;
};

/// The half of a benchmark class that a declared case does not have alone.
template <class Declared>
struct OnVerbs : Declared {
  using Site = TeamSite;
  static core::Work work(const typename Declared::Settings& at) {
    if (at.place.team == nullptr) refuse_beyond_limits(at);
    return Declared::work(at);
  }
  static std::optional<std::string> not_built(const VerbsPoint& at) { return component_lacked(at); }
};

/// The benchmark class of a DeclaredStream with a schedule.
template <class Declared>
class Streamed : public OnVerbs<Declared>, public StreamTrial {
 public:
  Streamed(const typename Declared::Settings& at, TeamSite& site)
      : StreamTrial(site.machine, site.team, take_seats(site.team, site.machine, at.traffic).own,
                    Declared::schedule(at)) {}
};

/// The benchmark class of DeclaredPairs.
template <class Declared>
class Paired : public OnVerbs<Declared>, public StreamTrial {
 public:
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

}  // namespace assay::rdma
