// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Computing and exchanges of one point at one rank, over a transport between hosts' memories.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/overlap/overlapped_pass.hpp"
#include "collectives/transport/executor.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

class OverlapTrial {
 public:
  struct Setup {
    std::shared_ptr<WatchPost> post = {};  // notes what runs; none: no watch
    std::unique_ptr<Transport> transport = {};
    std::string transport_name = {};
    PassPlan plan = {};
    const Algorithm* algorithm = nullptr;
    std::vector<Problem> problems = {};  // by exchange of the plan, none in place
    double link_bytes_per_s = 0;  // an exchange takes its bytes over this at least; 0: as long as it takes
    std::unique_ptr<LayerWork> work = {};
  };
  OverlapTrial(team::Team& team, Setup setup);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() const;
  void sampling_begins();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() const;

 private:
  struct Exchange {
    std::int64_t bytes;
    Operands operands;
    Executor executor;
  };
  FlightRing& ring() { return setup_.post ? setup_.post->ring() : unasked_; }
  void run_exchange(std::size_t which);

  team::Team& team_;
  FlightRing unasked_;
  Setup setup_;
  std::vector<Exchange> exchanges_;
  Executor barrier_;
  std::vector<PassTimes> times_;  // since sampling began
  OverlappedPass pass_;           // its thread uses all of the above
};

}  // namespace assay::collectives
