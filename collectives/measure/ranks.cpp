// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "collectives/measure/cases.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/core/error.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/forwarding_team.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/keyed_hash.hpp"
#include "harness/team/launched_follower.hpp"
#include "harness/team/launched_place.hpp"
#include "harness/team/launched_team.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/rendezvous.hpp"
#include "harness/team/solo_team.hpp"
#include "harness/team/tcp_socket.hpp"
#include "harness/team/team_key.hpp"

namespace assay::collectives {
namespace {

constexpr const char* here = "127.0.0.1";

/// The key goes through the environment, which only this user can read.
team::TeamKey key_to_hand_on(const team::KeyFlags& flags) {
  team::TeamKey key = team::team_key(flags, team::environment_of_this_process(), team::MayMunge::no);
  if (!key.holds_secret())
    key = {.source = team::KeySource::environment, .secret = team::to_hex(team::random_secret())};
  return key;
}

std::vector<std::string> environment_of(int rank, int size, int port, const team::TeamKey& key) {
  const std::string key_setting = std::string(team::key_variable) + "=";
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!std::string_view(*variable).starts_with(key_setting)) variables.emplace_back(*variable);
  if (key.source == team::KeySource::environment) variables.push_back(key_setting + key.secret);
  for (const auto& [name, value] : {std::pair{"RANK", std::to_string(rank)},
                                    {"WORLD_SIZE", std::to_string(size)},
                                    {"MASTER_ADDR", here},
                                    {"MASTER_PORT", std::to_string(port)}})
    variables.push_back(fmt::format("{}={}", name, value));
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

bool has_exited(pid_t process) { return waitpid(process, nullptr, WNOHANG) != 0; }

/// The processes; they do not outlive this one.
class LocalProcesses {
 public:
  LocalProcesses() = default;
  /// Given 2 s to end by themselves, then killed.
  ~LocalProcesses() {
    const team::Deadline patience(2);
    for (const pid_t process : running_) {
      bool ended = has_exited(process);
      while (!ended && !patience.passed()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ended = has_exited(process);
      }
      if (ended) continue;
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
  LocalProcesses(const LocalProcesses&) = delete;
  LocalProcesses& operator=(const LocalProcesses&) = delete;

  /// Throws core::Error (system) where no process can be had.
  void start(int rank, int size, int port, const team::TeamKey& key,
             const std::vector<std::string>& arguments) {
    std::vector<std::string> words{"assay-collectives"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<std::string> variables = environment_of(rank, size, port, key);
    const std::vector<char*> argv = pointers_to(words), envp = pointers_to(variables);
    const pid_t process = fork();
    if (process < 0) {
      const int code = errno;
      throw core::Error(core::ErrorKind::system, fmt::format("start rank {}: {}", rank, std::strerror(code)),
                        code);
    }
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      execve("/proc/self/exe", argv.data(), envp.data());
      _exit(127);
    }
    running_.push_back(process);
  }

 private:
  std::vector<pid_t> running_;
};

/// Rank 0 of a team whose other ranks are processes that it starts on this host itself: this program again,
/// with the same arguments and torchrun-style variables.
class LocalTeam final : public team::ForwardingTeam {
 public:
  /// `mine` must be what the started ranks say too. Throws core::Error where they do not come.
  /// Ranks prove a key to each other: the user's, else one drawn here.
  LocalTeam(int size, const team::Hello& mine, const std::vector<std::string>& arguments,
            const team::KeyFlags& key_flags = {}) {
    team::TeamKey key = key_to_hand_on(key_flags);
    // The port is free again when rank 0 listens at it; no one else can have got it from the system meanwhile
    // but by chance.
    const int port = team::port_of(team::listen_at(here, 0));
    team::Rendezvous rendezvous;
    rendezvous.size = size;
    rendezvous.leader = {here, static_cast<std::uint16_t>(port)};
    team::refuse_crowd(rendezvous);
    for (int rank = 1; rank < size; ++rank) processes_.start(rank, size, port, key, arguments);
    forward_to(team::join_team(rendezvous, mine, {.limit_s = 20, .interface = here, .key = std::move(key)}));
  }

  ~LocalTeam() override { leave(); }  // before the processes, which then end by themselves

 private:
  LocalProcesses processes_;
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
