// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How this process comes by its counterparts: hosts it dials, a launcher that started all ranks, or, with
// neither, a second rank in this very process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/team/team.hpp"

namespace CLI {
class App;
}

namespace assay::rdma {

/// What the command line says of ranks.
struct RankOptions {
  std::vector<std::string> hosts;  // that run `assay-rdma serve`
  std::uint16_t port = 0;          // 0: the usual one
  std::string interface;           // or local address that control messages leave from
  double connect_limit_s = 5;
};
void add_rank_options(CLI::App& app, RankOptions& options);

/// Ranks a team of these options will have, told without forming it.
int planned_ranks(const RankOptions& options);

/// Dials the hosts; or meets the launcher's ranks; or starts a follower in a thread of its own, over this
/// host's own device (loopback). Throws core::Error with one line where that cannot be.
std::unique_ptr<team::Team> form_team(const RankOptions& options, const machine::Machine& machine,
                                      const std::vector<std::string>& arguments);

/// `assay-rdma serve ...`: argv[0] is "serve". Returns an exit code.
int serve_command(int argc, char** argv);

/// True in a process that a launcher started as another rank than 0.
bool launched_as_follower();
/// Follows rank 0 until dismissed. Returns an exit code.
int follow_launcher(const std::vector<std::string>& arguments);

}  // namespace assay::rdma
