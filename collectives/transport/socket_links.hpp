// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Connections between the ranks of a team, for traffic that is measured: each end proves to the other that it
// is a rank of this team; what then travels is not sealed.
#pragma once

#include <poll.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/files/descriptor.hpp"
#include "harness/team/handshake/reception.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/team.hpp"
#include "harness/team/wire/socket_connection.hpp"

namespace assay::collectives {

class SocketLinks {
 public:
  struct Made {
    int rank;
    core::Descriptor socket;
  };

  /// Every rank of the team calls it; they exchange where each listens. `team` is not used afterwards.
  SocketLinks(team::Team& team, double limit_s);

  /// Asks for a connection. Both ends must: the rank above calls, the one below takes the call.
  void want(int rank) {
    if (states_[static_cast<std::size_t>(rank)] == State::unwanted) add_wish(rank);
  }
  bool was_made(int rank) const { return states_[static_cast<std::size_t>(rank)] == State::made; }
  bool all_made() const { return missing_ == 0; }
  /// The first rank that is wanted and not yet connected, -1 for none.
  int first_missing() const;
  /// `limit_s` of the constructor, longer where many ranks share this host's processors.
  double limit_s() const { return limit_s_; }

  /// Continues, without waiting. Throws core::Error (team) where a rank refuses or cannot be reached.
  std::vector<Made> look();
  /// For poll(): what to wait for until the next look, and for how long at most.
  void add_to(std::vector<pollfd>& waiting) const;
  int wait_ms(int most_ms) const { return reception_->wait_ms(most_ms); }
  /// Takes and makes no more calls.
  void close();

 private:
  enum class State { unwanted, wanted, made };
  struct Call {
    int rank;
    std::unique_ptr<team::SocketConnection> link;
  };

  void add_wish(int rank);
  Call call_to(int rank) const;
  bool go_on(Call& one, std::vector<Made>& made);
  void note_made(int rank);
  team::Errand errand(int from, int to) const;

  int rank_;
  double limit_s_;
  std::string host_;
  std::string session_;
  team::TeamKey key_;
  std::vector<std::string> places_;  // "HOST PORT" by rank
  std::vector<State> states_;
  int missing_ = 0;
  std::vector<int> to_call_;
  std::vector<Call> calls_;
  std::unique_ptr<team::Reception> reception_;
};

}  // namespace assay::collectives
