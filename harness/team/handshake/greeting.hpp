// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How links become a team: both sides introduce themselves, and when all have come the leader says who is
// who.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "harness/team/handshake/handshake.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/team.hpp"
#include "harness/team/tree_team.hpp"
#include "harness/team/wire/address.hpp"
#include "harness/team/wire/connection.hpp"

namespace assay::team {

/// A follower as its leader knows it.
struct Follower {
  Hello hello;
  std::unique_ptr<Connection> link;
};

enum class Refusal { busy, final };

/// The errand of a leader that calls serving hosts.
inline Errand lead_errand() { return {.purpose = "lead"}; }

void introduce(Connection& link, const Introduction& introduction);
void refuse(Connection& link, Refusal refusal, const std::string& why);

/// A peer's first message: its introduction, or why it wants no team with us.
struct Answer {
  Introduction introduction;
  bool is_refused = false;
  bool is_busy = false;
  std::string refusal;
};

/// The peer's first word within `limit_s`; throws core::Error (team) where there is none, with a clause that
/// follows the peer's name.
Answer answer_of(Connection& link, double limit_s);

/// Rank 0's message to each rank once all have come: the rank's place, and where its parent is.
struct Welcome {
  int rank = 0, size = 0;
  TreeShape shape{};
  /// No port: the link to rank 0 stays. No host: it is on the host of rank 0.
  Address parent{.host = "", .port = 0};
  std::string salt{};  // of the keys between the ranks
};

/// A tree in which all are linked to the leader.
inline constexpr TreeShape star_shape{.star_up_to = std::numeric_limits<int>::max()};

void send_welcome(Connection& link, const Welcome& welcome);
/// Waits until the team is complete. Throws PeerLost (0) when the leader ends or gives up.
Welcome receive_welcome(Connection& link, const std::string& leader, double limit_s);

/// The leader of a star: followers by rank, from 1.
std::unique_ptr<Team> lead_star(const Hello& mine, std::vector<Follower> followers, Trust trust);
/// A follower in a star.
std::unique_ptr<Team> follow_in_star(std::unique_ptr<Connection> link, const std::string& leader,
                                     double limit_s, Trust trust);

/// Every rank, once it has its links: waits until all have theirs, and learns the others' hosts.
std::unique_ptr<Team> complete_team(TreePlace place, std::vector<std::string> hosts, TreeLinks links,
                                    Trust trust, double limit_s);
/// At other ranks than 0, before they know: "?".
std::vector<std::string> unknown_hosts(int size, const std::string& leader);

}  // namespace assay::team
