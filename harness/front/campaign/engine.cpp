// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/engine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::campaign {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

/// A node that fails ends neither the step nor the job: the campaign continues with the others.
Words srun_words(const suite::Launcher& launcher, const Words& nodes) {
  // A task by itself would be bound to one core of its node, and measure that.
  Words words{launcher.program, "--kill-on-bad-exit=0", "--wait=0", "--no-kill", "--cpu-bind=none"};
  append(words, launcher.words);
  append(words, {fmt::format("--nodes={}", nodes.size()), fmt::format("--ntasks={}", nodes.size()),
                 "--ntasks-per-node=1", fmt::format("--nodelist={}", fmt::join(nodes, ","))});
  return words;
}

/// "a:1,b:1": one slot each.
std::string slots_text(const Words& nodes, int slots) {
  Words parts;
  for (const std::string& node : nodes) parts.push_back(fmt::format("{}:{}", node, slots));
  return fmt::format("{}", fmt::join(parts, ","));
}

Words mpirun_words(const suite::Launcher& launcher, const Words& nodes) {
  Words words{launcher.program};
  append(words, launcher.words);
  append(words, {"--host", slots_text(nodes, 1), "-n", std::to_string(nodes.size())});
  return words;
}

}  // namespace

std::vector<Words> on_each_node(const suite::Launcher& launcher, const Words& nodes, const Words& program) {
  std::vector<Words> commands;
  switch (launcher.engine) {
    case suite::Engine::local:
      for (const std::string& node : nodes)
        commands.push_back({"/usr/bin/env", "ASSAY_CAMPAIGN_NODE=" + node});
      break;
    case suite::Engine::srun:
      commands.push_back(srun_words(launcher, nodes));
      break;
    case suite::Engine::mpirun:
      commands.push_back(mpirun_words(launcher, nodes));
      break;
  }
  for (Words& command : commands) append(command, program);
  return commands;
}

std::vector<std::string> run_flags_of(const suite::Launcher& launcher, const Group& group,
                                      int ranks_per_node) {
  const std::size_t ranks = group.size() * static_cast<std::size_t>(ranks_per_node);
  if (launcher.engine == suite::Engine::local) return {fmt::format("--ranks={}", ranks)};
  std::string more = fmt::format("{}", fmt::join(launcher.words, " "));
  more += more.empty() ? "" : " ";
  if (launcher.engine == suite::Engine::srun)
    more += fmt::format("--nodes={} --ntasks-per-node={} --nodelist={}", group.size(), ranks_per_node,
                        fmt::join(group, ","));
  else
    more += fmt::format("--host {}", slots_text(group, ranks_per_node));
  const std::string engine = launcher.engine == suite::Engine::srun ? "srun" : "mpirun";
  return {"--launcher=" + engine, fmt::format("--ranks={}", ranks), "--launcher-args=" + more};
}

}  // namespace assay::campaign
