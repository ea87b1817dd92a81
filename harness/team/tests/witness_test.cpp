// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The calls that a witness of a follower receives for a whole point, for one that fails, and for the end.
#include "harness/core/measure/witness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "harness/core/measure/measure.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::team {
namespace {

class OneSecond final : public core::Trial {
 public:
  core::Timing do_run(std::int64_t) override { return {.seconds = 1}; }
  core::Verification do_verify() override { return {}; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override { return {{"rank", "", 1}}; }
};

/// Notes every call in words.
class Notes final : public core::Witness {
 public:
  void begins(const core::Case& benchmark, const core::Point& point) override {
    note("begins " + benchmark.name + " " + point.key());
  }
  void ran(std::int64_t iterations, const core::Timing& timing) override {
    note("ran " + std::to_string(iterations) + " in " + std::to_string(timing.seconds));
  }
  void sampling_begins() override { note("sampling"); }
  void sampling_ends() override { note("sampled"); }
  void verified(const core::Verification&) override { note("verified"); }
  void reported(const core::Report& report) override { note("reported " + report.metrics.front().name); }
  void ends(const std::string& why_failed) override { note("ends " + why_failed); }
  void dismissed() override { note("dismissed"); }

  std::vector<std::string> notes;

 private:
  void note(std::string words) { notes.push_back(std::move(words)); }
};

TEST(Witness, SeesWhatAFollowerDoes) {
  const CasesOf cases_of = [](Team& team) {
    core::Case lasts;
    lasts.name = "lasts";
    lasts.unsupported = [](const core::Point&) { return std::nullopt; };
    lasts.prepare = [rank = team.rank()](const core::Point& point) -> std::unique_ptr<core::Trial> {
      if (rank == 0 && point.key() == "bytes=128") throw core::Error(core::ErrorKind::verbs, "no memory");
      return std::make_unique<OneSecond>();
    };
    return std::vector{lasts};
  };
  Notes notes;
  auto teams = make_thread_teams(2);
  std::thread follower([&] { follow(*teams[1], cases_of, &notes); });
  TeamKeeper pair([&] { return std::move(teams[0]); });
  core::Case declared;
  declared.name = "lasts";
  const std::vector<core::Case> led = lead(pair, cases_of, {declared});
  {
    const auto trial = led.front().prepare({{"bytes", std::int64_t{64}}});
    trial->sampling_begins();
    trial->run(3);
    trial->sampling_ends();
    trial->verify();
    trial->metrics({});
  }
  EXPECT_THROW(led.front().prepare({{"bytes", std::int64_t{128}}}), core::Error);
  dismiss(pair);
  follower.join();
  EXPECT_THAT(notes.notes,
              testing::ElementsAre("begins lasts bytes=64", "sampling", "ran 3 in 1.000000", "sampled",
                                   "verified", "reported rank", "ends ", "begins lasts bytes=128",
                                   "ends rank 0 (thread0): no memory", "ends ", "dismissed"));
}

}  // namespace
}  // namespace assay::team
