// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Collectives of one point at one rank, timed on the host's clock. A sample of run(n) begins with a barrier
// of all ranks over the transport, outside of the time; then each group runs n operations, at once or in
// turn. The slowest rank's time of each is what counts (team::lead takes it).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/measure/group_part.hpp"
#include "collectives/measure/stragglers.hpp"
#include "collectives/measure/wire_seen.hpp"
#include "collectives/rank_groups.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

enum class Turns { at_once, in_turn };

class CollectiveTrial {
 public:
  struct Setup {
    std::shared_ptr<WatchPost> post = {};       // notes what runs; none: no watch
    std::unique_ptr<Transport> transport = {};  // of all ranks
    std::string transport_name = {};
    std::vector<RankGroup> groups = {};
    std::vector<Problem> problems = {};       // by group
    std::vector<GroupPart::Made> parts = {};  // of the groups that this rank is in, in order
    Turns turns = Turns::at_once;
    Between between = Between::nothing;
    std::vector<core::Fact> conditions = {};  // of this rank, whichever groups it is in
    std::string time_counts = {};             // empty: each iteration has its own time
    ReadWires read_wires = {};                // empty: of this machine
  };
  CollectiveTrial(team::Team& team, const Content& content, Setup setup);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  void sampling_ends() { wires_.ends(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  FlightRing& ring() { return setup_.post ? setup_.post->ring() : unasked_; }
  void run_group(std::size_t group, std::int64_t iterations, core::Timing& slowest);
  void gather_figures();
  void add_bandwidths(std::vector<core::Metric>& metrics, const core::Measurement& measurement) const;
  bool of_one_size() const;
  std::string time_counts() const;
  std::vector<core::Fact> facts_of_groups() const;
  std::vector<core::Fact> facts_of_stragglers() const;

  team::Team& team_;
  Content content_;
  FlightRing unasked_;
  Setup setup_;
  Executor barrier_;
  WireSeen wires_;
  std::vector<GroupPart> parts_;
  std::vector<std::vector<RankFigures>> by_group_;
  Stragglers stragglers_;  // of a single group, at every rank
};

}  // namespace assay::collectives
