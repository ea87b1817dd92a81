// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The links of a tree below rank 0: each rank calls its parent and takes the calls of its children. Both ends
// prove that they hold a key made from the team's (member_connections.hpp).
#pragma once

#include <memory>
#include <string>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/tree_team.hpp"
#include "harness/team/wire/address.hpp"
#include "harness/team/wire/connection.hpp"

namespace assay::team {

struct BranchOptions {
  std::string session{};
  TeamKey key{};
  bool loopback_only = false;
  std::string interface{};  // to call from
  double limit_s = 60;
};

/// The links of a rank other than 0. `to_rank_0` stays where that is the parent; `parent` is its parent's
/// address else. `door` is where its children call. Throws PeerLost, naming who does not come or answer.
TreeLinks branches_of(const TreePlace& place, std::unique_ptr<Connection>& to_rank_0, const Address& parent,
                      core::Descriptor door, const BranchOptions& options);

}  // namespace assay::team
