// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A group of nodes that measures: an `assay run` whose ranks the launcher starts on exactly its nodes.
#pragma once

#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/front/campaign/nodes/groups.hpp"
#include "harness/front/campaign/nodes/launcher_folder.hpp"
#include "harness/front/campaign/site.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::campaign {

/// False where a campaign has several nodes and no launcher that starts ranks on them.
bool reaches_other_nodes(const Site& site);

/// Folder of the records of a stage's groups. Those of a stage that grows a set are kept apart: what it
/// measures next depends on what it found, so no judge compares them.
std::filesystem::path groups_folder(const Site& site, const Stage& stage);

/// The command of a group; `resume` continues what it began.
std::vector<std::string> group_command(const Site& site, const Stage& stage, int run, const Group& group,
                                       bool resume);

/// The run id in a group's records.
std::string group_run_id(const Site& site, const Stage& stage, int run, const Group& group);

struct GroupEnd {
  int exit_code = 0;            // 128 and more: of a signal
  bool measured_badly = false;  // points failed; else something else ended it
  std::string why = {};         // one line, unless it ended with 0
};

class GroupRun {
 public:
  /// Starts it. Throws core::Error(system).
  GroupRun(const Site& site, const Stage& stage, int run, Group group, bool resume);

  const Group& group() const { return group_; }
  std::filesystem::path folder() const { return folder_ / run_id_; }
  std::filesystem::path journal() const { return folder() / "journal.jsonl"; }
  bool ended() { return child_->ended(); }
  void interrupt() { child_->send(SIGINT); }
  /// Blocks until it has ended.
  GroupEnd wait();

 private:
  Group group_;
  std::filesystem::path folder_;
  std::string run_id_;
  std::filesystem::path log_;
  std::unique_ptr<LauncherFolder> launcher_folder_;
  std::unique_ptr<suite::Child> child_;
};

}  // namespace assay::campaign
