// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/join/rendezvous.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::team {
namespace {

constexpr std::array<const char*, 4> torchrun_names{"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"};
// Ports for srun's steps; below the range that systems give to outgoing connections.
constexpr unsigned first_slurm_port = 18600;
constexpr unsigned slurm_ports = 10000;
constexpr int most_ranks = 1'000'000;

std::string text_of(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

int number_of(const Environment& environment, const char* name, int least, int most) {
  const std::string text = text_of(environment, name);
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
    return number;
  core::usage_error(fmt::format("environment variable {} is '{}'; expected a whole number from {} to {}",
                                name, text, least, most));
}

int number_or(const Environment& environment, const char* name, int otherwise) {
  return environment(name) == nullptr ? otherwise : number_of(environment, name, 0, most_ranks);
}

}  // namespace

Environment environment_of_this_process() {
  return [](const char* name) -> const char* { return std::getenv(name); };
}

std::optional<Rendezvous> torchrun_rendezvous(const Environment& environment) {
  std::vector<std::string> missing;
  for (const char* name : torchrun_names)
    if (text_of(environment, name).empty()) missing.emplace_back(name);
  if (missing.size() == torchrun_names.size()) return std::nullopt;
  if (!missing.empty())
    core::usage_error(
        fmt::format("environment variable {} is not set; set all of {} to start a team, or none of them",
                    fmt::join(missing, ", "), fmt::join(torchrun_names, ", ")));
  Rendezvous found;
  found.size = number_of(environment, "WORLD_SIZE", 1, most_ranks);
  found.rank = number_of(environment, "RANK", 0, found.size - 1);
  found.leader = {text_of(environment, "MASTER_ADDR"),
                  static_cast<std::uint16_t>(number_of(environment, "MASTER_PORT", 1, 65535))};
  found.session = text_of(environment, "TORCHELASTIC_RUN_ID");
  found.local_rank = number_or(environment, "LOCAL_RANK", -1);
  found.local_size = number_or(environment, "LOCAL_WORLD_SIZE", -1);
  if (text_of(environment, "TORCHELASTIC_USE_AGENT_STORE") == "True")
    found.leader.port =
        static_cast<std::uint16_t>(found.leader.port == 65535 ? 65534 : found.leader.port + 1);
  return found;
}

std::string first_host_of(const std::string& node_list) {
  const std::size_t open = node_list.find('[');
  const std::size_t comma = node_list.find(',');
  const std::string first = comma < open ? node_list.substr(0, comma) : node_list;
  const std::size_t close = first.find(']');
  if (first.empty() || (open < comma && open != std::string::npos && close == std::string::npos))
    core::usage_error(
        fmt::format("environment variable SLURM_STEP_NODELIST is '{}'; expected a host list such as "
                    "node[001-004]",
                    node_list));
  if (open >= first.size()) return first;
  const std::size_t number_end = first.find_first_of(",-]", open);
  const std::size_t rest_end = first.find(',', close);
  const std::string rest =
      first.substr(close + 1, rest_end == std::string::npos ? rest_end : rest_end - close - 1);
  return first.substr(0, open) + first.substr(open + 1, number_end - open - 1) + rest;
}

std::optional<Rendezvous> slurm_rendezvous(const Environment& environment) {
  // A batch script has SLURM_PROCID too; only what srun starts has a step's number of tasks.
  for (const char* name : {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NODELIST", "SLURM_JOB_ID"})
    if (text_of(environment, name).empty()) return std::nullopt;
  if (text_of(environment, "SLURM_DISTRIBUTION").starts_with("arbitrary")) return std::nullopt;
  Rendezvous found;
  found.size = number_of(environment, "SLURM_STEP_NUM_TASKS", 1, most_ranks);
  found.rank = number_of(environment, "SLURM_PROCID", 0, found.size - 1);
  const auto job = static_cast<unsigned>(number_of(environment, "SLURM_JOB_ID", 0, 2'000'000'000));
  const auto step = static_cast<unsigned>(number_or(environment, "SLURM_STEP_ID", 0));
  found.leader = {first_host_of(text_of(environment, "SLURM_STEP_NODELIST")),
                  static_cast<std::uint16_t>(first_slurm_port + (job * 16 + step) % slurm_ports)};
  found.session = fmt::format("{}.{}", job, step);
  found.local_rank = number_or(environment, "SLURM_LOCALID", -1);
  return found;
}

}  // namespace assay::team
