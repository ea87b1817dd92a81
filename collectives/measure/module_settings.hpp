// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The command line's settings for this module beyond those that every module takes. All ranks read the same.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/counts_matrix.hpp"
#include "harness/team/handshake/team_key.hpp"
#include "harness/training/training_step.hpp"

namespace CLI {
class App;
}

namespace assay::collectives {

struct ModuleSettings {
  int local_ranks = 4;           // to start here where no launcher did
  int ranks_per_node = 0;        // 0: nodes are the hosts the ranks run on
  double hang_limit_s = 15;      // see --hang-limit
  std::string traffic_matrix{};  // file of all_to_all_v; empty: none
  std::string workload{};        // file of a training step; empty: none
  bool ranks_share_gpu = false;  // for NCCL, where there are more ranks than GPUs
  std::string interface{};       // or local address for control messages
  team::KeyFlags key{};          // what ranks prove to each other
};

void add_module_options(CLI::App& app, ModuleSettings& settings);

/// For ranks that follow and do not read the rest. Throws core::Error (usage) with one line.
ModuleSettings module_settings_from(const std::vector<std::string>& arguments);

/// Nothing where no file is named. Throws core::Error (usage).
std::shared_ptr<const CountsMatrix> matrix_of(const ModuleSettings& settings);

std::shared_ptr<const training::TrainingStep> step_of(const ModuleSettings& settings);

/// A digest of the matrix file's text, which all ranks must share; empty where none is named.
std::string matrix_digest(const ModuleSettings& settings);
/// A digest of the training step and the matrices that its file names, which all ranks must share; empty
/// where no step is named.
std::string step_digest(const ModuleSettings& settings);

/// FNV-1a, 64 bits: distinguishes texts that are not made to collide.
std::string digest_of(const std::string& text);

}  // namespace assay::collectives
