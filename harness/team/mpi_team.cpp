// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/mpi_team.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "harness/team/deadline.hpp"
#include "harness/team/greeting.hpp"
#include "harness/team/mpi_connection.hpp"
#include "harness/team/star_team.hpp"

namespace assay::team {
namespace {

constexpr const char* by_mpi = "MPI";
constexpr const char* other_way = "or start without MPI: RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT";

/// Rank 0 hears them all before it judges, so that every rank gets an answer.
std::unique_ptr<Team> lead_ranks(const std::shared_ptr<MpiSession>& session, const Hello& mine,
                                 double limit_s) {
  const Deadline deadline(limit_s);
  std::vector<Follower> followers;
  std::string difference;
  for (int rank = 1; rank < session->size(); ++rank) {
    auto link = std::make_unique<MpiConnection>(session, rank);
    introduce(*link, {mine, 0, session->size()});
    Answer answer;
    try {
      answer = answer_of(*link, deadline.remaining_s());
    } catch (const core::Error& error) {
      session->leave_unfinished();
      throw PeerLost(rank, fmt::format("rank {} {}", rank, error.what()));
    }
    if (difference.empty()) difference = disagreement(mine, answer.introduction.hello);
    followers.push_back({std::move(answer.introduction.hello), std::move(link)});
  }
  if (difference.empty()) return welcome(mine, std::move(followers), {.by = by_mpi});
  for (const Follower& follower : followers) refuse(*follower.link, Refusal::final, difference);
  core::usage_error(difference);
}

std::unique_ptr<Team> follow_rank_0(const std::shared_ptr<MpiSession>& session, const Hello& mine,
                                    double limit_s) {
  auto link = std::make_unique<MpiConnection>(session, 0);
  introduce(*link, {mine, session->rank(), session->size()});
  Answer answer;
  try {
    answer = answer_of(*link, limit_s);
  } catch (const core::Error& error) {
    session->leave_unfinished();
    throw PeerLost(0, fmt::format("rank 0 {}", error.what()));
  }
  const std::string difference = disagreement(mine, answer.introduction.hello);
  if (!difference.empty()) {
    session->leave_unfinished();
    core::usage_error(difference);
  }
  return await_welcome(std::move(link), answer.introduction.hello.host, 2 * limit_s, {.by = by_mpi});
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
  return std::make_unique<StarTeam>(0, std::vector<std::string>{mine.host},
                                    std::vector<std::unique_ptr<Connection>>{});
}

}  // namespace assay::team
