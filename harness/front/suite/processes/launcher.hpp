// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The engine that starts a module's ranks, and the command that makes it do so. Nothing here starts a process
// or logs in anywhere: ranks are the business of the engine a cluster already has.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/front/suite/processes/modules.hpp"

namespace assay::suite {

enum class Engine { local, mpirun, srun };

/// Flags as given on the command line.
struct LauncherFlags {
  std::string engine = "local";  // local | mpirun | srun
  int ranks = 0;                 // 0: as many as the allocation has tasks; local: as many as the module takes
  std::string words{};           // more words for the engine, as a shell would split them
  std::string relay{};           // assay as nodes see it, where these do not see the run's folder
};

struct Launcher {
  Engine engine = Engine::local;
  std::string program{};  // the engine's, with its folder
  int ranks = 0;
  std::vector<std::string> words{};
  std::string relay{};  // see LauncherFlags
};

/// nullptr where the variable is not set, as std::getenv.
using Variables = std::function<const char*(const char*)>;

/// Throws a usage Error with one line: an engine that is not on PATH, no number of ranks, srun outside of an
/// allocation, words that do not end.
Launcher launcher_from(const LauncherFlags& flags, const Variables& variables);

/// Removes the variables by which a launcher made this process a rank (`srun assay run` on every node, say):
/// the modules it starts are not ranks of that launcher, and must not look for the others.
void forget_own_rank();

/// Gives the ranks that srun will start a key to prove to each other (docs/guide/clusters.md), in the
/// environment that srun hands on; one that is there already stays. mpirun's ranks talk over MPI.
void hand_on_team_key(const Launcher& launcher);

/// True where this launcher starts that module's ranks; false where the module starts as it always does.
bool starts_ranks_of(const Launcher& launcher, const ModuleProgram& module);

/// The command that runs the module: `module_words` are the module's own arguments.
std::vector<std::string> run_command(const Launcher& launcher, const ModuleProgram& module,
                                     const std::vector<std::string>& module_words);

/// The command that runs the module once, where its rank 0 will be, to find what the team would do: the
/// module takes itself for rank 0 of all ranks and must not look for the others.
std::vector<std::string> count_command(const Launcher& launcher, const ModuleProgram& module,
                                       const std::vector<std::string>& module_words);

/// The line of an engine's output that names the rank that ended the run: the first about a rank that a
/// signal ended, else the first about one that ended badly (the others may have done so only because they
/// lost it). `kept` is the answer so far, empty at first.
std::string first_to_fall(const std::string& kept, const std::string& line);

}  // namespace assay::suite
