// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/process/standard_output.hpp"
#include "harness/run/journal/rank_journal.hpp"
#include "harness/run/module_main.hpp"
#include "harness/team/lockstep.hpp"
#include "rdma/cases.hpp"
#include "rdma/entropy_command.hpp"
#include "rdma/ranks.hpp"

namespace {

/// The module as rank 0 runs it: cases that lead a team, which is formed before the first point and again
/// after a rank was lost.
int lead(int argc, char** argv, const std::vector<std::string>& arguments) {
  using namespace assay;
  rdma::RankOptions ranks;
  machine::Machine seen;
  const team::CasesOf cases_of = [&](team::Team& team) { return rdma::cases(seen, team); };
  bool formed = false;
  team::TeamKeeper keeper(
      [&] { return rdma::form_team(ranks, seen, arguments, std::exchange(formed, true)); });
  const int exit_code = run::module_main(
      argc, argv,
      {.name = "rdma",
       .measures = "raw verbs between hosts: latency, bandwidth, message rate, patterns, paths",
       .cases =
           [&](const machine::Machine& machine) {
             seen = machine;
             return team::lead(keeper, cases_of, rdma::declared_cases(seen, rdma::planned_ranks(ranks)));
           },
       .options = [&](CLI::App& app) { rdma::add_rank_options(app, ranks); },
       .begin =
           [&] {
             if (!rdma::why_none_runs()) keeper.team();
           }});
  team::dismiss(keeper);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  const auto written = [](int exit_code) {
    return assay::core::exit_code_once_written("assay-rdma", exit_code);
  };
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "serve") return written(assay::rdma::serve_command(argc - 1, argv + 1));
  if (command == "entropy") return written(assay::rdma::entropy_command(argc - 1, argv + 1));
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto journal = [&](int rank, const assay::machine::Machine& machine) {
    return assay::run::rank_journal("rdma", rank, machine, arguments);
  };
  if (const auto followed = assay::rdma::follow_if_launched(arguments, journal)) return *followed;
  return lead(argc, argv, arguments);
}
