// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Switches as Slurm's files and tools list them, before anything is built of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::model::fabric::site {

struct SlurmSwitch {
  std::string name;
  std::vector<std::string> nodes, switches;  // each once
  std::string place = {};                    // "topology.conf:3"
  bool is_block = false;
};

struct SlurmSwitches {
  std::vector<SlurmSwitch> switches;
  std::vector<std::string> notes;
};

/// The names of a list, each once; several commas and blanks are as good as one. Throws a usage Error that
/// opens with `place`.
std::vector<std::string> slurm_names(const std::string& list, const std::string& place, SlurmSwitches& into);

/// topology.conf with what it includes (harness/core/text/slurm_text.hpp), or what scontrol show topology
/// prints. Throws a usage Error with file and line.
SlurmSwitches read_slurm_lines(const std::string& text, const std::string& file);

/// topology.yaml (Slurm 25.05): a list of topologies, each with a tree of switches or a list of blocks, in
/// lines "key: value" and "- key: value" with plain or quoted words. Of several the one with cluster_default
/// counts, else the first. Throws a usage Error with file and line for other YAML.
SlurmSwitches read_slurm_yaml(const std::string& text, const std::string& file);
bool is_slurm_yaml(const std::string& text);

}  // namespace assay::model::fabric::site
