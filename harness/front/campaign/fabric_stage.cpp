// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/fabric_stage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/front/campaign/group_run.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;
using results::VerdictRow;

constexpr const char* done_file = "done";

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
    std::vector<std::unique_ptr<GroupRun>> running;
    for (const Group& group : groups)
      if (auto started = start(group)) running.push_back(std::move(started));
    std::vector<Unmeasured> unmeasured;
    bool interrupted = false;
    for (const auto& one : running) {
      while (!one->ended()) {
        poll(nullptr, 0, 50);
        if (signals_ > 0 && !interrupted) {
          for (const auto& each : running) each->interrupt();
          interrupted = true;
        }
      }
      if (auto row = settle(*one)) unmeasured.push_back({one->group(), std::move(*row)});
    }
    return unmeasured;
  }

  /// Nothing for a group that an earlier start measured whole.
  std::unique_ptr<GroupRun> start(const Group& group) const {
    const fs::path folder = groups_folder(site_, stage_) / group_run_id(site_, stage_, run_, group);
    if (fs::exists(folder / done_file)) return nullptr;
    const bool begun = fs::exists(folder / "journal.jsonl");
    return std::make_unique<GroupRun>(site_, stage_, run_, group, begun);
  }

  /// A row about the ended group; nothing where it measured all of its points, or was interrupted.
  std::optional<VerdictRow> settle(GroupRun& one) const {
    const GroupEnd end = one.wait();
    if (signals_ > 0 && end.exit_code == core::exit_code::interrupted) return std::nullopt;
    if (end.exit_code == 0) {
      core::write_whole_file((one.folder() / done_file).string(), "");
      return std::nullopt;
    }
    return open_row(fmt::format("{}", fmt::join(one.group(), " - ")),
                    one.group().size() == 2 ? "link" : "group", "campaign." + stage_run_name(stage_, run_),
                    end.why, end.measured_badly);
  }

  const Site& site_;
  const Stage& stage_;
  int run_;
  const std::atomic<int>& signals_;
  std::ostream& out_;
  std::vector<VerdictRow> rows_;
};

}  // namespace

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
