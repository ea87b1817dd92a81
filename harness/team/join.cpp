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
#include "harness/team/deadline.hpp"
#include "harness/team/greeting.hpp"
#include "harness/team/rendezvous.hpp"
#include "harness/team/socket_link.hpp"
#include "harness/team/star_team.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr double call_again_s = 0.1;
constexpr double greeting_limit_s = 5;

std::string different_size(const Introduction& theirs, int size) {
  if (theirs.size == size) return "";
  return fmt::format("{} was started as one of {} ranks, this host as one of {}: start all alike",
                     theirs.hello.host, theirs.size, size);
}

/// Rank 0 while the others come.
class Gathering {
 public:
  Gathering(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options)
      : rendezvous_(rendezvous),
        mine_(mine),
        options_(options),
        deadline_(options.limit_s),
        listening_(listen_at(options.interface, rendezvous.leader.port)),
        members_(static_cast<std::size_t>(rendezvous.size - 1)) {}

  std::unique_ptr<Team> team() {
    try {
      while (missing().size() > 0) {
        if (deadline_.passed()) give_up();
        wait();
        take_callers();
        std::erase_if(callers_, [&](Caller& caller) { return hear(caller); });
      }
    } catch (const core::Error& error) {
      for (const Follower& member : members_)
        if (member.link) refuse(*member.link, Refusal::final, error.what());
      throw;
    }
    return welcome(mine_, std::move(members_));
  }

 private:
  struct Caller {
    std::unique_ptr<SocketLink> link;
    Deadline deadline;
  };

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
        "rank{} {}{} of {} did not come to {} port {} within {:g} s: were they started, with this address?",
        ranks.size() == 1 ? "" : "s",
        fmt::join(ranks.begin(), ranks.begin() + static_cast<long>(shown), ", "),
        shown < ranks.size() ? ", ..." : "", rendezvous_.size, rendezvous_.leader.host,
        rendezvous_.leader.port, options_.limit_s));
  }

  void wait() {
    std::vector<pollfd> waiting{{listening_.get(), POLLIN, 0}};
    for (const Caller& caller : callers_) waiting.push_back({caller.link->descriptor(), POLLIN, 0});
    poll(waiting.data(), waiting.size(),
         static_cast<int>(std::min(deadline_.remaining_s(), call_again_s) * 1e3) + 1);
  }

  void take_callers() {
    while (Descriptor caller = accept_from(listening_))
      callers_.push_back({std::make_unique<SocketLink>(std::move(caller)), Deadline(greeting_limit_s)});
  }

  /// True when nothing more is to be heard from this caller. Others than ranks of ours are sent away in one
  /// line.
  bool hear(Caller& caller) {
    caller.link->progress();
    const std::string why = caller.link->why_closed();
    std::optional<Introduction> theirs;
    try {
      const std::optional<Frame> frame = caller.link->receive();
      if (frame) theirs = introduction_from(frame->type == FrameType::hello ? frame->payload : "");
    } catch (const core::Error& error) {
      fmt::print(stderr, "refused a caller at port {}: {}\n", rendezvous_.leader.port, error.what());
      return true;
    }
    if (theirs) {
      admit(std::move(caller.link), std::move(*theirs));
      return true;
    }
    if (!why.empty())
      fmt::print(stderr, "refused a caller at port {}: it {}\n", rendezvous_.leader.port, why);
    return !why.empty() || caller.deadline.passed();
  }

  void admit(std::unique_ptr<SocketLink> link, Introduction theirs) {
    introduce(*link, {mine_, 0, rendezvous_.size});  // so that it finds the same differences
    if (const std::string difference = disagreement(mine_, theirs.hello); !difference.empty())
      core::usage_error(difference);
    if (const std::string difference = different_size(theirs, rendezvous_.size); !difference.empty())
      core::usage_error(difference);
    if (theirs.rank < 1 || theirs.rank >= rendezvous_.size)
      core::usage_error(fmt::format("{} calls itself rank {}; expected 1 to {}", theirs.hello.host,
                                    theirs.rank, rendezvous_.size - 1));
    Follower& member = members_[static_cast<std::size_t>(theirs.rank) - 1];
    if (member.link) {
      const std::string why =
          fmt::format("rank {} came twice, from {} and {}: give every process its own RANK", theirs.rank,
                      member.hello.host, theirs.hello.host);
      refuse(*link, Refusal::final, why);
      core::usage_error(why);
    }
    member = {std::move(theirs.hello), std::move(link)};
  }

  const Rendezvous& rendezvous_;
  const Hello& mine_;
  const JoinOptions& options_;
  Deadline deadline_;
  Descriptor listening_;
  std::vector<Follower> members_;  // rank 1 first; no link: has not come yet
  std::vector<Caller> callers_;
};

/// Rank 0 as it introduces itself, or the reason why it refuses this rank.
Follower ask(std::unique_ptr<SocketLink> link, const Rendezvous& rendezvous, const Hello& mine,
             double limit_s) {
  introduce(*link, {mine, rendezvous.rank, rendezvous.size});
  Answer answer = answer_of(*link, limit_s);
  if (answer.is_refused) core::usage_error(answer.refusal);
  const std::string difference = disagreement(mine, answer.introduction.hello);
  if (!difference.empty()) core::usage_error(difference);
  if (const std::string size_difference = different_size(answer.introduction, rendezvous.size);
      !size_difference.empty())
    core::usage_error(size_difference);
  return {std::move(answer.introduction.hello), std::move(link)};
}

/// Calls until rank 0 is there: its process starts later, its host's name may become known later, and its
/// port may still answer for a run that ends.
Follower call_leader(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options) {
  const std::string hint = fmt::format(": is rank 0 running there? (port {})", rendezvous.leader.port);
  const Deadline deadline(options.limit_s);
  while (true) {
    std::string failure;
    std::unique_ptr<SocketLink> link;
    try {
      link = std::make_unique<SocketLink>(
          connect_to(rendezvous.leader, options.interface, deadline.remaining_s(), hint));
    } catch (const core::Error& error) {
      failure = error.what();
    }
    try {
      if (link)
        return ask(std::move(link), rendezvous, mine, std::min(deadline.remaining_s(), greeting_limit_s));
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
      failure = fmt::format("{} {}{}", rendezvous.leader.host, error.what(), hint);
    }
    if (deadline.remaining_s() < 2 * call_again_s)
      core::usage_error(fmt::format("{} (tried for {:g} s)", failure, options.limit_s));
    std::this_thread::sleep_for(std::chrono::duration<double>(call_again_s));
  }
}

std::unique_ptr<Team> follow_leader(const Rendezvous& rendezvous, const Hello& mine,
                                    const JoinOptions& options) {
  Follower leader = call_leader(rendezvous, mine, options);
  // Rank 0 counts from its own start, and says who is missing.
  return await_welcome(std::move(leader.link), leader.hello.host, 2 * options.limit_s);
}

}  // namespace

std::unique_ptr<Team> join_team(const Rendezvous& rendezvous, const Hello& mine, const JoinOptions& options) {
  if (rendezvous.size == 1)
    return std::make_unique<StarTeam>(0, std::vector<std::string>{mine.host},
                                      std::vector<std::unique_ptr<Link>>{});
  if (rendezvous.rank != 0) return follow_leader(rendezvous, mine, options);
  return Gathering(rendezvous, mine, options).team();
}

}  // namespace assay::team
