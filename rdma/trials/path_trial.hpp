// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Path entropy: the UDP source ports of a flow's queue pairs, how an ideal hash would spread them, and the
// bandwidth each of them really got.
#pragma once

#include <optional>

#include "rdma/path/spread.hpp"
#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {

class PathTrial : public StreamTrial {
 public:
  PathTrial(const machine::Machine& machine, team::Team& team, const Settings& settings, int uplinks);

  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  std::optional<Spread> predicted();

  int uplinks_;
};

}  // namespace assay::rdma
