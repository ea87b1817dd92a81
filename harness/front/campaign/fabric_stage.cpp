// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/fabric_stage.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <ostream>

#include "harness/core/error.hpp"
#include "harness/core/files/sha256.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/engine.hpp"
#include "harness/front/campaign/nodes/launcher_folder.hpp"
#include "harness/front/suite/bad_points.hpp"
#include "harness/front/suite/processes/child.hpp"
#include "harness/front/suite/text_in.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using results::VerdictRow;

/// A name for a group's nodes, short enough for a folder; the same nodes have the same name at every start.
std::string name_of(const Group& group) {
  if (group.size() == 2) return fmt::format("{}-{}", group.front(), group.back());
  return fmt::format("{}-nodes-{}", group.size(),
                     core::sha256(fmt::format("{}", fmt::join(group, " "))).substr(0, 8));
}

fs::path done_file(const Site& site, const std::string& run_id) {
  return site.folder / "fabric" / run_id / "done";
}

struct GroupRun {
  Group group;
  std::string run_id;
  fs::path log;
  std::unique_ptr<LauncherFolder> launcher_folder;
  std::unique_ptr<suite::Child> child;
};

VerdictRow open_row(const std::string& unit, const std::string& kind, const std::string& metric,
                    const std::string& because, bool failed) {
  return {.unit = unit,
          .kind = kind,
          .metric = metric,
          .verdict = failed ? results::Verdict::fail : results::Verdict::not_run,
          .n = 1,
          .because = because,
          .meaning = failed ? "what cannot be measured here cannot be relied on"
                            : "what was not measured is not accepted",
          .action = results::Action::retest};
}

bool reaches_other_nodes(const Site& site) {
  return site.launcher.engine != suite::Engine::local || site.nodes.size() < 2;
}

class Rounds {
 public:
  Rounds(const Site& site, const Stage& stage, int run, const std::atomic<int>& signals, std::ostream& out)
      : site_(site), stage_(stage), run_(run), signals_(signals), out_(out) {}

  /// A group that something else than its points ended is measured again by itself: launchers that run at
  /// the same time may disturb each other.
  void measure(const std::vector<Group>& groups, std::size_t round, std::size_t rounds) {
    out_ << fmt::format("{}: round {} of {}, {} of {} nodes\n", stage_run_name(stage_, run_), round + 1,
                        rounds, core::counted(std::ssize(groups), "group"), groups.front().size());
    out_.flush();
    for (Unmeasured& one : measure_together(groups)) {
      if (one.row.verdict == results::Verdict::fail || signals_ > 0) {
        rows_.push_back(std::move(one.row));
        continue;
      }
      out_ << fmt::format("{}: {} again: {}\n", stage_run_name(stage_, run_), one.row.unit, one.row.because);
      for (Unmeasured& still : measure_together({one.group})) rows_.push_back(std::move(still.row));
    }
  }

  std::vector<VerdictRow> take() { return std::move(rows_); }

 private:
  struct Unmeasured {
    Group group;
    VerdictRow row;  // why
  };

  std::vector<Unmeasured> measure_together(const std::vector<Group>& groups) {
    std::vector<GroupRun> running;
    for (const Group& group : groups)
      if (auto started = start(group)) running.push_back(std::move(*started));
    std::vector<Unmeasured> unmeasured;
    bool interrupted = false;
    for (GroupRun& one : running) {
      while (!one.child->ended()) {
        poll(nullptr, 0, 50);
        if (signals_ > 0 && !interrupted) {
          for (const GroupRun& each : running) each.child->send(SIGINT);
          interrupted = true;
        }
      }
      if (auto row = settle(one)) unmeasured.push_back({one.group, std::move(*row)});
    }
    return unmeasured;
  }

  fs::path journal_of(const std::string& run_id) const {
    return site_.folder / "fabric" / run_id / "journal.jsonl";
  }

  std::optional<GroupRun> start(const Group& group) {
    GroupRun one{.group = group,
                 .run_id = group_run_id(site_, stage_, run_, group),
                 .log = {},
                 .launcher_folder = {},
                 .child = {}};
    if (fs::exists(done_file(site_, one.run_id))) return std::nullopt;
    const fs::path folder = site_.folder / "fabric";
    fs::create_directories(folder);
    core::write_whole_file((folder / plan_file_of(stage_)).string(), stage_.work.plan);
    one.log = folder / (one.run_id + ".log");
    const int log = open(one.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (log < 0) throw core::Error(core::ErrorKind::system, one.log.string() + ": cannot be written", errno);
    const bool begun = fs::exists(journal_of(one.run_id));
    one.launcher_folder = std::make_unique<LauncherFolder>(site_.launcher.engine);
    one.child = std::make_unique<suite::Child>(
        one.launcher_folder->around(group_command(site_, stage_, run_, group, begun)),
        suite::Surroundings{.stdout_descriptor = log, .stderr_descriptor = log});
    close(log);
    return one;
  }

  /// A row about the ended group; nothing where it measured all of its points, or was interrupted.
  std::optional<VerdictRow> settle(GroupRun& one) {
    const suite::Ending ending = one.child->wait();
    if (signals_ > 0 && ending.exit_code == core::exit_code::interrupted) return std::nullopt;
    if (ending.signal == 0 && ending.exit_code == 0) {
      core::write_whole_file(done_file(site_, one.run_id).string(), "");
      return std::nullopt;
    }
    // A launcher that starts no rank ends with 1 too.
    const fs::path journal = journal_of(one.run_id);
    const bool failed =
        ending.signal == 0 && ending.exit_code == core::exit_code::fail && fs::exists(journal);
    const std::string bad = failed ? suite::bad_points_in(journal) : "";
    return open_row(fmt::format("{}", fmt::join(one.group, " - ")), one.group.size() == 2 ? "link" : "group",
                    "campaign." + stage_run_name(stage_, run_),
                    fmt::format("assay run ended with {}: {}",
                                ending.signal == 0 ? ending.exit_code : 128 + ending.signal,
                                bad.empty() ? suite::last_line_in(one.log) : bad),
                    failed);
  }

  const Site& site_;
  const Stage& stage_;
  int run_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  std::vector<VerdictRow> rows_;
};

}  // namespace

std::string group_run_id(const Site& site, const Stage& stage, int run, const Group& group) {
  return run_id_of(site.id, stage_run_name(stage, run), name_of(group));
}

std::vector<std::string> group_command(const Site& site, const Stage& stage, int run, const Group& group,
                                       bool resume) {
  const fs::path folder = site.folder / "fabric";
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

std::vector<VerdictRow> measure_groups(const Site& site, const Stage& stage, int run,
                                       const std::vector<std::vector<Group>>& rounds,
                                       const std::atomic<int>& signals, std::ostream& out) {
  if (!reaches_other_nodes(site)) return {};
  Rounds measured(site, stage, run, signals, out);
  for (std::size_t round = 0; round < rounds.size() && signals == 0; ++round)
    measured.measure(rounds[round], round, rounds.size());
  return measured.take();
}

std::vector<VerdictRow> run_fabric_stage(const Site& site, const Stage& stage, int run,
                                         const std::vector<std::string>& present,
                                         const std::atomic<int>& signals, std::ostream& out) {
  const std::string metric = "campaign." + stage_run_name(stage, run);
  if (!reaches_other_nodes(site))
    return {open_row("", "group", metric, "--launcher local starts no ranks on other nodes", false)};
  const auto rounds = groups_of(stage, present);
  if (rounds.empty()) {
    VerdictRow row = open_row("", "group", metric,
                              core::counted(std::ssize(present), "node") + " cannot form a group", false);
    row.excused = site.nodes.size() < 2;  // one node has no fabric
    return {row};
  }
  return measure_groups(site, stage, run, rounds, signals, out);
}

}  // namespace assay::campaign
