// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "collectives/measure/cases.hpp"
#include "collectives/measure/local_team.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/core/error.hpp"
#include "harness/team/launched_follower.hpp"
#include "harness/team/launched_place.hpp"
#include "harness/team/launched_team.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/solo_team.hpp"

namespace assay::collectives {
namespace {

/// Whole where it is short enough to be shown whole; else its beginning, and a digest of it all.
std::string text_of(const std::vector<std::string>& arguments) {
  constexpr std::size_t shown = 100;
  const std::string text = fmt::format("{}", fmt::join(arguments, " "));
  return text.size() <= shown ? text
                              : fmt::format("{}... (digest {})", text.substr(0, shown), digest_of(text));
}

/// All ranks must have been given the same points, and the same traffic; those that have NCCL, the same one.
team::Hello hello_of(const ModuleSettings& settings, const std::vector<std::string>& arguments) {
  team::Hello hello = team::hello_of_this_host(
      {{"arguments", text_of(arguments)}, {"traffic matrix (digest)", matrix_digest(settings)}});
  if (std::string nccl = nccl_version_here(); !nccl.empty())
    hello.options.emplace_back("NCCL", std::move(nccl));
  return hello;
}

}  // namespace

int planned_ranks(const ModuleSettings& settings) {
  const auto place = team::launched_place();
  return place ? place->size : settings.local_ranks;
}

std::unique_ptr<team::Team> form_team(const ModuleSettings& settings,
                                      const std::vector<std::string>& arguments, bool again) {
  const team::Hello mine = hello_of(settings, arguments);
  if (!team::launched_place()) {
    if (settings.local_ranks == 1) return std::make_unique<team::SoloTeam>(mine.host);
    return std::make_unique<LocalTeam>(settings.local_ranks, mine, arguments, settings.key);
  }
  if (again)
    throw core::Error(core::ErrorKind::team, "a rank was lost, and only the launcher can start it again");
  return team::team_from_environment(mine, {.interface = settings.interface, .key_flags = settings.key});
}

std::optional<int> follow_if_launched(const std::vector<std::string>& arguments,
                                      const WitnessOf& witness_of) {
  return team::as_launched_follower("assay-collectives", [&](int rank) {
    const ModuleSettings settings = module_settings_from(arguments);
    const auto team = team::team_from_environment(
        hello_of(settings, arguments), {.interface = settings.interface, .key_flags = settings.key});
    const auto witness = witness_of(rank);
    team::follow(
        *team, [&settings](team::Team& standing) { return cases(settings, standing); }, witness.get());
  });
}

}  // namespace assay::collectives
