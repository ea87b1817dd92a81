// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <ostream>
#include <set>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/core/units.hpp"
#include "harness/plan/plan.hpp"
#include "harness/suite/room_run.hpp"

namespace assay::suite {
namespace {

using core::usage_error;

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::filesystem::path plan_copy(const CampaignOptions& options, const std::string& run_id) {
  return options.folder / run_id / "plan.toml";
}

/// A resumed run goes on with its own plan unless another is named.
plan::Plan plan_for(const CampaignOptions& options, const std::string& run_id) {
  if (!options.plan.empty()) return plan::read_plan(options.plan);
  return plan::read_plan(options.resume ? plan_copy(options, run_id).string() : "quick");
}

void refuse_unknown_rooms(const plan::Plan& plan) {
  for (const plan::Sweep& sweep : plan.sweeps)
    for (const std::string& glob : sweep.cases) {
      const std::string room = glob.substr(0, glob.find('.'));
      if (std::ranges::none_of(known_rooms(),
                               [&](const auto& known) { return plan::glob_matches(room, known); }))
        usage_error(fmt::format("{}: '{}' names no room (there are: {})", sweep.where, glob,
                                fmt::join(known_rooms(), " ")));
    }
}

void write_plan(const std::filesystem::path& path, const plan::Plan& plan) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path);
  file << plan.source;
  file.close();
  if (error || !file)
    throw core::Error(core::ErrorKind::system, fmt::format("{}: cannot be written", path.string()));
}

std::vector<std::string> flags_of(const CampaignOptions& options, const std::filesystem::path& plan_file) {
  std::vector<std::string> flags{"--plan", plan_file.string()};
  for (const std::string& filter : options.filters) flags.insert(flags.end(), {"--filter", filter});
  for (const std::string& axis : options.axes) flags.insert(flags.end(), {"--axis", axis});
  return flags;
}

struct Planned {
  RoomRequest request;
  RoomShare share;
};

std::vector<Planned> count_all(const CampaignOptions& options, const CampaignOutcome& outcome,
                               const std::vector<std::string>& flags) {
  std::vector<Planned> all;
  for (const RoomProgram& room : built_rooms(options.rooms_folder)) {
    RoomRequest request{room, outcome.run_id, outcome.journal, flags, options.resume, options.slack_s};
    const RoomShare share = count_points(request, options.resume);
    if (share.planned > 0) all.push_back({std::move(request), share});
  }
  if (all.empty()) usage_error("nothing to run: no point of any room passes the plan and the filters");
  return all;
}

/// An axis that no room's points have is a slip of the pen, and would be ignored in silence.
void refuse_unused_axes(const CampaignOptions& options, const std::vector<Planned>& rooms) {
  std::set<std::string> axes;
  for (const Planned& planned : rooms) axes.insert(planned.share.axes.begin(), planned.share.axes.end());
  for (const std::string& text : options.axes)
    if (const std::string axis = text.substr(0, text.find('=')); !axes.contains(axis))
      usage_error(fmt::format("--axis {}: no case of this run has such an axis (there are: {})", axis,
                              fmt::join(axes, " ")));
}

}  // namespace

int worse_exit(int a, int b) {
  constexpr std::array order{core::exit_code::pass, core::exit_code::inconclusive, core::exit_code::fail,
                             core::exit_code::usage, core::exit_code::interrupted};  // from best to worst
  const auto rank = [&](int code) { return std::ranges::find(order, code) - order.begin(); };
  return rank(a) >= rank(b) ? a : b;
}

std::string latest_run(const std::filesystem::path& folder) {
  std::string latest;
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (std::filesystem::exists(entry.path() / "plan.toml"))
        latest = std::max(latest, entry.path().filename().string());
  if (latest.empty()) usage_error(fmt::format("{}: no run to resume", folder.string()));
  return latest;
}

CampaignOutcome run_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                             std::ostream& out) {
  CampaignOutcome outcome;
  outcome.run_id = !options.run_id.empty() ? options.run_id
                   : options.resume        ? latest_run(options.folder)
                                           : core::new_run_id(host_name());
  const plan::Plan plan = plan_for(options, outcome.run_id);
  refuse_unknown_rooms(plan);
  outcome.journal = options.folder / outcome.run_id / "journal.jsonl";
  const std::filesystem::path plan_file = plan_copy(options, outcome.run_id);
  if (!options.resume || !options.plan.empty()) write_plan(plan_file, plan);
  const std::vector<Planned> rooms = count_all(options, outcome, flags_of(options, plan_file));
  refuse_unused_axes(options, rooms);
  PlaceInRun place;
  for (const Planned& planned : rooms) {
    place.total += planned.share.points;
    place.budget_after_s += planned.share.budget_s;
  }
  out << fmt::format("run {}: {} points, at most {} of measuring\n", outcome.run_id, place.total,
                     core::format_seconds(place.budget_after_s));
  out.flush();
  for (const Planned& planned : rooms) {
    place.budget_after_s -= planned.share.budget_s;
    outcome.exit_code = worse_exit(outcome.exit_code, run_room_to_end(planned.request, place, signals));
    if (signals > 0) break;
    place.before += planned.share.points;
  }
  outcome.measured = std::filesystem::exists(outcome.journal);
  return outcome;
}

}  // namespace assay::suite
