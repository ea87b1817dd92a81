// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "results/tests/fixed_run.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::TemporaryFolder;

class Show : public testing::Test {
 protected:
  void import(const std::vector<Record>& records) {
    std::string lines;
    for (const Record& record : records) lines += to_line(record) + "\n";
    test::write_text(folder_ / "run.jsonl", lines);
    store_.import_journal(folder_ / "run.jsonl");
  }
  std::string error_of(const std::string& table, const ShowOptions& options = {}) {
    try {
      make_table(store_, table, options);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "no error";
  }
  TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

TEST_F(Show, AnUnknownTableNamesTheKnownOnes) {
  EXPECT_EQ(
      error_of("birds"),
      "no table 'birds': expected one of runs, points, cases, gemm, memory, latency, copies, rdma, "
      "rdma_latency, "
      "rdma_pairs, counters, collectives, crossover, tradeoffs, transports, corruption, detection, problems");
}

TEST_F(Show, AnEmptyStoreSaysSo) {
  EXPECT_TRUE(make_table(store_, "runs").rows.empty());
  for (const auto* name :
       {"points", "cases", "gemm", "memory", "latency", "rdma", "rdma_latency", "rdma_pairs", "problems"})
    EXPECT_EQ(error_of(name), "store " + (folder_ / "store.db").string() + ": holds no run yet");
}

TEST_F(Show, AnUnknownRunSaysWhereToLook) {
  import(test::fixed_run());
  EXPECT_EQ(error_of("points", {.run = "nope"}), "store " + (folder_ / "store.db").string() +
                                                     ": no run 'nope'; the table 'runs' lists what is there");
}

TEST_F(Show, AGpuThatWasStillGettingSlowerIsMarkedInPointsAndProducts) {
  test::RunBuilder builder("r");
  builder.begin(0, "gemm");
  const std::vector<std::pair<std::string, std::string>> layers{
      {"qkv", "power_w"}, {"down", "time"}, {"up_gate", ""}};
  for (const auto& [layer, moving] : layers) {
    PointRecord point = builder.point("gemm.cuda.transformer", {{"tp", std::int64_t{8}}, {"gemm", layer}});
    point.warmup = {.stationary = false, .last_moving = moving};
    builder.measured(std::move(point), 1e-3, {"tflops", "TFLOP/s", [](double s) { return 1 / s; }});
  }
  builder.end();
  import(builder.take());
  const Table points = make_table(store_, "points");
  EXPECT_THAT(to_csv(points), testing::HasSubstr("interval, power_w still moving"));
  EXPECT_THAT(to_csv(points), testing::Not(testing::HasSubstr("time still moving")))
      << "its clock had settled";
  EXPECT_THAT(
      make_table(store_, "gemm").notes,
      testing::Contains(testing::StartsWith("1 of 3 points were measured while their GPU was still")));
}

TEST_F(Show, EveryRowOfCsvHasItsOrigin) {
  std::vector<Record> records = test::fixed_run();
  for (Record& record : records)
    if (auto* context = std::get_if<ContextRecord>(&record)) context->origin = Origin::imported;
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record); point && point->case_name == "memory.host.copy") {
      point->case_name = "memory.host.corruption";
      point->verification.digest = "0123abcd";
    }
  import(records);
  for (const std::string& name : table_names()) {
    if (name == "runs") continue;  // has a column of its own
    const Table table = make_table(store_, name);
    const std::string csv = to_csv(table);
    EXPECT_THAT(csv.substr(0, csv.find('\n')), testing::EndsWith(",origin")) << name;
    if (table.rows.empty()) continue;
    EXPECT_THAT(csv, testing::EndsWith(",imported\n")) << name;
    EXPECT_THAT(to_text(table), testing::HasSubstr(" (imported)\n")) << name;
  }
  EXPECT_FALSE(make_table(store_, "corruption").rows.empty());
}

TEST_F(Show, TheLatestRunIsTheDefault) {
  import(test::fixed_run("run-1"));
  auto later = test::sample_context("run-2");
  later.started = "2027-01-01T00:00:00Z";
  import({later, test::sample_point("run-2")});
  EXPECT_EQ(make_table(store_, "points").rows.size(), 1u);
  EXPECT_GT(make_table(store_, "points", {.run = "run-1"}).rows.size(), 100u);
  const Table runs = make_table(store_, "runs");
  ASSERT_EQ(runs.rows.size(), 2u);
  EXPECT_EQ(std::get<std::string>(runs.rows[0][0]), "run-2");
  EXPECT_EQ(std::get<std::string>(runs.rows[0][11]), "cut off");
  EXPECT_EQ(std::get<std::string>(runs.rows[1][11]), "complete");
  EXPECT_EQ(std::get<std::string>(runs.rows[1][3]), "memory gemm rdma collectives");
}

TEST_F(Show, AFilterIsAGlobOverCaseOrPoint) {
  import(test::fixed_run());
  EXPECT_EQ(make_table(store_, "points", {.filter = "memory.host.latency"}).rows.size(), 34u);
  EXPECT_EQ(make_table(store_, "points", {.filter = "*/*dtype=fp64*"}).rows.size(), 2u);
  EXPECT_TRUE(make_table(store_, "points", {.filter = "nothing*"}).rows.empty());
  const std::size_t reads = make_table(store_, "points", {.filter = "memory.host.read"}).rows.size();
  EXPECT_GT(reads, 0u);
  for (const char* same : {"memory.host.read/*", "memory.host.rea[d]", "memory.host.rea?", "*.host.read"})
    EXPECT_EQ(make_table(store_, "points", {.filter = same}).rows.size(), reads) << same;
  for (const char* none : {"memory.host.rea", "memory.host.read/", "memory.host.reads*", "emory*"})
    EXPECT_TRUE(make_table(store_, "points", {.filter = none}).rows.empty()) << none;
  EXPECT_EQ(make_table(store_, "cases", {.filter = "gemm.*"}).rows.size(), 2u);
  EXPECT_EQ(make_table(store_, "memory", {.filter = "memory.*.triad"}).rows.size(), 12u);
}

TEST_F(Show, ALimitIsSaid) {
  import(test::fixed_run());
  const Table table = make_table(store_, "points", {.limit = 5});
  EXPECT_EQ(table.rows.size(), 5u);
  EXPECT_THAT(table.notes.at(0), testing::StartsWith("The first 5 of 182 points"));
  EXPECT_EQ(make_table(store_, "memory", {.limit = 3}).rows.size(), 3u);
}

TEST_F(Show, ProblemsHoldEveryPointThatIsNotOk) {
  import(test::fixed_run());
  const Table table = make_table(store_, "problems");
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(std::get<std::string>(table.rows[0][0]), "failed");
  EXPECT_EQ(std::get<std::string>(table.rows[1][3]), "no CUDA-capable device is detected");
  EXPECT_EQ(std::get<std::string>(table.rows[2][0]), "timeout");
  EXPECT_EQ(std::get<std::string>(table.rows[3][0]), "unsupported");
}

TEST_F(Show, AKilledProcessIsAProblemToo) {
  import({test::sample_context(), test::sample_point()});
  EXPECT_THAT(make_table(store_, "problems").notes.at(0), testing::HasSubstr("no end record"));
}

TEST_F(Show, RepetitionsAreOneRowOfTheMemoryTable) {
  auto again = test::sample_point("run-1", 1);
  again.repetition = 1;
  import({test::sample_context(), test::sample_point(), again});
  const Table table = make_table(store_, "memory");
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(std::get<std::int64_t>(table.rows[0].back()), 6);
}

}  // namespace
}  // namespace assay::results
