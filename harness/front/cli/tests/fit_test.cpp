// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From a store to coefficients through the command: what it says, what it writes, and that it writes nothing
// where it cannot.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/core/text/json_from.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using tests::Said;

class FitFromStore : public testing::Test {
 protected:
  /// Copies of 64 KiB to 2 MiB at 0.5 us + 50 GB/s, on one thread of a machine with 2 MiB second-level
  /// caches.
  void add_run(const std::string& run_id, const std::string& host) {
    results::test::RunBuilder builder(run_id);
    builder.begin(0, "memory");
    for (std::int64_t size = 64 << 10; size <= 2 << 20; size += 64 << 10) {
      const auto bytes = static_cast<double>(size);
      results::PointRecord record = builder.point("memory.host.copy", {{"bytes", size}});
      record.work_bytes = bytes;
      builder.measured(std::move(record), 0.5e-6 + bytes / 50e9,
                       {"bandwidth_gb_per_s", "GB/s", [=](double s) { return bytes / s * 1e-9; }});
    }
    builder.end();
    results::Store store(folder_ / "store.sqlite");
    std::vector<results::Record> records = builder.take();
    for (results::Record& record : records) {
      if (auto* context = std::get_if<results::ContextRecord>(&record)) context->host = host;
    }
    store.add(records);
  }

  Said assay(const std::string& arguments) const {
    return tests::assay_in(folder_.path().string(), arguments);
  }
  bool wrote(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

  results::test::TemporaryFolder folder_;
};

TEST_F(FitFromStore, WritesCoefficientsWithTheirSource) {
  add_run("run-1", "node-a");
  const Said said = assay("fit memory --store store.sqlite -o memory.json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("host.copy L2\n  65536 to 2097152 bytes\n  latency_us"));
  EXPECT_THAT(said.text, HasSubstr("held-out sizes"));
  const auto file = core::json_from<nlohmann::json>(tests::text_of((folder_ / "memory.json").string()));
  EXPECT_EQ(file["kind"], "memory");
  EXPECT_EQ(file["provenance"]["source_file"], "store.sqlite (latest; simulated)");
  EXPECT_EQ(file["provenance"]["origin"], "simulated");
  EXPECT_EQ(file["provenance"]["machine"], "node-a");
  EXPECT_NEAR(file["models"]["host.copy L2"][0]["gb_per_s"]["value"].get<double>(), 50, 2);
}

TEST_F(FitFromStore, TakesVectorKernelsByBytesOfOneTensorAndApartFromMemory) {
  results::test::RunBuilder builder("run-1");
  builder.begin(0, "memory");
  for (std::int64_t elements = 1 << 12; elements <= 1 << 18; elements *= 2) {
    const auto bytes = static_cast<double>(2 * elements);
    results::PointRecord record =
        builder.point("memory.host.vector",
                      {{"kernel", "gelu"}, {"dtype", "bf16"}, {"pass", "forward"}, {"elements", elements}});
    record.derived = {{"tensor_bytes", 2 * elements}};
    record.work_bytes = 2 * bytes;
    builder.measured(std::move(record), 1e-6 + bytes / 10e9,
                     {"bandwidth_gb_per_s", "GB/s", [=](double s) { return 2 * bytes / s * 1e-9; }});
  }
  builder.end();
  results::Store store(folder_ / "store.sqlite");
  store.add(builder.take());
  const Said said = assay("fit vector --store store.sqlite -o vector.json");
  ASSERT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("host.gelu dtype=bf16 pass=forward\n  8192 to 524288 bytes\n"));
  const auto file = core::json_from<nlohmann::json>(tests::text_of((folder_ / "vector.json").string()));
  EXPECT_EQ(file["kind"], "vector");
  EXPECT_NEAR(file["models"]["host.gelu dtype=bf16 pass=forward"][0]["gb_per_s"]["value"].get<double>(), 10,
              1);
  EXPECT_EQ(assay("fit memory --store store.sqlite -o memory.json").text,
            "assay: run run-1 has no timing of a memory over sizes\n");
  EXPECT_THAT(assay("export vector-timings run-1 --store store.sqlite").text,
              HasSubstr("host.gelu,dtype=bf16 pass=forward,,8192,"));
}

TEST_F(FitFromStore, RefusesRunsOfTwoMachinesAndWritesNothing) {
  add_run("run-1", "node-a");
  add_run("run-2", "node-b");
  const Said said = assay("fit memory --store store.sqlite --run run-1 run-2 -o memory.json");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text,
            "assay: store.sqlite (run-1, run-2; simulated):34: column 'machine': 'node-b' after 'node-a': a "
            "fit is of one "
            "machine; fit each in a separate file\n");
  EXPECT_FALSE(wrote("memory.json"));
}

TEST_F(FitFromStore, RefusesAStoreWithoutTheNeededPoints) {
  add_run("run-1", "node-a");
  for (const auto& [kind, lacks] : {std::pair{"gemm", "a GEMM"},
                                    {"collectives", "a collective"},
                                    {"vector", "a vector kernel"},
                                    {"links", "a copy between host and GPU"},
                                    {"loggp", "messages over verbs"},
                                    {"interference", "interference"},
                                    {"overlap", "a pass with exchanges that could be hidden"}}) {
    const Said said = assay(std::string("fit ") + kind + " --store store.sqlite -o out.json");
    EXPECT_EQ(said.exit_code, 2) << kind;
    EXPECT_EQ(said.text, std::string("assay: run run-1 has no timing of ") + lacks + "\n");
    EXPECT_FALSE(wrote("out.json")) << kind;
  }
}

TEST_F(FitFromStore, OfOverlapsPutsEachRowBesideWhatTheOthersPredict) {
  std::ofstream(folder_ / "overlaps.csv")
      << "operation,conditions,point,machine,compute_us,communication_us,ideal_us,time_us\n"
         "bucketed_all_reduce,,bucket_bytes=1,a,100,60,110,120\n"
         "bucketed_all_reduce,,bucket_bytes=2,a,100,60,110,130\n"
         "prefetched_all_gather,,depth=1,a,100,60,110,130\n";
  const Said said = assay("fit overlap --csv overlaps.csv -o overlap.json");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, testing::ContainsRegex("bucket_bytes=1 +120.0 +130.0 +\\+8.3\n"));
  EXPECT_THAT(said.text, testing::ContainsRegex("bucket_bytes=2 +130.0 +120.0 +-7.7\n"));
  EXPECT_THAT(said.text, testing::Not(HasSubstr("depth=1"))) << "no other row predicts it";
}

TEST_F(FitFromStore, SaysWhichStoreOrRunIsNotThere) {
  add_run("run-1", "node-a");
  EXPECT_THAT(assay("fit memory -o m.json").text,
              StartsWith("assay: assay-results/store.sqlite: no such store"));
  const Said said = assay("fit memory --store store.sqlite --run other -o m.json");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text, "assay: store store.sqlite: no run 'other'; the table 'runs' lists what is there\n");
}

TEST_F(FitFromStore, TakesOnlyWhatTheFilterMatches) {
  add_run("run-1", "node-a");
  const std::string export_of = "export memory-timings run-1 --store store.sqlite --filter ";
  const Said one = assay(export_of + "'*/bytes=65536*'");
  EXPECT_EQ(one.exit_code, 0) << one.text;
  EXPECT_EQ(std::ranges::count(one.text, '\n'), 3) << one.text;  // the columns and two rows
  EXPECT_THAT(one.text, AllOf(HasSubstr(",65536,node-a,"), HasSubstr(",655360,node-a,")));
  EXPECT_EQ(assay(export_of + "memory.host.copy").text, assay("export memory-timings run-1 --store "
                                                              "store.sqlite")
                                                            .text);
  const std::string fit_of = "fit memory --store store.sqlite -o m.json --filter ";
  EXPECT_THAT(assay(fit_of + "'*/bytes=65536*'").text, HasSubstr("too few sizes for a fit; expected 4"));
  const Said none = assay(fit_of + "gemm.host");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_EQ(none.text, "assay: run run-1 has no timing of a memory over sizes that 'gemm.host' matches\n");
  EXPECT_FALSE(wrote("m.json"));
  EXPECT_EQ(assay("export nccl-tuner run-1 --store store.sqlite --filter x").text,
            "assay: export nccl-tuner: --filter is not for this form\n");
}

TEST_F(FitFromStore, TakesAFileOrAStore) {
  add_run("run-1", "node-a");
  EXPECT_EQ(assay("fit memory --csv x.csv --store store.sqlite -o m.json").text,
            "assay: --csv excludes --store (see assay fit memory --help)\n");
  EXPECT_EQ(assay("fit memory --csv x.csv --run run-1 -o m.json").text,
            "assay: --csv excludes --run (see assay --help)\n");
  EXPECT_EQ(assay("fit memory --csv x.csv --filter x -o m.json").text,
            "assay: --csv excludes --filter (see assay --help)\n");
}

TEST_F(FitFromStore, JudgesTheRowsThatItKeptOut) {
  add_run("run-1", "node-a");
  ASSERT_EQ(assay("fit memory --store store.sqlite --keep-out 20 -o memory.json").exit_code, 0);
  const Said said = assay("fit evaluate memory.json --store store.sqlite");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("host.copy"));
}

TEST_F(FitFromStore, PutsWhatItPredictsBesideWhatWasMeasuredIntoTheReport) {
  add_run("run-1", "node-a");
  ASSERT_EQ(assay("fit memory --store store.sqlite --keep-out 20 -o memory.json").exit_code, 0);
  const Said said = assay("report --store store.sqlite --coefficients memory.json -o report.html");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  const std::string page = tests::text_of((folder_ / "report.html").string());
  EXPECT_THAT(page, HasSubstr("Predicted against measured: memory"));
  EXPECT_THAT(page, HasSubstr("memory.json, fitted on node-a (simulated); "));
}

TEST_F(FitFromStore, MakesNoReportOfCoefficientsThatSawAll) {
  add_run("run-1", "node-a");
  ASSERT_EQ(assay("fit memory --store store.sqlite -o memory.json").exit_code, 0);
  const Said said = assay("report --store store.sqlite --coefficients memory.json -o report.html");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_THAT(said.text, HasSubstr("the fit has seen all of its 32 rows"));
  EXPECT_FALSE(wrote("report.html"));
}

TEST_F(FitFromStore, IsExportedToAToolFromTheRunItself) {
  add_run("run-1", "node-a");
  const Said said = assay("export astra-sim run-1 --store store.sqlite -o node");
  EXPECT_EQ(said.exit_code, 2);
  EXPECT_EQ(said.text,
            "assay: ASTRA-sim's ring: expected timings of collectives (--collectives, or a run with "
            "them)\n");
  EXPECT_FALSE(wrote("node.network.yml"));
}

}  // namespace
}  // namespace assay::cli
