// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole burn-ins of modules with fake cases, with a clock and health checks that the test decides.
#pragma once

#include <gmock/gmock.h>

#include <functional>

#include "harness/front/suite/burn_in/burn_in.hpp"
#include "harness/front/suite/tests/plan_run_fixture.hpp"

namespace assay::suite::tests {

inline constexpr const char* sound = "['memory.fake.corruption', 'memory.fake.corruption_self_test']";
inline constexpr const char* sound_of_two =
    "['memory.fake.corruption', 'memory.fake.corruption_self_test', 'gemm.fake.corruption']";

inline health::Finding finding(health::Status status, const std::string& check = "rdma.port_state",
                               const std::string& unit = "mlx5_4/1") {
  return {.check = check,
          .unit = unit,
          .status = status,
          .evidence = status == health::Status::passed ? "ACTIVE" : "DOWN",
          .meaning = "the link is down",
          .action = status == health::Status::passed ? health::Action::none : health::Action::drain};
}

class BurnInTest : public PlanRunTest {
 protected:
  /// Modules of fake cases under these names.
  void SetUp() override {
    PlanRunTest::SetUp();
    fs::create_directories(folder_ / "modules");
    for (const char* name : {"memory", "gemm"})
      fs::create_symlink(module(), folder_ / "modules" / (std::string("assay-") + name));
  }
  BurnInOptions asked(const std::string& cases, std::int64_t rounds = 1) const {
    BurnInOptions wanted{.run = options(plan(cases)), .end = {.rounds = rounds}, .check_every_s = 1e9};
    wanted.run.run_id = "b";
    wanted.run.slack_s = 60;  // nothing hangs but what is asked to, however busy the machine
    wanted.run.programs_folder = folder_ / "modules";
    return wanted;
  }
  BurnInOptions resumed() const {
    BurnInOptions wanted = asked(sound);
    wanted.end = {};
    wanted.run.plan.clear();
    wanted.run.run_id.clear();
    wanted.run.resume = true;
    return wanted;
  }
  /// A second passes with each look at the clock.
  BurnInOutcome burn(const BurnInOptions& wanted) {
    std::ostringstream out;
    const BurnInSurroundings surroundings{.now_s = [this] { return static_cast<double>(++seconds_); },
                                          .check = [this] { return check_(++looks_); }};
    const BurnInOutcome outcome = run_burn_in(wanted, surroundings, signals_, out);
    said_ = out.str();
    return outcome;
  }
  static results::VerdictRow row(const BurnInOutcome& outcome, const std::string& metric) {
    for (const results::VerdictRow& row : outcome.verdicts.rows)
      if (row.metric == metric) return row;
    ADD_FAILURE() << "no row " << metric;
    return {};
  }
  static double amount(const BurnInOutcome& outcome, results::DoseKind kind) {
    for (const results::UnitDose& dose : outcome.doses)
      if (dose.kind == kind) return dose.amount.value_or(-1);
    return -1;
  }
  std::vector<std::string> journals(const BurnInOutcome& outcome) const {
    std::vector<std::string> names;
    for (const fs::path& journal : outcome.journals) names.push_back(journal.filename().string());
    return names;
  }

  std::atomic<int> seconds_{0}, looks_{0};
  std::function<std::vector<health::Finding>(int look)> check_ = [](int) {
    return std::vector{finding(health::Status::passed)};
  };
  std::string said_;
};

}  // namespace assay::suite::tests
