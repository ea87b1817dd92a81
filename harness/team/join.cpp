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
#include "harness/core/stop_request.hpp"
#include "harness/team/branches.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/descriptor_limit.hpp"
#include "harness/team/greeting.hpp"
#include "harness/team/member_connections.hpp"
#include "harness/team/munge.hpp"
#include "harness/team/reception.hpp"
#include "harness/team/rendezvous.hpp"
#include "harness/team/socket_connection.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr double call_again_s = 0.1;
constexpr double greeting_limit_s = 5;
// Of callers that are not yet let in, and of the program.
constexpr std::size_t other_descriptors = 512;

Errand join_errand(const Rendezvous& rendezvous) {
  return {.purpose = "join", .session = rendezvous.session, .from = rendezvous.rank, .to = 0};
}

/// Ranks that all share this host's processors: that many for each greet each other in time.
constexpr int most_ranks_a_processor = 128, usual_ranks_a_processor = 16;

bool meets_on_this_host(const Rendezvous& rendezvous) {
  try {
    return std::ranges::all_of(resolve(rendezvous.leader),
                               [](const SocketAddress& address) { return is_loopback(address); });
  } catch (const core::Error&) {
    return false;  // the host's name may become known later
  }
}

/// Longer where many ranks share a processor.
JoinOptions with_patience(JoinOptions options, const Rendezvous& rendezvous) {
  const double a_processor = rendezvous.size / std::max(1.0, 1.0 * std::thread::hardware_concurrency());
  if (a_processor > usual_ranks_a_processor && meets_on_this_host(rendezvous))
    options.limit_s *= a_processor / usual_ranks_a_processor;
  return options;
}

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
    warn_where_open(key_, fmt::format("port {} of this run's rank 0", rendezvous.leader.port));
    allow_descriptors(static_cast<std::size_t>(rendezvous.size) + other_descriptors,
                      fmt::format("rank 0 of {} ranks", rendezvous.size));
    refuse_crowd(rendezvous);
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
    core::usage_error(fmt::format(
        "rank{} {}{} of {} did not come to {} port {} within {:g} s: {}",
        ranks.size() == 1 ? "" : "s",
        fmt::join(ranks.begin(), ranks.begin() + static_cast<long>(shown), ", "),
        shown < ranks.size() ? ", ..." : "", rendezvous_.size, rendezvous_.leader.host,
        rendezvous_.leader.port, options_.limit_s,
        turned_away_.empty() ? "were they started, with this address?" : "a caller was refused: " + turned_away_));
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

  const Rendezvous& rendezvous_;
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

}  // namespace

void refuse_crowd(const Rendezvous& rendezvous) {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (rendezvous.size <= most_ranks_a_processor * processors || !meets_on_this_host(rendezvous)) return;
  core::usage_error(fmt::format("{} ranks on {} processors of one host: expected at most {} ({} for each)",
                                rendezvous.size, processors, most_ranks_a_processor * processors,
                                most_ranks_a_processor));
}

std::unique_ptr<Team> join_team(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options) {
  if (rendezvous.size == 1)
    return std::make_unique<TreeTeam>(TreePlace{}, std::vector<std::string>{mine.host}, TreeLinks{});
  const JoinOptions patient = with_patience(options, rendezvous);
  if (rendezvous.rank != 0) return follow_leader(rendezvous, mine, patient);
  return Gathering(rendezvous, mine, patient).team();
}

}  // namespace assay::team
