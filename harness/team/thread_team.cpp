// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/thread_team.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/team/socket_connection.hpp"
#include "harness/team/star_team.hpp"

namespace assay::team {
namespace {

std::pair<std::unique_ptr<Connection>, std::unique_ptr<Connection>> make_links() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    const int code = errno;
    throw core::Error(core::ErrorKind::system, fmt::format("open a socket pair: {}", std::strerror(code)),
                      code);
  }
  return {std::make_unique<SocketConnection>(Descriptor(ends[0])),
          std::make_unique<SocketConnection>(Descriptor(ends[1]))};
}

}  // namespace

std::vector<std::unique_ptr<Team>> make_thread_teams(int n) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < n; ++rank) hosts.push_back(fmt::format("thread{}", rank));
  std::vector<std::unique_ptr<Team>> teams(1);
  std::vector<std::unique_ptr<Connection>> from_leader;
  for (int rank = 1; rank < n; ++rank) {
    auto [leader_end, follower_end] = make_links();
    from_leader.push_back(std::move(leader_end));
    std::vector<std::unique_ptr<Connection>> to_leader;
    to_leader.push_back(std::move(follower_end));
    teams.push_back(std::make_unique<StarTeam>(rank, hosts, std::move(to_leader)));
  }
  teams.front() = std::make_unique<StarTeam>(0, std::move(hosts), std::move(from_leader));
  return teams;
}

}  // namespace assay::team
