// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How links become a team: both sides introduce themselves, and when all have come the leader says who is
// who.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/team/connection.hpp"
#include "harness/team/handshake.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

/// A follower as its leader knows it.
struct Follower {
  Hello hello;
  std::unique_ptr<Connection> link;
};

enum class Refusal { busy, final };

/// Of a leader that calls serving hosts.
inline Errand lead_errand() { return {.purpose = "lead"}; }

void introduce(Connection& link, const Introduction& introduction);
void refuse(Connection& link, Refusal refusal, const std::string& why);

/// What a peer said first: its introduction, or why it wants no team with us.
struct Answer {
  Introduction introduction;
  bool is_refused = false;
  bool is_busy = false;
  std::string refusal;
};

/// The peer's first word within `limit_s`; throws core::Error (team) where there is none, with a clause that
/// follows the peer's name.
Answer answer_of(Connection& link, double limit_s);

/// The leader: followers by rank, from 1.
std::unique_ptr<Team> welcome(const Hello& mine, std::vector<Follower> followers, Trust trust);

/// A follower: waits until the team is complete. Throws PeerLost (0) when the leader ends or gives up.
std::unique_ptr<Team> await_welcome(std::unique_ptr<Connection> link, const std::string& leader,
                                    double limit_s, Trust trust);

}  // namespace assay::team
