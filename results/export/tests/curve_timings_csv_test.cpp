// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "results/export/timings_csv.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

class CurveTimings : public testing::Test {
 protected:
  void begin(const char* module) { builder_.begin(0, module); }
  void bandwidth(const std::string& name, Fields axes, double work_bytes, double us) {
    PointRecord record = builder_.point(name, std::move(axes));
    record.work_bytes = work_bytes;
    builder_.measured(std::move(record), us * 1e-6,
                      {"bandwidth_gb_per_s", "GB/s", [&](double s) { return work_bytes / s * 1e-9; }});
  }
  void copy(std::int64_t bytes, std::int64_t threads, double us) {
    bandwidth("memory.host.copy", {{"bytes", bytes}, {"threads", threads}, {"store", "temporal"}},
              static_cast<double>(bytes), us);
  }
  void verbs(const char* benchmark, const char* operation, std::int64_t bytes, double us,
             LinkClass link = LinkClass::clean) {
    Fields axes{{"operation", operation}, {"bytes", bytes}, {"memory", "host"}};
    if (std::string(benchmark) != "latency") axes.emplace_back("qps", std::int64_t{2});
    PointRecord record = builder_.point(std::string("rdma.verbs.") + benchmark, axes);
    record.conditions = {{"host", "a"}};
    record.ranks = {{1, {{"host", "b"}}}};
    record.links = {{.link_class = link}};
    record.metrics = {{"unused", "", 0, {}, {}}};
    builder_.measured(std::move(record), us * 1e-6,
                      {"message_rate_m_per_s", "M/s", [](double s) { return 1e-6 / s; }});
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

// The builder's machine has 32 first-level caches of 48 KiB, 32 second-level ones of 2 MiB and two of 60 MiB.
TEST_F(CurveTimings, OfMemoryTellTheCacheThatHoldsTheFootprint) {
  begin("memory");
  copy(48 << 10, 1, 1);
  copy(48 << 10, 2, 1);
  copy((48 << 10) + 4096, 1, 1);
  copy(40 << 20, 1, 1);
  copy(90 << 20, 2, 1);
  copy(90 << 20, 1, 1);
  const TimingsCsv csv = memory_timings_csv(store(), std::nullopt);
  EXPECT_EQ(csv.rows, 6);
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=1 store=temporal,L1,49152,node-a,"));
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=2 store=temporal,L1,49152,node-a,"));
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=1 store=temporal,L2,53248,node-a,"));
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=1 store=temporal,L3,41943040,node-a,"));
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=2 store=temporal,L3,94371840,node-a,"));
  EXPECT_THAT(csv.text, HasSubstr("\nhost.copy,threads=1 store=temporal,memory,94371840,node-a,"));
}

// The unit trap: a record counts all passes over a footprint in a cache, a row is one of them.
TEST_F(CurveTimings, OfMemoryAreOfOnePassOverTheFootprint) {
  begin("memory");
  PointRecord record = builder_.point("memory.cuda.read", {{"gpu", std::int64_t{0}}, {"bytes", 1 << 20}});
  record.derived = {{"cache_state", "hot"}};
  record.conditions = {{"passes", std::int64_t{512}}};
  record.work_bytes = 512 << 20;
  builder_.measured(std::move(record), 64e-6,
                    {"bandwidth_gb_per_s", "GB/s", [](double s) { return (512 << 20) / s * 1e-9; }});
  EXPECT_THAT(memory_timings_csv(store(), std::nullopt).text,
              HasSubstr("\ncuda.read,gpu=0,hot,1048576,node-a,0.125"));
}

// The unit trap: a record counts traffic, a row the bytes of one tensor.
TEST_F(CurveTimings, OfVectorKernelsCountOneTensorAndAreNoneOfMemory) {
  begin("memory");
  copy(4096, 1, 1);
  const auto vector = [&](const char* kernel, const char* dtype, const char* pass, std::int64_t bytes) {
    PointRecord record = builder_.point("memory.host.vector", {{"kernel", kernel},
                                                               {"dtype", dtype},
                                                               {"pass", pass},
                                                               {"elements", std::int64_t{8192}},
                                                               {"columns", std::int64_t{4096}},
                                                               {"threads", std::int64_t{2}}});
    record.work_bytes = 5.0 * static_cast<double>(bytes);
    if (bytes > 0) record.derived = {{"tensor_bytes", bytes}};
    builder_.measured(std::move(record), 2e-6,
                      {"bandwidth_gb_per_s", "GB/s", [](double s) { return 1 / s; }});
  };
  vector("softmax", "bf16", "backward", 16384);
  vector("adam", "fp32", "forward", 32768);
  vector("gelu", "fp32", "forward", 0);
  const TimingsCsv csv = vector_timings_csv(store(), std::nullopt);
  EXPECT_EQ(csv.rows, 2);
  EXPECT_EQ(csv.left_out, 1) << "of unknown size";
  EXPECT_THAT(csv.text,
              HasSubstr("\nhost.softmax,dtype=bf16 pass=backward columns=4096 threads=2,,16384,node-a,"));
  EXPECT_THAT(csv.text,
              HasSubstr("\nhost.adam,dtype=fp32 pass=forward columns=4096 threads=2,,32768,node-a,"));
  const TimingsCsv memory = memory_timings_csv(store(), std::nullopt);
  EXPECT_EQ(memory.rows, 1);
  EXPECT_THAT(memory.text, HasSubstr("\nhost.copy,"));
}

// The unit trap: a record of both ways counts both, a row counts bytes each way.
TEST_F(CurveTimings, OfHostLinksCountBytesEachWay) {
  begin("offload");
  bandwidth("offload.cuda.copy", {{"bytes", std::int64_t{4096}}, {"direction", "both"}}, 8192, 5);
  const TimingsCsv csv = link_timings_csv(store(), "run");
  EXPECT_THAT(csv.text, HasSubstr("\ncuda.copy,direction=both,,4096,node-a,"));
}

TEST_F(CurveTimings, OfVerbsAreOneWayOrFromMessageToMessage) {
  begin("rdma");
  verbs("latency", "write", 64, 2);
  verbs("latency", "read", 64, 4);
  verbs("bandwidth", "write", 4096, 0.5);
  verbs("message_rate", "write", 8, 0.125, LinkClass::lossy);
  const TimingsCsv csv = verbs_timings_csv(store(), "run");
  EXPECT_EQ(csv.rows, 2);
  EXPECT_EQ(csv.left_out, 2);
  EXPECT_THAT(csv.text, HasSubstr("\nwrite,latency,,memory=host,64,a+b,2"));
  EXPECT_THAT(csv.text, HasSubstr("\nwrite,stream,qps=2,memory=host,4096,a+b,0.5"));
}

// The unit trap: the rate of a record with two pairs is of both, its time of one.
TEST_F(CurveTimings, OfVerbsBetweenPairsAreOfOnePairAndFitItsLatencies) {
  begin("rdma");
  const auto pair = [&](const char* benchmark, Fields axes) {
    PointRecord record = builder_.point(std::string("rdma.verbs.") + benchmark, std::move(axes));
    record.conditions = {{"host", "a"}};
    record.ranks = {{1, {{"host", "b"}}}};
    record.links = {{.link_class = LinkClass::clean}};
    record.metrics = {{"message_rate_m_per_s", "M/s", 4, {}, {}}};
    builder_.measured(std::move(record), 0.5e-6,
                      {"bandwidth_gb_per_s", "GB/s", [](double s) { return 4.096e-6 / s; }});
  };
  pair("bandwidth", {{"operation", "write"},
                     {"bytes", std::int64_t{4096}},
                     {"memory", "host"},
                     {"round", std::int64_t{1}},
                     {"qps", std::int64_t{1}}});
  pair("latency", {{"operation", "write"}, {"bytes", std::int64_t{64}}, {"memory", "host"}});
  const TimingsCsv csv = verbs_timings_csv(store(), "run");
  EXPECT_THAT(csv.text, testing::ContainsRegex("write,stream,qps=1,memory=host,4096,a.b,0.(49|50)"));
  EXPECT_THAT(csv.text, testing::ContainsRegex("write,latency,,memory=host,64,a.b,0.(49|50)"));
}

TEST_F(CurveTimings, OfVerbsTellWhatAMessageCostsTheProcessorAtOneEnd) {
  begin("rdma");
  PointRecord record = builder_.point(
      "rdma.verbs.latency", {{"operation", "write"}, {"bytes", std::int64_t{64}}, {"memory", "host"}});
  record.conditions = {{"host", "a"}};
  record.ranks = {{1, {{"host", "b"}}}};
  record.links = {{.link_class = LinkClass::clean}};
  record.metrics = {{"host_posting_us", "us", 0.25, {}, {}}, {"host_taking_us", "us", 0.15, {}, {}}};
  builder_.measured(std::move(record), 2e-6, {"latency_us", "us", [](double s) { return s * 1e6; }});
  const TimingsCsv csv = verbs_timings_csv(store(), "run");
  EXPECT_EQ(csv.rows, 2);
  EXPECT_THAT(csv.text, HasSubstr("\nwrite,latency,,memory=host,64,a+b,2"));
  EXPECT_THAT(csv.text, HasSubstr("\nwrite,overhead,,memory=host,64,a+b,0.2,simulated\n"));
}

TEST_F(CurveTimings, OfInterferenceAreSlowdowns) {
  begin("offload");
  PointRecord record = builder_.point(
      "offload.host.interference", {{"victim", "gemm"}, {"aggressor", "copy"}, {"threads", std::int64_t{1}}});
  record.metrics = {{"alone_us", "us", 10, 9, 11}, {"slowdown", "", 1.25, 1.2, 1.3}};
  builder_.measured(std::move(record), 12e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  PointRecord collective =
      builder_.point("offload.cuda.interference",
                     {{"victim", "gemm"}, {"aggressor", "nccl"}, {"bytes", std::int64_t{4096}}});
  collective.metrics = {{"slowdown", "", 1.5, 1.4, 1.6}};
  builder_.measured(std::move(collective), 12e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  PointRecord nobody = builder_.point(
      "offload.host.interference", {{"victim", "gemm"}, {"aggressor", "spin"}, {"threads", std::int64_t{0}}});
  nobody.metrics = {{"slowdown", "", 1, 0.9, 1.1}};
  builder_.measured(std::move(nobody), 12e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  const TimingsCsv csv = slowdowns_csv(store(), "run");
  EXPECT_EQ(csv.rows, 2) << "a control is no interference";
  EXPECT_EQ(csv.left_out, 0);
  EXPECT_THAT(csv.text, HasSubstr("\ngemm,copy,threads=1,node-a,1.25,1.2,1.3,simulated\n"));
  EXPECT_THAT(csv.text, HasSubstr("\ngemm,nccl,bytes=4096,node-a,1.5,1.4,1.6,simulated\n"));
}

TEST_F(CurveTimings, OfPassesAreThoseThatCouldHideSomething) {
  begin("collectives");
  const auto pass = [&](std::int64_t bucket_bytes, bool could_hide) {
    PointRecord record =
        builder_.point("collectives.overlap.bucketed_all_reduce", {{"algorithm", "ring"},
                                                                   {"tokens", std::int64_t{64}},
                                                                   {"link_mb_per_s", std::int64_t{0}},
                                                                   {"bucket_bytes", bucket_bytes}});
    record.metrics = {{"compute_only_us", "us", 100, {}, {}},
                      {"communication_only_us", "us", 60, {}, {}},
                      {"ideal_us", "us", 110, {}, {}}};
    if (could_hide) record.metrics.push_back({"overlap_efficiency", "", 0.6, {}, {}});
    builder_.measured(std::move(record), 130e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  };
  pass(1024, true);
  pass(8192, false);
  const TimingsCsv csv = overlaps_csv(store(), "run");
  EXPECT_EQ(csv.rows, 1);
  EXPECT_EQ(csv.left_out, 1);
  EXPECT_THAT(csv.text, HasSubstr("\nbucketed_all_reduce,algorithm=ring link_mb_per_s=0,tokens=64 "
                                  "bucket_bytes=1024,node-a,100,60,110,130"));
  EXPECT_THROW(collective_timings_csv(store(), "run"), NoTimings) << "a pass is no collective";
}

TEST_F(CurveTimings, OfPassesOnGpusSayByAndAreNoneOfRanksThatShareOne) {
  begin("collectives");
  for (const std::int64_t layers : {8, 16}) {
    PointRecord record = builder_.point("collectives.nccl_overlap.prefetched_all_gather",
                                        {{"layers", layers}, {"dtype", "bf16"}});
    record.metrics = {{"compute_only_us", "us", 100, {}, {}},
                      {"communication_only_us", "us", 60, {}, {}},
                      {"ideal_us", "us", 110, {}, {}},
                      {"overlap_efficiency", "", 0.6, {}, {}}};
    record.conditions.clear();
    if (layers == 16) record.conditions = {{"not_a_performance_measurement", "true: ranks share a GPU"}};
    builder_.measured(std::move(record), 130e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  const TimingsCsv csv = overlaps_csv(store(), "run");
  EXPECT_EQ(csv.rows, 1);
  EXPECT_EQ(csv.left_out, 1);
  EXPECT_THAT(csv.text,
              HasSubstr("\nprefetched_all_gather,by=nccl dtype=bf16,layers=8,node-a,100,60,110,130"));
}

TEST_F(CurveTimings, OfARunWithoutAnyAreRefusedInOneLine) {
  begin("memory");
  copy(4096, 1, 1);
  const Store& full = store();
  const auto says = [](const char* text) { return testing::ThrowsMessage<std::runtime_error>(text); };
  EXPECT_THAT([&] { link_timings_csv(full, "run"); },
              says("run run has no timing of a copy between host and GPU"));
  EXPECT_THAT([&] { verbs_timings_csv(full, "run"); }, says("run run has no timing of messages over verbs"));
  EXPECT_THAT([&] { slowdowns_csv(full, "run"); }, says("run run has no timing of interference"));
}

}  // namespace
}  // namespace assay::results
