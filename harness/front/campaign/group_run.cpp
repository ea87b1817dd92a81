// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/group_run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/front/campaign/engine.hpp"
#include "harness/front/suite/bad_points.hpp"
#include "harness/front/suite/text_in.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

/// A name for a group's nodes, short enough for a folder; the same nodes have the same name at every start.
std::string name_of(const Group& group) {
  if (group.size() == 2) return fmt::format("{}-{}", group.front(), group.back());
  return fmt::format("{}-nodes-{}", group.size(),
                     core::sha256(fmt::format("{}", fmt::join(group, " "))).substr(0, 8));
}

}  // namespace

bool reaches_other_nodes(const Site& site) {
  return site.launcher.engine != suite::Engine::local || site.nodes.size() < 2;
}

fs::path groups_folder(const Site& site, const Stage& stage) {
  return site.folder / (stage.kind == StageKind::grow ? "grow" : "fabric");
}

std::string group_run_id(const Site& site, const Stage& stage, int run, const Group& group) {
  return run_id_of(site.id, stage_run_name(stage, run), name_of(group));
}

std::vector<std::string> group_command(const Site& site, const Stage& stage, int run, const Group& group,
                                       bool resume) {
  const fs::path folder = groups_folder(site, stage);
  std::vector<std::string> words{
      fs::read_symlink("/proc/self/exe").string(), "run", "--out", folder.string(), "--run-id",
      group_run_id(site, stage, run, group)};
  const auto append = [&words](const std::string& flag, const std::vector<std::string>& values) {
    for (const std::string& value : values) words.insert(words.end(), {flag, value});
  };
  const int ranks = stage.ranks_per_node == one_a_rail ? site.rails : stage.ranks_per_node;
  for (const std::string& flag : run_flags_of(site.launcher, group, ranks)) words.push_back(flag);
  if (std::ranges::any_of(group, [&](const std::string& node) { return site.apart.contains(node); }))
    append("--relay", {site.program});
  if (!site.options.programs.empty()) append("--programs", {fs::absolute(site.options.programs).string()});
  if (resume) {
    words.emplace_back("--resume");
    return words;
  }
  append("--plan", {(folder / plan_file_of(stage)).string()});
  append("--modules", stage.work.modules);
  append("--filter", stage.work.filters);
  append("--axis", stage.work.axes);
  return words;
}

GroupRun::GroupRun(const Site& site, const Stage& stage, int run, Group group, bool resume)
    : group_(std::move(group)),
      folder_(groups_folder(site, stage)),
      run_id_(group_run_id(site, stage, run, group_)),
      log_(folder_ / (run_id_ + ".log")) {
  fs::create_directories(folder_);
  core::write_whole_file((folder_ / plan_file_of(stage)).string(), stage.work.plan);
  const int log = open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) throw core::Error(core::ErrorKind::system, log_.string() + ": cannot be written", errno);
  launcher_folder_ = std::make_unique<LauncherFolder>(site.launcher.engine);
  child_ = std::make_unique<suite::Child>(
      launcher_folder_->around(group_command(site, stage, run, group_, resume)),
      suite::Surroundings{.stdout_descriptor = log, .stderr_descriptor = log});
  close(log);
}

GroupEnd GroupRun::wait() {
  const suite::Ending ending = child_->wait();
  GroupEnd end{.exit_code = ending.signal == 0 ? ending.exit_code : 128 + ending.signal};
  if (end.exit_code == 0) return end;
  // A launcher that starts no rank ends with 1 too.
  end.measured_badly = end.exit_code == core::exit_code::fail && fs::exists(journal());
  const std::string bad = end.measured_badly ? suite::bad_points_in(journal()) : "";
  end.why = fmt::format("assay run ended with {}: {}", end.exit_code,
                        bad.empty() ? suite::last_line_in(log_) : bad);
  return end;
}

}  // namespace assay::campaign
