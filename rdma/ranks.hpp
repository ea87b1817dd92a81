// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How this process comes by its counterparts: hosts it dials, a launcher that started all ranks, or, with
// neither, a second rank in this very process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/witness.hpp"
#include "harness/machine/machine.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/team.hpp"

namespace CLI {
class App;
}

namespace assay::rdma {

/// Options of the command line for ranks.
struct RankOptions {
  std::vector<std::string> hosts;  // that run `assay-rdma serve`
  std::uint16_t port = 0;          // 0: the usual one
  std::string interface;           // or local address that control messages leave from
  double connect_limit_s = 5;
  team::KeyFlags key{};  // what ranks prove to each other
};
void add_rank_options(CLI::App& app, RankOptions& options);

/// Ranks a team of these options will have, without forming it.
int planned_ranks(const RankOptions& options);

/// Dials the hosts; or meets the launcher's ranks (not `again`: they are gone for good); or starts a follower
/// in a thread of this process, over this host's own device (loopback). `machine` must outlive the team.
/// Throws core::Error with one line where that cannot be.
std::unique_ptr<team::Team> form_team(const RankOptions& options, const machine::Machine& machine,
                                      const std::vector<std::string>& arguments, bool again);

/// `assay-rdma serve ...`: argv[0] is "serve". Returns an exit code: 2 in a build without libibverbs.
int serve_command(int argc, char** argv);

/// In a process that a launcher started as another rank than 0: follows rank 0 until dismissed.
/// In a build without libibverbs it ends at once. `witness_of` may give it a journal of its own. Returns an
/// exit code; nothing where this process leads.
using WitnessOf = std::function<std::unique_ptr<core::Witness>(int rank, const machine::Machine&)>;
std::optional<int> follow_if_launched(const std::vector<std::string>& arguments, const WitnessOf& witness_of);

}  // namespace assay::rdma
