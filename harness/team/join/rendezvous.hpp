// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Teams of processes that a launcher started: what its environment says about rank, size and where rank 0 is.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/team/handshake/hello.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/join/environment.hpp"
#include "harness/team/team.hpp"
#include "harness/team/tree_shape.hpp"
#include "harness/team/wire/address.hpp"

namespace assay::team {

struct Rendezvous {
  int rank = 0;
  int size = 1;
  Address leader;       // where rank 0 listens
  int local_rank = -1;  // on this host; -1 where the launcher does not say
  int local_size = -1;
  std::string session{};  // which run of the launcher's this is
};

/// RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, as torchrun sets them; none where none of them is set.
/// Under torchrun itself its own store has that port, and the team takes the next. Throws core::Error (usage)
/// for half of them or nonsense.
std::optional<Rendezvous> torchrun_rendezvous(const Environment& environment);

/// A step of srun: task 0 runs on the first host of SLURM_STEP_NODELIST; the port follows from job and step.
/// None outside a step (in a batch script too), and where tasks are placed by a host file. Throws core::Error
/// (usage) for nonsense.
std::optional<Rendezvous> slurm_rendezvous(const Environment& environment);

/// "node[008-010,12],gpu1" -> "node008". Throws core::Error (usage) for text that is not a host list.
std::string first_host_of(const std::string& node_list);

struct JoinOptions {
  double limit_s = 60;  // until every rank must have come
  std::string
      interface{};       // or local address; empty: everywhere at rank 0, the system's choice at the others
  TeamKey key{};         // none: the leader must be at a loopback address
  TreeShape shape{};     // the same at all ranks
  KeyFlags key_flags{};  // where team_from_environment() finds one
  /// Runs at rank 0 once the others can call: starts them, where no launcher does. The leader's port may be 0
  /// then: the system's choice, which is `port`.
  std::function<void(std::uint16_t port)> start_others{};
};

/// Throws a usage Error for more ranks on this host alone than its processors let greet each other in time.
void refuse_crowd(const Rendezvous& rendezvous);

/// Rank 0 listens at the rendezvous' port, the others call until the limit. Throws core::Error (usage) with
/// one line when ranks are missing, come twice or disagree with `mine`: at rank 0 and at the rank concerned;
/// PeerLost at the others.
std::unique_ptr<Team> join_team(const Rendezvous& rendezvous, const Hello& mine,
                                const JoinOptions& options = {});

}  // namespace assay::team
