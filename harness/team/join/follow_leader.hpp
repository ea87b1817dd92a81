// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The ranks that call rank 0, and what both sides of that call agree on.
#pragma once

#include <memory>

#include "harness/team/handshake/greeting.hpp"
#include "harness/team/join/rendezvous.hpp"

namespace assay::team {

inline constexpr double call_again_s = 0.1;
inline constexpr double greeting_limit_s = 5;

inline Errand join_errand(const Rendezvous& rendezvous) {
  return {.purpose = "join", .session = rendezvous.session, .from = rendezvous.rank, .to = 0};
}

/// A rank other than 0, as join_team().
std::unique_ptr<Team> follow_leader(const Rendezvous& rendezvous, const Hello& mine,
                                    const JoinOptions& options);

}  // namespace assay::team
