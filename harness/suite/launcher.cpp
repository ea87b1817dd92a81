// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/launcher.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "harness/core/error.hpp"

namespace assay::suite {
namespace {

std::string in_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path candidate = std::filesystem::path(folder) / program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate.string();
  }
  core::usage_error(
      fmt::format("--launcher {}: {} is not in PATH: install it, or use another launcher", program, program));
}

bool has_ranks(const std::string& room) { return room == "collectives"; }

}  // namespace

bool is_launched(const Launch& launch, const std::string& room) {
  return launch.outside() && has_ranks(room);
}

std::vector<std::string> launch_command(const Launch& launch, const std::string& room) {
  if (!is_launched(launch, room)) return {};
  // Nobody reads the terminal: a process group in the background would be stopped for that.
  std::vector<std::string> command{in_path(launch.launcher)};
  if (launch.launcher == "mpirun")
    command.insert(command.end(), {"--stdin", "none"});
  else
    command.emplace_back("--input=none");
  if (launch.ranks > 0) command.insert(command.end(), {"-n", std::to_string(launch.ranks)});
  command.insert(command.end(), launch.words.begin(), launch.words.end());
  return command;
}

std::vector<std::string> rank_flags(const Launch& launch, const std::string& room) {
  if (launch.ranks == 0 || !has_ranks(room)) return {};
  return {"--ranks", std::to_string(launch.ranks)};
}

void check(const Launch& launch) {
  if (launch.launcher != "local" && launch.launcher != "mpirun" && launch.launcher != "srun")
    core::usage_error(fmt::format("--launcher {}: expected local, mpirun or srun", launch.launcher));
  if (launch.ranks < 0) core::usage_error(fmt::format("--ranks {}: expected 1 or more", launch.ranks));
  if (launch.launcher == "mpirun" && launch.ranks == 0)
    core::usage_error("--launcher mpirun: say how many ranks it is to start: --ranks N");
  if (!launch.outside() && !launch.words.empty())
    core::usage_error("--launcher-args without a launcher: add --launcher mpirun or srun");
}

}  // namespace assay::suite
