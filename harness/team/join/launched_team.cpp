// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/launched_team.hpp"

#include <csignal>

#include "harness/team/mpi/mpi_team.hpp"

namespace assay::team {

namespace {

std::unique_ptr<Team> met_by_launcher(const Hello& mine, const JoinOptions& options) {
  const Environment environment = environment_of_this_process();
  const auto join_with_key = [&](const Rendezvous& rendezvous) {
    JoinOptions keyed = options;
    keyed.key = team_key(options.key_flags, environment, MayMunge::yes);
    return join_team(rendezvous, mine, keyed);
  };
  if (const std::optional<Rendezvous> rendezvous = torchrun_rendezvous(environment))
    return join_with_key(*rendezvous);
  if (environment("OMPI_COMM_WORLD_SIZE") != nullptr || environment("PMIX_RANK") != nullptr)
    return make_mpi_team(load_mpi(mpi_plugin_path()), mine, options.limit_s);
  if (const std::optional<Rendezvous> rendezvous = slurm_rendezvous(environment))
    return join_with_key(*rendezvous);
  return nullptr;
}

}  // namespace

std::unique_ptr<Team> team_from_environment(const Hello& mine, const JoinOptions& options) {
  std::unique_ptr<Team> team = met_by_launcher(mine, options);
  // How a launcher passes an interrupt on to all its ranks: rank 0 finishes the sample and dismisses the
  // rest.
  if (team && team->rank() > 0) std::signal(SIGUSR1, SIG_IGN);
  return team;
}

}  // namespace assay::team
