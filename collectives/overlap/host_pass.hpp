// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A pass in host memory: a thread computes, another exchanges over a transport.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/group_part.hpp"
#include "collectives/overlap/overlapped_pass.hpp"
#include "collectives/overlap/timed_pass.hpp"
#include "collectives/transport/executor.hpp"
#include "collectives/watch/watch_post.hpp"

namespace assay::collectives {

class HostPass final : public TimedPass {
 public:
  struct Setup {
    std::shared_ptr<WatchPost> post = {};  // notes what runs; none: no watch
    std::unique_ptr<Transport> transport = {};
    std::string transport_name = {};
    PassPlan plan = {};
    const Algorithm* algorithm = nullptr;
    Content content = {.seed = 1};
    std::vector<Problem> problems = {};  // by exchange of the plan, none in place
    double link_bytes_per_s = 0;  // an exchange takes its bytes over this at least; 0: as long as it takes
    std::unique_ptr<LayerWork> work = {};
  };
  explicit HostPass(Setup setup);

  PassTimes run() override;
  void refill() override;
  std::optional<std::string> wrong() override;
  std::vector<core::Fact> facts() const override;
  std::vector<core::Fact> leaders_facts() const override;

 private:
  struct Exchange {
    std::int64_t bytes;
    Operands operands;
    Executor executor;
  };
  FlightRing& ring() { return setup_.post ? setup_.post->ring() : unasked_; }
  void run_exchange(std::size_t which);

  FlightRing unasked_;
  Setup setup_;
  std::vector<Exchange> exchanges_;
  Executor barrier_;
  OverlappedPass pass_;  // its thread uses all of the above
};

}  // namespace assay::collectives
