// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/local_team.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/keyed_hash.hpp"
#include "harness/team/rendezvous.hpp"
#include "harness/team/tcp_socket.hpp"

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

}  // namespace

void LocalProcesses::start(int rank, int size, int port, const team::TeamKey& key,
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

LocalProcesses::~LocalProcesses() {
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

LocalTeam::LocalTeam(int size, const team::Hello& mine, const std::vector<std::string>& arguments,
                     const team::KeyFlags& key_flags) {
  team::TeamKey key = key_to_hand_on(key_flags);
  // The port is free again when rank 0 listens at it; nobody else can have got it from the system meanwhile
  // but by chance.
  const int port = team::port_of(team::listen_at(here, 0));
  for (int rank = 1; rank < size; ++rank) processes_.start(rank, size, port, key, arguments);
  team::Rendezvous rendezvous;
  rendezvous.size = size;
  rendezvous.leader = {here, static_cast<std::uint16_t>(port)};
  forward_to(team::join_team(rendezvous, mine, {.limit_s = 20, .interface = here, .key = std::move(key)}));
}

}  // namespace assay::collectives
