// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module of ranks that only wait and agree, under the name of a real one: for tests of launchers.
#include <chrono>
#include <iostream>
#include <thread>
#include <utility>

#include "harness/core/process/exit_code.hpp"
#include "harness/run/journal/rank_journal.hpp"
#include "harness/run/module_main.hpp"
#include "harness/team/join/launched_place.hpp"
#include "harness/team/join/launched_team.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/solo_team.hpp"

namespace {

using namespace assay;

/// Every rank waits a millisecond an iteration and tells where it ran.
class WaitingTrial final : public core::Trial {
 public:
  explicit WaitingTrial(const team::Team* standing) : team_(standing) {}

  core::Timing do_run(std::int64_t iterations) override {
    const double seconds = 1e-3 * static_cast<double>(iterations);
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    return {.seconds = seconds};
  }
  core::Verification do_verify() override { return {core::Verification::Result::right, "counted", ""}; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override { return {}; }
  std::vector<core::Fact> do_facts() override {
    return {{"ranks", std::int64_t{team_->size()}}, {"host", team_->host_of(team_->rank())}};
  }

 private:
  const team::Team* team_;
};

/// `standing` is null where cases are only listed.
std::vector<core::Case> cases(const team::Team* standing) {
  core::Case waits;
  waits.name = "collectives.fake.waits";
  waits.measures = "nothing: every rank waits";
  waits.headline = core::Headline::bandwidth_gb_per_s;
  waits.axes = {{"n", "any number", core::Domain::integers, {core::Value{std::int64_t{1}}}}};
  waits.work = [](const core::Point&) { return core::Work{.bytes = 1e6, .bytes_counted = "none"}; };
  waits.unsupported = [](const core::Point&) { return std::nullopt; };
  waits.prepare = [standing](const core::Point&) { return std::make_unique<WaitingTrial>(standing); };
  return {waits};
}

std::unique_ptr<team::Team> form(bool again) {
  if (again)
    throw core::Error(core::ErrorKind::team, "a rank was lost, and only the launcher starts it again");
  if (auto team = team::team_from_environment(team::hello_of_this_host(), {.limit_s = 20})) return team;
  return std::make_unique<team::SoloTeam>("alone");
}

int follow(int rank, const std::vector<std::string>& arguments) {
  try {
    const auto team = form(false);
    const auto journal = run::rank_journal("collectives", rank, machine::look(), arguments);
    team::follow(*team, [](team::Team& standing) { return cases(&standing); }, journal.get());
    return core::exit_code::pass;
  } catch (const core::Error& error) {
    std::cerr << "assay-collectives: " << error.what() << "\n";
    return core::exit_code::inconclusive;
  }
}

int lead(int argc, char** argv) {
  const team::CasesOf cases_of = [](team::Team& standing) { return cases(&standing); };
  bool formed = false;
  team::TeamKeeper keeper([&] { return form(std::exchange(formed, true)); });
  const int exit_code = run::module_main(
      argc, argv,
      {.name = "collectives",
       .measures = "ranks that wait",
       .cases = [&](const machine::Machine&) { return team::lead(keeper, cases_of, cases(nullptr)); },
       .begin = [&] { keeper.team(); }});
  team::dismiss(keeper);
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  const auto place = team::launched_place();
  return place && place->rank > 0 ? follow(place->rank, {argv + 1, argv + argc}) : lead(argc, argv);
}
