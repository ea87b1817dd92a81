// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/launcher.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/process/program_on_path.hpp"
#include "harness/core/text/shell_words.hpp"
#include "harness/front/suite/processes/relay.hpp"

namespace assay::suite {
namespace {

using core::usage_error;

// How long srun leaves the other ranks after one has ended: rank 0 finds out which rank it lost, if need be
// only when its wait reaches its limit, and records that.
constexpr const char* srun_wait = "--wait=30";

std::string text_of(const Variables& variables, const char* name) {
  const char* value = variables(name);
  return value == nullptr ? "" : value;
}

Engine engine_from(const std::string& name) {
  if (name == "local") return Engine::local;
  if (name == "mpirun") return Engine::mpirun;
  if (name == "srun") return Engine::srun;
  usage_error(fmt::format("--launcher '{}': expected local, mpirun or srun", name));
}

std::string launcher_on_path(const std::string& name, const std::string& path) {
  std::string program = core::program_on_path(name, path);
  if (!program.empty()) return program;
  usage_error(fmt::format("--launcher {0}: no {0} in any folder of PATH (expected {1})", name,
                          name == "srun" ? "Slurm's commands, as on a node of a Slurm cluster"
                                         : "an MPI's launcher, e.g. package openmpi-bin"));
}

std::optional<int> number_in(const Variables& variables, const char* name) {
  const std::string text = text_of(variables, name);
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
  return number;
}

/// Tasks of the allocation around this process.
std::optional<int> allocated_tasks(const Variables& variables) {
  if (const auto tasks = number_in(variables, "SLURM_NTASKS")) return tasks;
  const auto nodes = number_in(variables, "SLURM_JOB_NUM_NODES");
  const auto on_each = number_in(variables, "SLURM_NTASKS_PER_NODE");
  if (!nodes || !on_each) return std::nullopt;
  return *nodes * *on_each;
}

/// srun would request a new allocation each time, and its wait in the queue would look like silence.
void refuse_outside_allocation(const Launcher& launcher, const Variables& variables) {
  const bool named = std::ranges::any_of(launcher.words,
                                         [](const std::string& word) { return word.starts_with("--jobid"); });
  if (!named && text_of(variables, "SLURM_JOB_ID").empty())
    usage_error(
        "--launcher srun: no allocation here, SLURM_JOB_ID is not set (start it inside salloc or sbatch)");
}

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

/// The first of a list of nodes, for one rank: srun complains of nodes that it has no task for.
std::string with_one_node(const std::string& word) {
  constexpr std::string_view option = "--nodelist=";
  const bool lists_names = word.starts_with(option) && word.find('[') == std::string::npos;
  return lists_names ? word.substr(0, word.find(',')) : word;
}

/// The launcher's part of the command: the user's words override assay's defaults, and the number of ranks
/// overrides the user's words.
std::vector<std::string> engine_words(const Launcher& launcher, int ranks) {
  std::vector<std::string> words{launcher.program};
  if (launcher.engine == Engine::srun) append(words, {"--kill-on-bad-exit=0", srun_wait});
  const bool is_one_task = launcher.engine == Engine::srun && ranks == 1;
  for (const std::string& word : launcher.words) words.push_back(is_one_task ? with_one_node(word) : word);
  if (is_one_task) words.emplace_back("--nodes=1");
  if (launcher.engine == Engine::srun)
    words.push_back(fmt::format("--ntasks={}", ranks));
  else
    append(words, {"-n", std::to_string(ranks)});
  return words;
}

std::vector<std::string> by_engine(const Launcher& launcher, std::vector<std::string> words,
                                   const std::vector<std::string>& rank_words) {
  if (!launcher.relay.empty()) return relayed(words, launcher.relay, rank_words);
  append(words, rank_words);
  return words;
}

/// The flag for the number of ranks, of each module that starts its own.
std::vector<std::string> local_words(const Launcher& launcher, const ModuleProgram& module) {
  if (launcher.ranks == 0 || module.name != "collectives") return {};
  return {fmt::format("--ranks={}", launcher.ranks)};
}

}  // namespace

Launcher launcher_from(const LauncherFlags& flags, const Variables& variables) {
  Launcher launcher{.engine = engine_from(flags.engine), .ranks = flags.ranks, .relay = flags.relay};
  launcher.words = core::split_words(flags.words, "--launcher-args");
  if (launcher.engine == Engine::local) {
    if (!launcher.words.empty())
      usage_error("--launcher-args: there is no launcher to give them to (expected --launcher mpirun|srun)");
    return launcher;
  }
  launcher.program = launcher_on_path(flags.engine, text_of(variables, "PATH"));
  if (launcher.engine == Engine::srun) refuse_outside_allocation(launcher, variables);
  if (launcher.ranks == 0) launcher.ranks = allocated_tasks(variables).value_or(0);
  if (launcher.ranks == 0)
    usage_error(fmt::format(
        "--launcher {}: unknown number of ranks (expected --ranks N, or a task count in SLURM_NTASKS)",
        flags.engine));
  return launcher;
}

void forget_own_rank() {
  for (const char* name :
       {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_RANK", "LOCAL_WORLD_SIZE",
        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"})
    unsetenv(name);
}

void hand_on_team_key(const Launcher& launcher) {
  if (launcher.engine != Engine::srun || std::getenv("ASSAY_TEAM_KEY_FILE") != nullptr) return;
  std::array<unsigned char, 32> secret{};
  if (getentropy(secret.data(), secret.size()) != 0) return;  // then the ranks look for another, or report it
  constexpr int keep = 0;
  setenv("ASSAY_TEAM_KEY", fmt::format("{:02x}", fmt::join(secret, "")).c_str(), keep);
}

bool starts_ranks_of(const Launcher& launcher, const ModuleProgram& module) {
  return launcher.engine != Engine::local && core::takes_ranks(module.name);
}

std::vector<std::string> run_command(const Launcher& launcher, const ModuleProgram& module,
                                     const std::vector<std::string>& module_words) {
  const bool engine = starts_ranks_of(launcher, module);
  std::vector<std::string> words{module.program.string()};
  append(words, module_words);
  if (engine) return by_engine(launcher, engine_words(launcher, launcher.ranks), words);
  append(words, local_words(launcher, module));
  return words;
}

std::vector<std::string> count_command(const Launcher& launcher, const ModuleProgram& module,
                                       const std::vector<std::string>& module_words) {
  if (!starts_ranks_of(launcher, module)) return run_command(launcher, module, module_words);
  std::vector<std::string> words = engine_words(launcher, 1);
  // torchrun's variables come before those of any engine (docs/guide/clusters.md); no one calls that port.
  append(words, {"/usr/bin/env", "RANK=0", fmt::format("WORLD_SIZE={}", launcher.ranks),
                 "MASTER_ADDR=127.0.0.1", "MASTER_PORT=1"});
  std::vector<std::string> rank_words{module.program.string()};
  append(rank_words, module_words);
  return by_engine(launcher, std::move(words), rank_words);
}

std::string first_to_fall(const std::string& kept, const std::string& line) {
  const bool tells =
      line.starts_with("srun: error:") || line.find("mpirun noticed that process rank") != std::string::npos;
  const auto exited = [](const std::string& text) {
    return text.find("Exited with exit code") != std::string::npos;
  };
  if (!tells) return kept;
  return kept.empty() || (exited(kept) && !exited(line)) ? line : kept;
}

}  // namespace assay::suite
