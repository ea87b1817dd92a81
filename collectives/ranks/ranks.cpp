// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/ranks/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/measure/cases.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/core/error.hpp"
#include "harness/team/forwarding_team.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/team/join/launched_follower.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/join/launched_team.hpp"
#include "harness/team/join/rendezvous.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/solo_team.hpp"
#include "harness/team/wire/keyed_hash.hpp"

namespace assay::collectives {
namespace {

/// The key goes through the environment, which only this user can read.
team::TeamKey key_to_hand_on(const team::KeyFlags& flags) {
  team::TeamKey key = team::team_key(flags, team::environment_of_this_process(), team::MayMunge::no);
  if (!key.holds_secret())
    key = {.source = team::KeySource::environment, .secret = team::to_hex(team::random_secret())};
  return key;
}

/// Rank 0 of a team whose other ranks are processes that it starts on this host itself, with torchrun-style
/// variables.
class LocalTeam final : public team::ForwardingTeam {
 public:
  /// `mine` must be what the started ranks say too. Throws core::Error where they do not come.
  /// Ranks prove a key to each other: the user's, else one drawn here.
  LocalTeam(LocalRanks& ranks, int size, const team::Hello& mine, const team::KeyFlags& key_flags)
      : ranks_(ranks) {
    team::Rendezvous rendezvous;
    rendezvous.size = size;
    rendezvous.leader = {local_address, 0};
    team::JoinOptions options;
    options.limit_s = 20;
    options.interface = local_address;
    options.key = key_to_hand_on(key_flags);
    options.start_others = [&](std::uint16_t port) { ranks_.start(size, port, options.key); };
    forward_to(team::join_team(rendezvous, mine, options));
  }

  ~LocalTeam() override {
    leave();  // they then end by themselves
    ranks_.end();
  }

 private:
  LocalRanks& ranks_;
};

/// Whole where it is short enough to be shown whole; else its beginning, and a digest of it all.
std::string text_of(const std::vector<std::string>& arguments) {
  constexpr std::size_t shown = 100;
  const std::string text = fmt::format("{}", fmt::join(arguments, " "));
  return text.size() <= shown ? text
                              : fmt::format("{}... (digest {})", text.substr(0, shown), digest_of(text));
}

/// All ranks must have been given the same points, traffic and workload; those that have NCCL, the same one.
team::Hello hello_of(const ModuleSettings& settings, const std::vector<std::string>& arguments) {
  team::Hello hello = team::hello_of_this_host({{"arguments", text_of(arguments)},
                                                {"traffic matrix (digest)", matrix_digest(settings)},
                                                {"workload (digest)", step_digest(settings)}});
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
                                      const std::vector<std::string>& arguments, LocalRanks* local,
                                      bool again) {
  const team::Hello mine = hello_of(settings, arguments);
  if (local != nullptr) {
    if (settings.local_ranks == 1) return std::make_unique<team::SoloTeam>(mine.host);
    return std::make_unique<LocalTeam>(*local, settings.local_ranks, mine, settings.key);
  }
  if (again)
    throw core::Error(core::ErrorKind::team, "a rank was lost, and only the launcher can start it again");
  return team::team_from_environment(mine, {.interface = settings.interface, .key_flags = settings.key});
}

void prepare_ranks() {
  nccl_version_here();
  team::hmac_sha256("", "");  // builds libcrypto's tables
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
