// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/export/timings_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class Timings : public testing::Test {
 protected:
  void gemm(std::int64_t m, const char* cache, double us) {
    PointRecord record = builder_.point("gemm.host.matmul", {{"m", m},
                                                             {"n", std::int64_t{0}},
                                                             {"k", std::int64_t{0}},
                                                             {"dtype", "bf16"},
                                                             {"cache", cache},
                                                             {"threads", std::int64_t{2}}});
    record.derived = {{"m", m}, {"n", std::int64_t{32}}, {"k", std::int64_t{16}}, {"layout", "TN"}};
    measured(std::move(record), us);
  }
  void attention(const char* product, std::int64_t n, std::int64_t k, double us) {
    PointRecord record = builder_.point("gemm.cuda.attention", {{"product", product},
                                                                {"batch", std::int64_t{8}},
                                                                {"seq", std::int64_t{512}},
                                                                {"head", std::int64_t{128}},
                                                                {"dtype", "bf16"},
                                                                {"cache", "cold"}});
    record.derived = {{"m", std::int64_t{512}}, {"n", n}, {"k", k}, {"layout", "TN"}};
    record.conditions = {{"sm_count", std::int64_t{148}}};
    measured(std::move(record), us);
  }
  void all_reduce(const char* back_end, std::int64_t bytes, double us, const Fields& more = {}) {
    PointRecord record = builder_.point(
        std::string("collectives.") + back_end + ".all_reduce",
        {{"bytes", bytes}, {"dtype", "fp32"}, {"algorithm", "ring"}, {"in_place", std::int64_t{0}}});
    record.conditions = {{"ranks", std::int64_t{4}}};
    record.conditions.insert(record.conditions.end(), more.begin(), more.end());
    measured(std::move(record), us);
  }
  void measured(PointRecord record, double us) {
    builder_.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  Store& store() {
    builder_.end();
    store_.add(builder_.take());
    return store_;
  }

  test::RunBuilder builder_{"run"};

 private:
  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.sqlite"};
};

TEST_F(Timings, OfGemmsHaveTheShapeThatRanAndWhatMustStayApart) {
  builder_.begin(0, "gemm");
  gemm(64, "hot", 10);
  gemm(64, "cold", 20);
  builder_.not_measured(builder_.point("gemm.host.matmul", {{"m", std::int64_t{1}}}), Status::failed, "no");
  const TimingsCsv csv = gemm_timings_csv(store(), std::nullopt);
  EXPECT_EQ(csv.rows, 2);
  EXPECT_EQ(csv.left_out, 1);
  EXPECT_THAT(
      csv.text,
      StartsWith("m,n,k,batch,dtype,layout,machine,multiprocessors,time_us,time_min_us,time_max_us,origin\n"
                 "64,32,16,1,bf16,host TN hot threads=2,"));
  EXPECT_THAT(csv.text, HasSubstr("\n64,32,16,1,bf16,host TN cold threads=2,"));
}

TEST_F(Timings, GiveASpreadsheetNoFormula) {
  builder_.begin(0, "collectives");
  all_reduce("assay", 1024, 10);
  std::vector<Record> records = builder_.take();
  for (Record& record : records) {
    if (auto* context = std::get_if<ContextRecord>(&record)) context->host = "=1+1\r";
    if (auto* point = std::get_if<PointRecord>(&record)) {
      point->point[1].second = "@fp32";
      point->key = "bytes=1024,dtype=@fp32,algorithm=ring,in_place=0";
    }
  }
  test::TemporaryFolder folder;
  Store other(folder / "store.sqlite");
  other.add(records);
  const TimingsCsv csv = collective_timings_csv(other, "run");
  EXPECT_THAT(csv.text, HasSubstr(",'@fp32,"));
  EXPECT_THAT(csv.text, HasSubstr(",'=1+1 /"));
  EXPECT_THAT(csv.text, testing::Not(HasSubstr("\r")));
}

TEST_F(Timings, OfAttentionHaveTheirBatchAndLayoutsOfTheirOwn) {
  builder_.begin(0, "gemm");
  attention("scores", 512, 128, 10);
  attention("context", 128, 512, 20);
  const TimingsCsv csv = gemm_timings_csv(store(), std::nullopt);
  EXPECT_EQ(csv.rows, 2);
  EXPECT_THAT(csv.text, HasSubstr("\n512,512,128,8,bf16,batched/scores cuda TN cold,node-a,148,"));
  EXPECT_THAT(csv.text, HasSubstr("\n512,128,512,8,bf16,batched/context cuda TN cold,"));
}

TEST_F(Timings, OfCollectivesNameContenderAndSystem) {
  builder_.begin(0, "collectives");
  all_reduce("assay", 1024, 10);
  all_reduce("mpi", 1024, 20, {{"nodes", std::int64_t{2}}});
  all_reduce("nccl", 1024, 20, {{"not_a_performance_measurement", "ranks share a GPU"}});
  const TimingsCsv csv = collective_timings_csv(store(), "run");
  EXPECT_EQ(csv.rows, 2);
  EXPECT_EQ(csv.left_out, 1);
  EXPECT_THAT(
      csv.text,
      StartsWith(
          "op,ranks,nodes,size_bytes,dtype,algorithm,source,time_us,time_min_us,time_max_us,origin\n"));
  EXPECT_THAT(csv.text, HasSubstr("all_reduce,4,,1024,fp32,ring,"));
  EXPECT_THAT(csv.text, HasSubstr("all_reduce,4,2,1024,fp32,mpi,"));
  EXPECT_THAT(csv.text, HasSubstr("/assay in_place=0,"));
}

TEST_F(Timings, OfARunWithoutAnyAreRefusedInOneLine) {
  builder_.begin(0, "gemm");
  gemm(64, "hot", 10);
  const Store& full = store();
  try {
    collective_timings_csv(full, "run");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "run run has no timing of a collective");
  }
}

}  // namespace
}  // namespace assay::results
