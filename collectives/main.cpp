// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectives/algorithms/table_text.hpp"
#include "collectives/room/cases.hpp"
#include "collectives/room/ranks.hpp"
#include "collectives/room/room_settings.hpp"
#include "harness/run/room_main.hpp"
#include "harness/team/lockstep.hpp"

namespace {

/// The room as rank 0 runs it: cases that lead a team, which is formed before the first point and again after
/// a rank was lost.
int lead(int argc, char** argv, const std::vector<std::string>& arguments) {
  using namespace assay;
  collectives::RoomSettings settings;
  const team::CasesOf cases_of = [&](team::Team& team) { return collectives::cases(settings, team); };
  bool formed = false;
  team::TeamKeeper keeper(
      [&] { return collectives::form_team(settings, arguments, std::exchange(formed, true)); });
  const int exit_code = run::room_main(
      argc, argv,
      {.name = "collectives",
       .measures = "collectives over several ranks: MPI's and algorithms of our own, at each size",
       .cases =
           [&](const machine::Machine&) {
             return team::lead(keeper, cases_of,
                               collectives::declared_cases(settings, collectives::planned_ranks(settings)));
           },
       .options = [&](CLI::App& app) { collectives::add_room_options(app, settings); },
       .begin = [&] { keeper.team(); }});
  team::dismiss(keeper);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "algorithms") {
    std::cout << assay::collectives::steps_and_bytes_table();
    return 0;
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (const auto followed = assay::collectives::follow_if_launched(arguments)) return *followed;
  return lead(argc, argv, arguments);
}
