// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/thread_team.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "harness/team/tree_team.hpp"
#include "harness/team/wire/socket_connection.hpp"

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

std::vector<std::unique_ptr<Team>> make_thread_teams(int n, const TreeShape& shape) {
  std::vector<std::string> hosts;
  for (int rank = 0; rank < n; ++rank) hosts.push_back(fmt::format("thread{}", rank));
  std::vector<TreeLinks> links(static_cast<std::size_t>(n));
  std::vector<std::unique_ptr<Team>> teams;
  for (int rank = 0; rank < n; ++rank) {  // a parent's rank is below its children's
    TreePlace place = place_in_tree(rank, n, shape);
    TreeLinks& own = links[static_cast<std::size_t>(rank)];
    for (const RankRange& child : place.children) {
      auto [parents_end, childs_end] = make_links();
      own.children.push_back(std::move(parents_end));
      links[static_cast<std::size_t>(child.first)].parent = std::move(childs_end);
    }
    teams.push_back(std::make_unique<TreeTeam>(std::move(place), hosts, std::move(own)));
  }
  return teams;
}

}  // namespace assay::team
