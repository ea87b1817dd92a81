// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank for tests of launchers: joins the team of its environment, talks, and does as its argument says.
// Prints one line; exit codes as assay's.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include "harness/team/join/launched_team.hpp"
#include "harness/team/wire/deadline.hpp"

namespace {

using assay::team::Team;

/// Every call of a team, in an order and with delays that differ by rank.
std::string talk(Team& team) {
  std::string said =
      team.broadcast(team.rank() == 0 ? std::string(50'000, 'o') : "", 20).size() == 50'000 ? "" : "?";
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(team.rank() * 2));
    team.barrier(20);
    for (const std::string& text : team.gather(std::to_string(team.rank() * team.rank()), 20))
      said += text + " ";
  }
  return said + "of " + std::to_string(team.size());
}

void misbehave(const std::string& how, const Team& team) {
  if (team.rank() != 1) return;
  if (how == "die") kill(getpid(), SIGKILL);
  if (how == "stop") kill(getpid(), SIGSTOP);
}

std::string run(const std::string& how) {
  assay::team::Hello mine = assay::team::hello_of_this_host();
  if (how == "differ") {
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    mine.options = {{"plan", rank != nullptr && std::string(rank) == "1" ? "b" : "a"}};
  }
  const auto team = assay::team::team_from_environment(mine, {.limit_s = 20});
  if (!team) return "no launcher";
  std::string said = "rank " + std::to_string(team->rank()) + ": ";
  misbehave(how, *team);
  // Ample for the ranks that run: only the stopped one may be silent, however busy the machine.
  if (how == "die" || how == "stop") team->gather("", how == "stop" ? 5 : 20);
  if (how == "throw" && team->rank() == 0) throw std::runtime_error("rank 0 gives up");
  if (how == "throw") team->broadcast("", assay::team::no_limit);
  return said + talk(*team);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::cout << run(count > 1 ? arguments[1] : "") << std::endl;
    return 0;
  } catch (const assay::core::Error& error) {
    std::cerr << error.what() << std::endl;
    return error.kind() == assay::core::ErrorKind::usage ? 2 : 3;
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 3;
  }
}
