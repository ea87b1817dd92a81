// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A point that another thread gives up while it hangs.
#include "harness/run/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/run/tests/fake_cases.hpp"

namespace assay::run {
namespace {

using testing::HasSubstr;

class GivingUp : public testing::Test {
 protected:
  GivingUp() {
    std::filesystem::remove(journal_file_);
    options_.journal = journal_file_;
    cases_[0].prepare = [this](const core::Point&) -> std::unique_ptr<core::Trial> {
      hangs_.set_value();
      comes_back_.get_future().wait();
      throw core::Error(core::ErrorKind::team, "came back after all");
    };
  }
  std::string journal_text() const {
    std::stringstream text;
    text << std::ifstream(journal_file_).rdbuf();
    return text.str();
  }

  std::string journal_file_ = testing::TempDir() + "assay_session_test.jsonl";
  ModuleOptions options_;
  std::vector<core::Case> cases_ = tests::fake_cases({});
  std::promise<void> hangs_, comes_back_;
  std::ostringstream out_;
  std::atomic<bool> interrupted_{false};
};

TEST_F(GivingUp, WithoutAPointInFlightDoesNothing) {
  RunJournal journal(options_, {}, {});
  Session session("memory", journal, Progress(out_, out_, {}, 0, PointText({})), {}, interrupted_);
  EXPECT_FALSE(session.give_up("nothing hangs"));
  EXPECT_THAT(journal_text(), testing::Not(HasSubstr("timeout")));
}

TEST_F(GivingUp, WritesThePointDownAndNothingAfterIt) {
  // Kept for ever, as in a process that ends here: the thread below never gets past the journal.
  auto* journal = new RunJournal(options_, {}, {});
  auto* session =
      new Session("memory", *journal, Progress(out_, out_, {}, 0, PointText({})), {}, interrupted_);
  auto* planned = new plan::PlannedPoint{&cases_[0], core::Point{{"n", std::int64_t{5}}}, {}};
  std::thread([session, planned] { session->measure(*planned, 0); }).detach();
  hangs_.get_future().wait();
  EXPECT_TRUE(session->give_up("late: rank 2"));
  EXPECT_THAT(journal_text(), HasSubstr("\"case\":\"memory.fake.steady\""));
  EXPECT_THAT(journal_text(), HasSubstr("\"status\":\"timeout\",\"reason\":\"late: rank 2\""));
}

}  // namespace
}  // namespace assay::run
