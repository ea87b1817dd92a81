// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Runs in the columns of nccl-tests and perftest.
#include <gmock/gmock.h>

#include <sstream>

#include "results/show/peer_styles.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/golden.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

using Words = std::vector<std::string>;

/// The lines that begin with a number, as a script reads them that splits lines at white space.
std::vector<Words> rows_of(const std::string& text) {
  std::vector<Words> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Words row;
    for (std::string word; words >> word;) row.push_back(word);
    if (!row.empty() && std::isdigit(static_cast<unsigned char>(row[0][0])) != 0) rows.push_back(row);
  }
  return rows;
}

void collective(test::RunBuilder& builder, const std::string& operation, Fields axes, double seconds) {
  PointRecord record = builder.point("collectives.nccl." + operation, std::move(axes));
  record.conditions = {{"ranks", std::int64_t{8}}, {"nodes", std::int64_t{1}}};
  const double algbw = number_in(record.point, "bytes").value_or(0) / seconds * 1e-9;
  record.metrics = {{"algbw_gb_per_s", "GB/s", algbw, {}, {}}};
  if (operation != "gather") record.metrics.push_back({"busbw_gb_per_s", "GB/s", algbw * 1.75, {}, {}});
  builder.measured(std::move(record), seconds, {"time_us", "us", [](double s) { return s * 1e6; }});
}

void add_collective_sides(test::RunBuilder& builder) {
  for (const std::int64_t in_place : {0, 1})
    for (const std::int64_t bytes : {8, 1048576, 1073741824})
      collective(builder, "all_reduce",
                 {{"bytes", bytes}, {"dtype", "bf16"}, {"operator", "sum"}, {"in_place", in_place}},
                 8e-6 + static_cast<double>(bytes) / (in_place == 1 ? 250e9 : 240e9));
  collective(builder, "all_gather", {{"bytes", std::int64_t{65536}}, {"dtype", "fp32"}}, 2e-5);
  collective(builder, "gather",
             {{"bytes", std::int64_t{65536}}, {"dtype", "int8"}, {"root", std::int64_t{3}}}, 2e-5);
}

std::string style_of(const std::vector<Record>& records,
                     std::string (*text)(const RunPoints&, const std::string&), const std::string& filter) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(records);
  return text(RunPoints(store), filter);
}

std::vector<Record> collective_sides() {
  test::RunBuilder builder("r1");
  builder.begin(0, "collectives");
  add_collective_sides(builder);
  builder.end();
  std::vector<Record> records = builder.take();
  for (Record& record : records)
    if (auto* point = std::get_if<PointRecord>(&record); point && point->case_name.ends_with(".gather")) {
      point->status = Status::wrong;
      point->verification = {core::Verification::Result::wrong, "", "element 3: expected 6, read 7"};
    }
  return records;
}

TEST(PeerStyles, CollectivesAsNcclTestsPrintsThem) {
  test::expect_golden("show_style_nccl_tests.approved.txt",
                      style_of(collective_sides(), nccl_tests_text, ""));
}

TEST(PeerStyles, ScriptsFindTheColumnsOfNcclTests) {
  const auto rows = rows_of(style_of(collective_sides(), nccl_tests_text, "*.all_*"));
  ASSERT_EQ(rows.size(), 4U);  // all_gather, then all_reduce
  // size count type redop root, then time algbw busbw #wrong, twice
  ASSERT_THAT(rows[0], testing::SizeIs(13));
  EXPECT_EQ(Words(rows[0].begin(), rows[0].begin() + 5), (Words{"65536", "2048", "float", "none", "-1"}));
  EXPECT_NEAR(std::stod(rows[0][5]), 20, 0.5);
  EXPECT_EQ(Words(rows[0].begin() + 6, rows[0].end()),
            (Words{"3.28", "5.73", "0", "N/A", "N/A", "N/A", "N/A"}));
  EXPECT_THAT(rows[2], testing::SizeIs(13));
  EXPECT_EQ(Words(rows[2].begin(), rows[2].begin() + 5),
            (Words{"1048576", "524288", "bfloat16", "sum", "-1"}));
}

TEST(PeerStyles, TheSizeOfAnExchangeByMatrixIsWhatTheLargestSenderSends) {
  test::RunBuilder builder("r1");
  builder.begin(0, "collectives");
  PointRecord record = builder.point("collectives.assay.all_to_all_v", {{"dtype", "fp32"}});
  record.work_bytes = 4096;
  record.conditions = {{"ranks", std::int64_t{8}}, {"nodes", std::int64_t{1}}};
  builder.measured(std::move(record), 2e-5, {"time_us", "us", [](double s) { return s * 1e6; }});
  builder.end();
  const auto rows = rows_of(style_of(builder.take(), nccl_tests_text, ""));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(Words(rows[0].begin(), rows[0].begin() + 3), testing::ElementsAre("4096", "1024", "float"));
}

TEST(PeerStyles, AWrongResultIsNeverZeroWrongElements) {
  const std::string text = style_of(collective_sides(), nccl_tests_text, "*.gather");
  const auto rows = rows_of(text);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0][1], "8192");  // elements of one of eight ranks
  EXPECT_EQ(rows[0][4], "3");
  EXPECT_EQ(rows[0][7], "N/A");  // no bus bandwidth in the record
  EXPECT_EQ(rows[0][8], "N/A");  // how many are wrong is not in the record
  EXPECT_THAT(text, testing::HasSubstr("# Out of bounds values : 1 FAILED\n# Avg bus bandwidth    : N/A\n"));
}

TEST(PeerStyles, RdmaAsPerftestPrintsIt) {
  test::expect_golden("show_style_perftest.approved.txt",
                      style_of(test::fixed_run(), perftest_text, "rdma.verbs.[bl]a*"));
}

TEST(PeerStyles, ScriptsFindTheColumnsOfPerftest) {
  test::RunBuilder builder("r1");
  builder.begin(0, "rdma");
  PointRecord latency = builder.point("rdma.verbs.latency", {{"bytes", std::int64_t{2}}});
  latency.iterations_per_sample = 4;
  builder.measured(latency, 2e-6, {"latency_us", "us", [](double s) { return s * 1e6; }}, 3000);
  PointRecord bandwidth = builder.point("rdma.verbs.bandwidth", {{"bytes", std::int64_t{1 << 20}}});
  bandwidth.work_bytes = 1 << 20;
  builder.measured(bandwidth, 2e-5, {"bandwidth_gb_per_s", "GB/s", [](double s) { return 1.048576e-3 / s; }});
  builder.end();
  const auto rows = rows_of(style_of(builder.take(), perftest_text, ""));
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(rows[0].size(), 5U);  // bytes iterations peak average rate
  EXPECT_EQ(rows[0][0], "1048576");
  EXPECT_EQ(rows[0][1], "60");
  EXPECT_NEAR(std::stod(rows[0][3]), 50000, 500);    // MiB/s of a MiB in 20 us
  EXPECT_NEAR(std::stod(rows[0][4]), 0.05, 0.0005);  // and one message
  EXPECT_GE(std::stod(rows[0][2]), std::stod(rows[0][3]));
  ASSERT_EQ(rows[1].size(), 9U);  // bytes iterations min max typical avg stdev 99% 99.9%
  EXPECT_EQ(rows[1][1], "12000");
  EXPECT_EQ(rows[1][2], "N/A");  // a sample is the mean of four
  EXPECT_NEAR(std::stod(rows[1][4]), 2, 0.02);
  EXPECT_EQ(rows[1][8], "N/A");
}

}  // namespace
}  // namespace assay::results
