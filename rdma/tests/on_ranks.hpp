// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks as threads of one test, each with its own member of a team, all over the fake of libibverbs.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/team/team.hpp"
#include "rdma/tests/fake_verbs.hpp"
#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma::tests {

/// How one rank's part ended.
struct Ended {
  bool threw = false, unsupported = false, lost = false;
  std::string what = {};
  core::ErrorKind kind = core::ErrorKind::system;
  long code = 0;
};

/// `part` at each of `n` ranks.
std::vector<Ended> on_ranks(int n, const std::function<void(team::Team&)>& part);
/// As above; a failure of any rank fails the test.
void all_well_on_ranks(int n, const std::function<void(team::Team&)>& part);

struct Asked {
  Operation operation = Operation::write;
  std::int64_t bytes = 64;
  Transport transport = Transport::rc;
  Posting posting = {.qps = 1, .tx_depth = 16};
  int slots = 1;
};
Settings settings(const Asked& asked = {});
Flow flow(int from, int to, const Settings& settings);

/// Both ends of a flow from rank 0 to rank 1, wired, in the hands of one thread.
struct TwoEnds {
  explicit TwoEnds(const Settings& settings, Fault fault = Fault::none);

  std::vector<std::unique_ptr<team::Team>> teams;
  std::unique_ptr<Wiring> first, second;
};

/// A point as the plan would make it of the axes' defaults, with these values instead.
core::Point point_with(const std::vector<std::pair<std::string, core::Value>>& values);

}  // namespace assay::rdma::tests
