// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/cases.hpp"
#include "collectives/measure/module_settings.hpp"
#include "collectives/ranks/ranks.hpp"
#include "collectives/watch/watched_trial.hpp"
#include "harness/core/process/exit_code.hpp"
#include "harness/run/journal/rank_journal.hpp"
#include "harness/run/module_main.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/lockstep.hpp"

namespace {

using namespace assay;

/// How rank 0 ends while MPI or NCCL holds its measuring thread: the point is written down, and no destructor
/// could run.
class LastWay {
 public:
  void learn(run::GiveUp give_up) {
    const std::lock_guard lock(mutex_);
    give_up_ = std::move(give_up);
  }
  void take(const std::string& diagnosis) {
    const std::lock_guard lock(mutex_);
    if (give_up_ && give_up_("no end, and no way back from the library: " + diagnosis))
      std::_Exit(core::exit_code::fail);
  }

 private:
  std::mutex mutex_;
  run::GiveUp give_up_;
};

/// The module as rank 0 runs it: cases that lead a team, which is formed before the first point and again
/// after a rank was lost. `local` starts the other ranks where no launcher did.
int lead(int argc, char** argv, const std::vector<std::string>& arguments, collectives::LocalRanks* local) {
  collectives::ModuleSettings settings;
  LastWay last_way;
  collectives::HangWatch watch({.stuck = [&](const std::string& diagnosis) { last_way.take(diagnosis); }});
  collectives::WatchOptions watch_options{.loss_is_final = local == nullptr};
  const team::CasesOf cases_of = [&](team::Team& team) { return collectives::cases(settings, team, &watch); };
  bool formed = false;
  team::TeamKeeper keeper(
      [&] { return collectives::form_team(settings, arguments, local, std::exchange(formed, true)); });
  const int exit_code = run::module_main(
      argc, argv,
      {.name = "collectives",
       .measures = "collectives over several ranks: MPI's and assay's own algorithms, at each size",
       .cases =
           [&](const machine::Machine&) {
             watch_options.first_limit_s = settings.hang_limit_s;
             auto declared = collectives::declared_cases(settings, collectives::planned_ranks(settings));
             return collectives::watched(team::lead(keeper, cases_of, std::move(declared)), watch,
                                         watch_options);
           },
       .options = [&](CLI::App& app) { collectives::add_module_options(app, settings); },
       .begin = [&] { keeper.team(); },
       .on_hang = [&](run::GiveUp give_up) { last_way.learn(std::move(give_up)); }});
  team::dismiss(keeper);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "algorithms") {
    std::cout << collectives::steps_and_bytes_table();
    return 0;
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  std::optional<machine::Machine>
      machine;  // looked at once a process, or for all ranks that it is copied for
  const auto look_once = [&] {
    if (!machine) machine = machine::look();
  };
  const auto journal = [&](int rank) {
    look_once();
    return run::rank_journal("collectives", rank, *machine, arguments);
  };
  if (const auto followed = collectives::follow_if_launched(arguments, journal)) return *followed;
  if (team::launched_place()) return lead(argc, argv, arguments, nullptr);
  const auto prepare = [&] {
    look_once();
    collectives::prepare_ranks();
  };
  const auto follow = [&] { return collectives::follow_if_launched(arguments, journal).value(); };
  collectives::LocalRanks local({.prepare = prepare, .follow = follow});
  return lead(argc, argv, arguments, &local);
}
