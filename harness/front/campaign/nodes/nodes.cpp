// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/nodes/nodes.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/files/input_file.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::campaign {
namespace {

using core::usage_error;

constexpr std::size_t longest_host_file = 16 << 20;
constexpr const char* node_variable = "ASSAY_CAMPAIGN_NODE";

std::vector<std::string> names_in(const std::string& text, char separator) {
  std::vector<std::string> names;
  std::stringstream parts(text);
  for (std::string part; std::getline(parts, part, separator);) {
    std::istringstream words(part.substr(0, part.find('#')));
    if (std::string name; words >> name) names.push_back(name);
  }
  return names;
}

/// Slurm writes node lists in a short form that only Slurm reads reliably.
std::vector<std::string> nodes_of_allocation() {
  const char* list = std::getenv("SLURM_JOB_NODELIST");
  if (list == nullptr) return {};
  const suite::Output said =
      suite::run_and_read({"/usr/bin/env", "scontrol", "show", "hostnames", list}, {.limit_s = 60});
  if (said.timed_out || said.ending.signal != 0 || said.ending.exit_code != 0)
    usage_error("scontrol show hostnames failed (expected Slurm's commands on PATH, or --nodes)");
  return names_in(said.text, '\n');
}

void refuse_bad_names(const std::vector<std::string>& nodes, const std::string& source) {
  if (nodes.empty()) usage_error(fmt::format("{}: no node in it", source));
  std::set<std::string> seen;
  for (const std::string& node : nodes) {
    if (node.find('/') != std::string::npos || node.starts_with('.') || node.starts_with('-'))
      usage_error(fmt::format("{}: '{}' cannot be the name of a node", source, node));
    if (!seen.insert(node).second) usage_error(fmt::format("{}: node '{}' is there twice", source, node));
  }
}

}  // namespace

std::vector<std::string> nodes_of(const suite::Launcher& launcher, const std::string& list,
                                  const std::string& host_file, const std::string& this_host) {
  std::vector<std::string> nodes;
  std::string source = "this host";
  if (!list.empty()) {
    nodes = names_in(list, ',');
    source = "--nodes";
  } else if (!host_file.empty()) {
    nodes = names_in(core::read_input(host_file, "a file with a node's name in each line", longest_host_file),
                     '\n');
    source = host_file;
  } else if (launcher.engine == suite::Engine::local) {
    nodes = {this_host};
  } else {
    nodes = nodes_of_allocation();
    source = "SLURM_JOB_NODELIST";
    if (nodes.empty() && launcher.engine == suite::Engine::mpirun)
      usage_error(
          "--launcher mpirun: no nodes are named (expected --hostfile FILE, --nodes, or an allocation of "
          "Slurm)");
  }
  refuse_bad_names(nodes, source);
  return nodes;
}

std::string name_of_this_node() {
  for (const char* variable : {node_variable, "SLURMD_NODENAME"})
    if (const char* name = std::getenv(variable); name != nullptr && *name != '\0') return name;
  return name_of_this_host();
}

std::string name_of_this_host() {
  std::string name;
  if (machine::is_pretended()) {
    std::ifstream(machine::pretended_root() + "/proc/sys/kernel/hostname") >> name;
    return name;
  }
  std::array<char, 256> buffer{};
  gethostname(buffer.data(), buffer.size() - 1);
  return buffer.data();
}

bool is_same_host(const std::string& one, const std::string& other) {
  const auto first_label = [](const std::string& name) { return name.substr(0, name.find('.')); };
  return one == other || first_label(one) == other || one == first_label(other);
}

}  // namespace assay::campaign
