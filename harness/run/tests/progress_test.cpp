// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/progress.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <sstream>
#include <thread>

#include "harness/run/live_line.hpp"
#include "results/table/table.hpp"

namespace assay::run {
namespace {

using Number = std::int64_t;

/// A case with an axis of one default, an axis of two, and one that the plan may set.
struct Bench {
  Bench() {
    benchmark.name = "rdma.verbs.bandwidth";
    benchmark.axes = {{"operation", "", core::Domain::words, {"write"}},
                      {"bytes", "", core::Domain::sizes, {Number{64}, Number{4096}}},
                      {"qps", "", core::Domain::integers, {Number{1}}}};
    benchmark.unsupported = [](const core::Point&) { return std::nullopt; };
  }
  plan::PlannedPoint point(const char* operation, Number bytes, Number qps) const {
    return {&benchmark, {{"operation", operation}, {"bytes", bytes}, {"qps", qps}}};
  }
  core::Case benchmark;
};

TEST(PointText, NamesWhatTellsPointsApart) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1), bench.point("write", 4096, 1)};
  EXPECT_EQ(PointText(points).of(points[1]), "rdma.verbs.bandwidth bytes=4KiB");
}

TEST(PointText, NamesWhatIsNotTheAxisOnlyDefault) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 8)};
  EXPECT_EQ(PointText(points).of(points[0]), "rdma.verbs.bandwidth bytes=64B qps=8");
}

TEST(PointText, NamesADefaultBesideOtherValues) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1), bench.point("read", 64, 1)};
  EXPECT_EQ(PointText(points).of(points[0]), "rdma.verbs.bandwidth operation=write bytes=64B");
}

TEST(PointText, KeepsCasesApart) {
  const Bench bench;
  Bench other;
  other.benchmark.name = "rdma.verbs.bidirectional";
  const std::vector points{bench.point("write", 64, 1), other.point("read", 64, 1)};
  EXPECT_EQ(PointText(points).of(points[0]), "rdma.verbs.bandwidth bytes=64B");
  EXPECT_EQ(PointText(points).of(points[1]), "rdma.verbs.bidirectional operation=read bytes=64B");
}

TEST(Progress, CountsPointsAndNotTheirRepetitions) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1), bench.point("write", 4096, 1)};
  std::ostringstream lines, status;
  Progress progress(lines, status, {.total = 2}, 0, PointText(points));
  results::PointRecord record;
  record.status = results::Status::unsupported;
  for (const plan::PlannedPoint& point : points)
    for (record.repetition = 0; record.repetition < 2; ++record.repetition) progress.ended(point, record);
  EXPECT_EQ(lines.str(),
            "[1/2] rdma.verbs.bandwidth bytes=64B: unsupported: \n[1/2] rdma.verbs.bandwidth bytes=64B: "
            "unsupported: \n"
            "[2/2] rdma.verbs.bandwidth bytes=4KiB: unsupported: \n[2/2] rdma.verbs.bandwidth bytes=4KiB: "
            "unsupported: \n");
}

TEST(Progress, PrintsALineAPoint) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1)};
  std::ostringstream lines, status;
  Progress progress(lines, status, {.total = 1}, 0, PointText(points));
  progress.begins(points[0]);
  results::PointRecord record;
  record.status = results::Status::failed;
  record.reason = "no memory";
  progress.ended(points[0], record);
  EXPECT_EQ(lines.str(), "[1/1] rdma.verbs.bandwidth bytes=64B: failed: no memory\n");
  EXPECT_EQ(status.str(), "");
}

TEST(Progress, ShowsTheIntervalOfThePointAsItNarrowsInOneLineOfATerminal) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1)};
  std::ostringstream lines, status;
  Progress progress(lines, status,
                    {.terminal = true, .module = "rdma", .of_module = 12, .before = 14, .total = 40}, 0,
                    PointText(points));
  progress.begins(points[0]);
  progress.looked(points[0], {.estimate = 1, .lower = 0.98, .upper = 1.03, .n = 45, .bounded = true});
  progress.looked(points[0], {.estimate = 1, .lower = 0.99, .upper = 1.01, .n = 90, .bounded = true});
  const std::string at = "\r\033[K[15/40] rdma 1/12: rdma.verbs.bandwidth bytes=64B";
  EXPECT_EQ(status.str(),
            at + at + ", interval 5 % (2 % wanted), n = 45" + at + ", interval 2 % (2 % wanted), n = 90");
  EXPECT_EQ(lines.str(), "");
}

TEST(Progress, CutsTheLiveLineToTheTerminal) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1)};
  std::ostringstream lines, status;
  Progress progress(lines, status, {.terminal = true, .columns = 20, .total = 1}, 0, PointText(points));
  progress.begins(points[0]);
  EXPECT_EQ(status.str(), "\r\033[K[1/1] rdma.v…es=64B");
}

TEST(LiveLine, ShortensThePointAndKeepsHowFarTheIntervalAndTheTimeLeft) {
  LiveLine line{.counts = "[15/40] ",
                .of_module = "rdma 1/12: ",
                .point = "rdma.verbs.bandwidth operation=write bytes=1GiB qps=8",
                .interval = ", interval 5 % (2 % wanted), n = 45",
                .left = ", about 12 min left"};
  EXPECT_EQ(fitted(line, 0).size(), 126U);
  EXPECT_EQ(
      fitted(line, 99),
      "[15/40] rdma 1/12: rdma.verbs.ba…s=1GiB qps=8, interval 5 % (2 % wanted), n = 45, about 12 min left");
  const std::string narrow = fitted(line, 79);
  EXPECT_EQ(narrow, "[15/40] rdma.ver…iB qps=8, interval 5 % (2 % wanted), n = 45, about 12 min left");
  EXPECT_EQ(results::width_of(narrow), 79U);
  line.point = "a.b";
  EXPECT_EQ(fitted(line, 79), "[15/40] rdma 1/12: a.b, interval 5 % (2 % wanted), n = 45, about 12 min left");
  EXPECT_EQ(fitted(line, 10), "[15/40] , ") << "too narrow for more";
}

TEST(Progress, ColoursTheStatusWhereItMay) {
  results::PointRecord record;
  record.status = results::Status::failed;
  record.reason = "no memory";
  EXPECT_EQ(outcome_text(record), "failed: no memory");
  EXPECT_EQ(outcome_text(record, true), "\033[31mfailed\033[0m: no memory");
}

TEST(Progress, TellsTheSupervisorThatAPointGoesOnAtMostOnceASecond) {
  const Bench bench;
  const std::vector points{bench.point("write", 64, 1)};
  std::array<int, 2> pipe_ends{};
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  std::ostringstream out;
  double now_s = 10;
  Progress progress(out, out, {.heartbeat_descriptor = pipe_ends[1]}, 0, PointText(points),
                    [&] { return now_s; });
  const auto heard = [&] {
    std::array<char, 4096> text{};
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    const ssize_t got = read(pipe_ends[0], text.data(), text.size());
    return got > 0 ? std::string(text.data(), static_cast<std::size_t>(got)) : std::string();
  };
  progress.begins(points[0]);
  const std::string began = heard();
  EXPECT_THAT(began, testing::HasSubstr(" 0 rdma.verbs.bandwidth "));
  now_s += 0.99;
  progress.still_runs();
  EXPECT_EQ(heard(), "");
  now_s += 0.01;
  progress.still_runs();
  progress.still_runs();
  EXPECT_EQ(heard(), began);
  for (const int end : pipe_ends) close(end);
}

}  // namespace
}  // namespace assay::run
