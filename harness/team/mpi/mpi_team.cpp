// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/mpi/mpi_team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "harness/team/handshake/greeting.hpp"
#include "harness/team/mpi/mpi_connection.hpp"
#include "harness/team/tree_team.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {
namespace {

constexpr const char* by_mpi = "MPI";
constexpr const char* other_way = "or start without MPI: RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT";

/// Links between any two ranks cost nothing: rank 0 keeps those to its children.
std::unique_ptr<Team> lead_tree(const Hello& mine, const std::vector<std::string>& hosts,
                                std::vector<std::unique_ptr<MpiConnection>> links, double limit_s) {
  const int size = static_cast<int>(links.size()) + 1;
  TreePlace place = place_in_tree(0, size);
  for (int rank = 1; rank < size; ++rank)
    send_welcome(*links[static_cast<std::size_t>(rank) - 1], {.rank = rank, .size = size});
  TreeLinks kept;
  for (const RankRange& child : place.children)
    kept.children.push_back(std::move(links[static_cast<std::size_t>(child.first) - 1]));
  for (const std::unique_ptr<MpiConnection>& link : links)
    if (link) link->retire();
  std::vector<std::string> all{mine.host};
  all.insert(all.end(), hosts.begin(), hosts.end());
  return complete_team(std::move(place), std::move(all), std::move(kept), {.by = by_mpi}, limit_s);
}

/// Rank 0 hears them all before it judges, so that every rank gets an answer.
std::unique_ptr<Team> lead_ranks(const std::shared_ptr<MpiSession>& session, const Hello& mine,
                                 double limit_s) {
  const Deadline deadline(limit_s);
  std::vector<std::unique_ptr<MpiConnection>> links;
  std::vector<std::string> hosts;
  std::string difference;
  for (int rank = 1; rank < session->size(); ++rank) {
    auto link = std::make_unique<MpiConnection>(session, rank);
    introduce(*link, {mine, 0, session->size()});
    Answer answer;
    try {
      answer = answer_of(*link, deadline.remaining_s());
    } catch (const core::Interrupted&) {
      session->leave_unfinished();
      throw;
    } catch (const core::Error& error) {
      session->leave_unfinished();
      throw PeerLost(rank, fmt::format("rank {} {}", rank, error.what()));
    }
    if (difference.empty()) difference = disagreement(mine, answer.introduction.hello);
    hosts.push_back(std::move(answer.introduction.hello.host));
    links.push_back(std::move(link));
  }
  if (difference.empty()) return lead_tree(mine, hosts, std::move(links), limit_s);
  for (const std::unique_ptr<MpiConnection>& link : links) refuse(*link, Refusal::final, difference);
  core::usage_error(difference);
}

std::unique_ptr<Team> follow_rank_0(const std::shared_ptr<MpiSession>& session, const Hello& mine,
                                    double limit_s) {
  auto link = std::make_unique<MpiConnection>(session, 0);
  introduce(*link, {mine, session->rank(), session->size()});
  Answer answer;
  try {
    answer = answer_of(*link, limit_s);
  } catch (const core::Interrupted&) {
    session->leave_unfinished();
    throw;
  } catch (const core::Error& error) {
    session->leave_unfinished();
    throw PeerLost(0, fmt::format("rank 0 {}", error.what()));
  }
  const std::string difference = disagreement(mine, answer.introduction.hello);
  if (!difference.empty()) {
    session->leave_unfinished();
    core::usage_error(difference);
  }
  const std::string& leader = answer.introduction.hello.host;
  const Welcome welcome = receive_welcome(*link, leader, 2 * limit_s);
  TreePlace place = place_in_tree(welcome.rank, welcome.size, welcome.shape);
  TreeLinks links;
  if (place.parent != 0) {
    link->retire();
    links.parent = std::make_unique<MpiConnection>(session, place.parent);
  } else {
    links.parent = std::move(link);
  }
  for (const RankRange& child : place.children)
    links.children.push_back(std::make_unique<MpiConnection>(session, child.first));
  return complete_team(std::move(place), unknown_hosts(welcome.size, leader), std::move(links),
                       {.by = by_mpi}, limit_s);
}

}  // namespace

std::filesystem::path mpi_plugin_path() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / "assay" /
         "assay_team_mpi.so";
}

const MpiCalls& load_mpi(const std::filesystem::path& plugin) {
  if (!std::filesystem::exists(plugin))
    core::usage_error(
        fmt::format("started by an MPI launcher, but this build of assay has no MPI ({} is missing): "
                    "build it where MPI's headers are, {}",
                    plugin.string(), other_way));
  // Never closed: MPI's own plug-ins look their symbols up in it, hence global.
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    core::usage_error(
        fmt::format("started by an MPI launcher, but MPI does not load ({}): install it on this host, {}",
                    dlerror(), other_way));
  const auto calls = reinterpret_cast<MpiCallsFunction>(dlsym(library, mpi_calls_symbol));
  if (calls == nullptr || calls()->revision != mpi_calls_revision)
    core::usage_error(fmt::format("{} is of another build of assay: install one build", plugin.string()));
  return *calls();
}

std::unique_ptr<Team> make_mpi_team(const MpiCalls& calls, const Hello& mine, double limit_s) {
  static std::atomic<bool> made{false};
  if (made.exchange(true))
    throw PeerLost(-1, "the MPI team of this run is broken; MPI forms no second one: start the run again");
  const auto session = std::make_shared<MpiSession>(calls);
  if (session->size() > 1)
    return session->rank() == 0 ? lead_ranks(session, mine, limit_s) : follow_rank_0(session, mine, limit_s);
  return std::make_unique<TreeTeam>(TreePlace{}, std::vector<std::string>{mine.host}, TreeLinks{});
}

}  // namespace assay::team
