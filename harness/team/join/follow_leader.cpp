// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/follow_leader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/team/branches.hpp"
#include "harness/team/join/member_connections.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/socket_connection.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

/// Rank 0 as it introduces itself, or the reason why it refuses this rank.
Introduction ask(SocketConnection& link, const Rendezvous& rendezvous, const Hello& mine, int port,
                 double limit_s) {
  introduce(link, {mine, rendezvous.rank, rendezvous.size, port});
  Answer answer = answer_of(link, limit_s);
  if (answer.is_refused) core::usage_error(answer.refusal);
  const std::string difference = disagreement(mine, answer.introduction.hello);
  if (!difference.empty()) core::usage_error(difference);
  if (const std::string size_difference = different_size(answer.introduction, rendezvous.size);
      !size_difference.empty())
    core::usage_error(size_difference);
  return std::move(answer.introduction);
}

struct Leader {
  std::string host;
  std::unique_ptr<SocketConnection> link;
};

/// Calls until rank 0 is there: its process starts later, its host's name may become known later, and its
/// port may still answer for a run that ends.
class LeaderCall {
 public:
  /// `port`: where this rank's children call.
  LeaderCall(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options, int port)
      : rendezvous_(rendezvous), mine_(mine), options_(options), port_(port), deadline_(options.limit_s) {}

  Leader leader() {
    refuse_strange_leader();
    while (true) {
      core::end_wait_at_stop_request("rank 0");
      if (std::optional<Leader> found = call()) return std::move(*found);
      if (deadline_.remaining_s() < 2 * call_again_s)
        core::usage_error(fmt::format("{} (tried for {:g} s)", failure_, options_.limit_s));
      std::this_thread::sleep_for(std::chrono::duration<double>(call_again_s));
    }
  }

 private:
  /// At once, where it is known already: rank 0 will not listen there.
  void refuse_strange_leader() const {
    std::vector<SocketAddress> addresses;
    try {
      addresses = resolve(rendezvous_.leader);
    } catch (const core::Error&) {
      return;
    }
    refuse_strange_addresses(options_.key, addresses, rendezvous_.leader.host);
  }

  std::unique_ptr<SocketConnection> connected() {
    try {
      Descriptor socket = connect_to(rendezvous_.leader, options_.interface, deadline_.remaining_s(), hint_);
      if (options_.key.source == KeySource::none && !is_loopback(peer_of(socket))) {
        failure_ =
            fmt::format("{}: without a key only loopback addresses are called", rendezvous_.leader.host);
        return nullptr;
      }
      return std::make_unique<SocketConnection>(std::move(socket),
                                                Handshake::of_caller(join_errand(rendezvous_), options_.key));
    } catch (const core::Error& error) {
      failure_ = error.what();
      return nullptr;
    }
  }

  std::optional<Leader> call() {
    std::unique_ptr<SocketConnection> link = connected();
    if (!link) return std::nullopt;
    try {
      Introduction theirs =
          ask(*link, rendezvous_, mine_, port_, std::min(deadline_.remaining_s(), greeting_limit_s));
      return Leader{std::move(theirs.hello.host), std::move(link)};
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
      const bool for_good = link->is_refused_for_good();
      failure_ = fmt::format("{} {}{}", rendezvous_.leader.host, error.what(), for_good ? "" : hint_);
      if (for_good) core::usage_error(failure_);
      return std::nullopt;
    }
  }

  const Rendezvous& rendezvous_;
  const Hello& mine_;
  const JoinOptions& options_;
  int port_;
  Deadline deadline_;
  std::string hint_ = fmt::format(": is rank 0 running there? (port {})", rendezvous_.leader.port);
  std::string failure_;
};

}  // namespace

std::unique_ptr<Team> follow_leader(const Rendezvous& rendezvous, const Hello& mine,
                                    const JoinOptions& options) {
  refuse_crowd(rendezvous);
  TreePlace place = place_in_tree(rendezvous.rank, rendezvous.size, options.shape);
  core::Descriptor door;
  if (!place.children.empty()) door = listen_with_key(options.key, options.interface, 0);
  Leader leader = LeaderCall(rendezvous, mine, options, door ? port_of(door) : 0).leader();
  Trust trust{.by = to_text(options.key.source), .secret = leader.link->secret()};
  // Rank 0 counts from its own start, and says who is missing.
  Welcome welcome = receive_welcome(*leader.link, leader.host, 2 * options.limit_s);
  if (welcome.parent.host.empty()) welcome.parent.host = rendezvous.leader.host;
  std::unique_ptr<Connection> to_rank_0 = std::move(leader.link);
  TreeLinks links = branches_of(place, to_rank_0, welcome.parent, std::move(door),
                                {.session = rendezvous.session,
                                 .key = key_among_members(trust, "branch", welcome.salt),
                                 .loopback_only = options.key.source == KeySource::none,
                                 .interface = options.interface,
                                 .limit_s = options.limit_s});
  return complete_team(std::move(place), unknown_hosts(rendezvous.size, leader.host), std::move(links),
                       std::move(trust), 2 * options.limit_s);
}

}  // namespace assay::team
