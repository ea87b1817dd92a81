// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/campaign.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

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

/// A run's name becomes a folder in the folder of runs, and nothing else.
void refuse_as_folder_name(const std::string& run_id) {
  if (run_id.find('/') != std::string::npos || run_id.starts_with('.'))
    usage_error(
        fmt::format("--run-id '{}': expected a name without '/' that does not start with a dot", run_id));
}

std::filesystem::path plan_copy(const CampaignOptions& options, const std::string& run_id) {
  return options.folder / run_id / "plan.toml";
}

/// A resumed run goes on with its own plan unless another is named.
plan::Plan plan_for(const CampaignOptions& options, const std::string& run_id) {
  if (!options.plan.empty()) return plan::read_plan(options.plan);
  return plan::read_plan(options.resume ? plan_copy(options, run_id).string() : "quick");
}

Variables variables_of_this_process() {
  return [](const char* name) -> const char* { return std::getenv(name); };
}

bool names_room(const plan::Plan& plan, const std::string& room) {
  return std::ranges::any_of(plan.sweeps, [&](const plan::Sweep& sweep) {
    return std::ranges::any_of(sweep.cases, [&](const std::string& glob) {
      return plan::glob_matches(glob.substr(0, glob.find('.')), room);
    });
  });
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

void write_text(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path);
  file << text;
  file.close();
  if (error || !file)
    throw core::Error(core::ErrorKind::system, fmt::format("{}: cannot be written", path.string()));
}

/// --filter and --axis as given, one word a line.
std::string words_of(const CampaignOptions& options) {
  std::string words;
  for (const std::string& filter : options.filters) words += "--filter\n" + filter + "\n";
  for (const std::string& axis : options.axes) words += "--axis\n" + axis + "\n";
  return words;
}

/// What every start of a room is told. The plan and the words are kept with the run, so that a resume which
/// names no others goes on with the same points.
std::vector<std::string> keep_flags(const CampaignOptions& options, const std::string& run_id,
                                    const plan::Plan& plan) {
  const std::filesystem::path plan_file = plan_copy(options, run_id);
  const std::filesystem::path words_file = plan_file.parent_path() / "flags.txt";
  const bool anew = !options.resume || !options.plan.empty();
  if (anew) write_text(plan_file, plan.source);
  if (anew) write_text(words_file, words_of(options));
  std::stringstream words(words_of(options));
  if (words.view().empty()) words << std::ifstream(words_file).rdbuf();
  const bool elsewhere = options.launcher.engine != "local";  // ranks may start in another folder
  std::vector<std::string> flags{"--plan",
                                 (elsewhere ? std::filesystem::absolute(plan_file) : plan_file).string()};
  for (std::string word; std::getline(words, word);) flags.push_back(word);
  return flags;
}

struct Planned {
  RoomRequest request;
  RoomShare share;
};

/// A room that cannot be run costs itself and nothing else; without it the run is no pass.
void go_without(const std::exception& error, CampaignOutcome& outcome) {
  fmt::print(stderr, "assay: {}\n", error.what());
  outcome.exit_code = worse_exit(outcome.exit_code, core::exit_code::inconclusive);
}

std::vector<Planned> count_all(const CampaignOptions& options, CampaignOutcome& outcome,
                               const RoomRequest& every_room, const std::atomic<int>& signals) {
  std::vector<Planned> all;
  for (const RoomProgram& room : built_rooms(options.rooms_folder)) {
    RoomRequest request = every_room;
    request.room = room;
    try {
      const auto share = count_points(request, options.resume, signals);
      if (share && share->planned > 0) all.push_back({std::move(request), *share});
    } catch (const core::Error& error) {
      if (error.kind() == core::ErrorKind::usage) throw;
      go_without(error, outcome);
    }
  }
  if (all.empty() && signals == 0 && outcome.exit_code == core::exit_code::pass)
    usage_error("nothing to run: no point of any room passes the plan and the filters");
  return all;
}

void run_one(const Planned& planned, const PlaceInRun& place, CampaignOutcome& outcome,
             const std::atomic<int>& signals) {
  try {
    const int exit_code = run_room_to_end(planned.request, planned.share, place, signals);
    outcome.exit_code = worse_exit(outcome.exit_code, exit_code);
  } catch (const std::exception& error) {
    go_without(error, outcome);
  }
}

PlaceInRun start_of(const std::vector<Planned>& rooms) {
  PlaceInRun place;
  for (const Planned& planned : rooms) {
    place.total += planned.share.points;
    place.budget_after_s += planned.share.budget_s;
  }
  return place;
}

/// The run's name; refuses one that is taken.
std::string run_id_of(const CampaignOptions& options) {
  refuse_as_folder_name(options.run_id);
  std::string run_id = !options.run_id.empty() ? options.run_id
                       : options.resume        ? latest_run(options.folder)
                                               : core::new_run_id(host_name());
  if (!options.resume && std::filesystem::exists(options.folder / run_id / "journal.jsonl"))
    usage_error(fmt::format("{}: this run exists (expected --resume, or another --run-id)",
                            (options.folder / run_id).string()));
  return run_id;
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
  // By the time its plan was written: names given by people are in no order.
  std::pair<std::filesystem::file_time_type, std::string> latest{std::filesystem::file_time_type::min(), ""};
  if (std::filesystem::is_directory(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (const auto plan = entry.path() / "plan.toml";
          std::filesystem::exists(plan) &&
          std::filesystem::exists(entry.path() / "journal.jsonl"))  // a run that was refused has none
        latest = std::max(latest, {std::filesystem::last_write_time(plan), entry.path().filename().string()});
  if (latest.second.empty()) usage_error(fmt::format("{}: no run to resume", folder.string()));
  return latest.second;
}

CampaignOutcome run_campaign(const CampaignOptions& options, const std::atomic<int>& signals,
                             std::ostream& out) {
  const Launcher launcher = launcher_from(options.launcher, variables_of_this_process());
  forget_own_rank();
  CampaignOutcome outcome;
  outcome.run_id = run_id_of(options);
  outcome.journal = options.folder / outcome.run_id / "journal.jsonl";
  const plan::Plan plan = plan_for(options, outcome.run_id);
  refuse_unknown_rooms(plan);
  const RoomRequest every_room{.room = {},
                               .run_id = outcome.run_id,
                               .journal = outcome.journal,
                               .flags = keep_flags(options, outcome.run_id, plan),
                               .resume = options.resume,
                               .slack_s = options.slack_s,
                               .launcher = launcher};
  const std::vector<Planned> rooms = count_all(options, outcome, every_room, signals);
  if (signals == 0 && outcome.exit_code == core::exit_code::pass) refuse_unused_axes(options, rooms);
  PlaceInRun place = start_of(rooms);
  out << fmt::format("run {}: {} points, at most {} of measuring\n", outcome.run_id, place.total,
                     core::format_seconds(place.budget_after_s));
  out.flush();
  for (const Planned& planned : rooms) {
    if (signals > 0) break;
    place.budget_after_s -= planned.share.budget_s;
    run_one(planned, place, outcome, signals);
    place.before += planned.share.points;
  }
  if (signals > 0) outcome.exit_code = core::exit_code::interrupted;
  outcome.measured = std::filesystem::exists(outcome.journal);
  return outcome;
}

void show_commands(const CampaignOptions& options, std::ostream& out) {
  RoomRequest request{.room = {}, .run_id = run_id_of(options), .journal = {}, .flags = {}};
  request.launcher = launcher_from(options.launcher, variables_of_this_process());
  request.journal = options.folder / request.run_id / "journal.jsonl";
  const plan::Plan plan = plan_for(options, request.run_id);
  refuse_unknown_rooms(plan);
  request.flags = {"--plan", !options.plan.empty() ? options.plan
                             : options.resume      ? plan_copy(options, request.run_id).string()
                                                   : "quick"};
  std::stringstream words(words_of(options));
  for (std::string word; std::getline(words, word);) request.flags.push_back(word);
  for (const RoomProgram& room : built_rooms(options.rooms_folder)) {
    request.room = room;
    if (names_room(plan, room.name))
      out << shell_text(run_command(request.launcher, room, room_words(request))) << "\n";
  }
}

}  // namespace assay::suite
