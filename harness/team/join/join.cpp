// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks that a launcher started find each other: rank 0 listens, the others call.
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/team/crowd.hpp"
#include "harness/team/handshake/greeting.hpp"
#include "harness/team/handshake/munge.hpp"
#include "harness/team/handshake/reception.hpp"
#include "harness/team/join/follow_leader.hpp"
#include "harness/team/join/member_connections.hpp"
#include "harness/team/join/rendezvous.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/descriptor_limit.hpp"
#include "harness/team/wire/socket_connection.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

// Descriptors for callers that are not yet let in, and for the program.
constexpr std::size_t other_descriptors = 512;

/// Rank 0's key: with MUNGE it draws one, and hands it to those of its user.
TeamKey leaders_key(TeamKey key) {
  if (key.source != KeySource::munge) return key;
  key.secret = random_secret();
  key.credential = credential_with(key.secret);
  return key;
}

/// Rank 0 while the others come.
class Gathering {
 public:
  Gathering(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options)
      : rendezvous_(rendezvous),
        mine_(mine),
        options_(options),
        key_(leaders_key(options.key)),
        deadline_(options.limit_s),
        reception_(listen_with_key(key_, options.interface, rendezvous.leader.port, rendezvous.leader.host),
                   [this] { return Handshake::of_listener(join_errand(rendezvous_), key_); },
                   {.greeting_limit_s = greeting_limit_s,
                    .expected = static_cast<std::size_t>(rendezvous.size),
                    .loopback_only = key_.source == KeySource::none}),
        members_(static_cast<std::size_t>(rendezvous.size - 1)),
        places_(members_.size()) {
    rendezvous_.leader.port = port_of(reception_.listening());
    warn_where_open(key_, fmt::format("port {} of this run's rank 0", rendezvous_.leader.port));
    allow_descriptors(static_cast<std::size_t>(rendezvous.size) + other_descriptors,
                      fmt::format("rank 0 of {} ranks", rendezvous.size));
    refuse_crowd(rendezvous);
    if (options.start_others) options.start_others(rendezvous_.leader.port);
  }

  std::unique_ptr<Team> team() {
    try {
      while (came_ < members_.size()) {
        core::end_wait_at_stop_request("the other ranks");
        if (deadline_.passed()) give_up();
        wait();
        for (Guest& guest : reception_.look()) hear(std::move(guest));
      }
    } catch (const core::Interrupted&) {
      call_off("it was asked to stop");
      throw;
    } catch (const core::Error& error) {
      call_off(error.what());
      throw;
    }
    return lead_tree();
  }

 private:
  void call_off(const std::string& why) {
    for (const Follower& member : members_)
      if (member.link) refuse(*member.link, Refusal::final, why);
  }

  /// The links to ranks that are not children of rank 0 stay until the tree is complete.
  std::unique_ptr<Team> lead_tree() {
    const TreeShape& shape = options_.shape;
    const std::string salt = to_hex(random_secret());
    std::vector<std::string> hosts{mine_.host};
    for (int rank = 1; rank < rendezvous_.size; ++rank) {
      Follower& member = members_[static_cast<std::size_t>(rank) - 1];
      Welcome welcome;
      welcome.rank = rank, welcome.size = rendezvous_.size;
      welcome.shape = shape, welcome.salt = salt;
      const int parent = place_in_tree(rank, rendezvous_.size, shape).parent;
      if (parent != 0) welcome.parent = places_[static_cast<std::size_t>(parent) - 1];
      send_welcome(*member.link, welcome);
      hosts.push_back(std::move(member.hello.host));
    }
    TreePlace place = place_in_tree(0, rendezvous_.size, shape);
    TreeLinks links;
    for (const RankRange& child : place.children)
      links.children.push_back(std::move(members_[static_cast<std::size_t>(child.first) - 1].link));
    return complete_team(std::move(place), std::move(hosts), std::move(links),
                         {.by = to_text(key_.source), .secret = key_.secret}, options_.limit_s);
  }

  std::vector<int> missing() const {
    std::vector<int> ranks;
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (!members_[i].link) ranks.push_back(static_cast<int>(i) + 1);
    return ranks;
  }

  [[noreturn]] void give_up() const {
    const std::vector<int> ranks = missing();
    const std::size_t shown = std::min<std::size_t>(ranks.size(), 8);
    core::usage_error(fmt::format("rank{} {}{} of {} did not come to {} port {} within {:g} s: {}",
                                  ranks.size() == 1 ? "" : "s",
                                  fmt::join(ranks.begin(), ranks.begin() + static_cast<long>(shown), ", "),
                                  shown < ranks.size() ? ", ..." : "", rendezvous_.size,
                                  rendezvous_.leader.host, rendezvous_.leader.port, options_.limit_s,
                                  turned_away_.empty() ? "were they started, with this address?"
                                                       : "a caller was refused: " + turned_away_));
  }

  void wait() {
    std::vector<pollfd> waiting;
    reception_.add_to(waiting);
    poll(waiting.data(), waiting.size(),
         reception_.wait_ms(static_cast<int>(std::min(deadline_.remaining_s(), call_again_s) * 1e3) + 1));
  }

  /// Callers that are not ranks of this team are refused in one line.
  void hear(Guest guest) {
    std::optional<Introduction> theirs;
    try {
      theirs = introduction_from(guest.first.type == FrameType::hello ? guest.first.payload : "");
    } catch (const core::Error& error) {
      return reception_.log(
          fmt::format("refused a caller at port {}: {}", rendezvous_.leader.port, error.what()));
    }
    try {
      admit(guest.link, std::move(*theirs));
    } catch (const core::Error& error) {
      if (options_.key.source != KeySource::none) throw;
      turn_away(*guest.link, error.what());
    }
  }

  /// Without a key any user of this host can call: a stranger's mistake is not the team's.
  void turn_away(SocketConnection& link, const std::string& why) {
    refuse(link, Refusal::final, why);
    reception_.log(fmt::format("refused a caller at port {}: {}", rendezvous_.leader.port, why));
    turned_away_ = why;
  }

  /// Takes the link where the caller is a rank of this team.
  void admit(std::unique_ptr<SocketConnection>& link, Introduction theirs) {
    introduce(*link, {mine_, 0, rendezvous_.size});  // so that it finds the same differences
    if (const std::string difference = disagreement(mine_, theirs.hello); !difference.empty())
      core::usage_error(difference);
    if (const std::string difference = different_size(theirs, rendezvous_.size); !difference.empty())
      core::usage_error(difference);
    if (link->caller() != theirs.rank)
      core::usage_error(
          fmt::format("{} calls itself rank {} and rank {}", theirs.hello.host, link->caller(), theirs.rank));
    if (theirs.rank < 1 || theirs.rank >= rendezvous_.size)
      core::usage_error(fmt::format("{} calls itself rank {}; expected 1 to {}", theirs.hello.host,
                                    theirs.rank, rendezvous_.size - 1));
    Follower& member = members_[static_cast<std::size_t>(theirs.rank) - 1];
    if (member.link) {
      const std::string why =
          fmt::format("rank {} came twice, from {} and {}: give every process its own RANK", theirs.rank,
                      member.hello.host, theirs.hello.host);
      if (options_.key.source != KeySource::none) refuse(*link, Refusal::final, why);
      core::usage_error(why);
    }
    const SocketAddress from = peer_of(link->descriptor());
    member = {std::move(theirs.hello), std::move(link)};
    places_[static_cast<std::size_t>(theirs.rank) - 1] = {is_loopback(from) ? "" : host_text(from),
                                                          static_cast<std::uint16_t>(theirs.port)};
    ++came_;
  }

  Rendezvous rendezvous_;
  const Hello& mine_;
  const JoinOptions& options_;
  TeamKey key_;
  Deadline deadline_;
  Reception reception_;
  std::vector<Follower> members_;  // rank 1 first; no link: has not come yet
  std::vector<Address> places_;    // where their children call
  std::size_t came_ = 0;
  std::string turned_away_;  // why the last caller was that
};

}  // namespace

std::unique_ptr<Team> join_team(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options) {
  if (rendezvous.size == 1)
    return std::make_unique<TreeTeam>(TreePlace{}, std::vector<std::string>{mine.host}, TreeLinks{});
  const JoinOptions patient = with_patience(options, rendezvous);
  if (rendezvous.rank != 0) return follow_leader(rendezvous, mine, patient);
  return Gathering(rendezvous, mine, patient).team();
}

}  // namespace assay::team
