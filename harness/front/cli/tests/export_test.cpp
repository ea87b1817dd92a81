// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// From a store to NCCL's tuner: what `assay export nccl-tuner` writes, assay-check-nccl-tuner reads back as
// the plug-in does, without a fault, and at each measured size it answers with the pair that was the fastest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "harness/front/suite/processes/child.hpp"
#include "results/store/store.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::cli {
namespace {

using testing::HasSubstr;

struct Pair {
  const char *algorithm, *protocol;
  std::int64_t channels;
  double latency_us, gb_per_s;
};

// Made-up costs: each of them is the cheapest somewhere.
const std::vector<Pair> pairs{
    {"tree", "ll", 2, 10, 5}, {"ring", "ll128", 8, 30, 50}, {"ring", "simple", 16, 60, 200}};

double time_us(const Pair& pair, std::int64_t bytes) {
  return pair.latency_us + static_cast<double>(bytes) / pair.gb_per_s * 1e-3;
}

const Pair& fastest(std::int64_t bytes) {
  const Pair* best = &pairs.front();
  for (const Pair& pair : pairs)
    if (time_us(pair, bytes) < time_us(*best, bytes)) best = &pair;
  return *best;
}

std::vector<std::int64_t> sizes() {
  std::vector<std::int64_t> all;
  for (std::int64_t bytes = 8; bytes <= (std::int64_t{1} << 33); bytes *= 4) all.push_back(bytes);
  return all;
}

class ExportNcclTuner : public testing::Test {
 protected:
  ExportNcclTuner() {
    builder_.begin(0, "collectives");
    for (const char* operation : {"all_reduce", "all_gather"})
      for (const std::int64_t bytes : sizes())
        for (const Pair& pair : pairs)
          if (std::string(operation) == "all_reduce" || std::string(pair.algorithm) == "ring")
            add(operation, pair, bytes);
    builder_.end();
    results::Store store(folder_ / "store.sqlite");
    store.add(builder_.take());
  }

  void add(const std::string& operation, const Pair& pair, std::int64_t bytes) {
    results::PointRecord record = builder_.point(
        "collectives.nccl." + operation,
        {{"algorithm", pair.algorithm}, {"protocol", pair.protocol}, {"bytes", bytes}, {"dtype", "fp32"}});
    record.conditions = {{"ranks", std::int64_t{16}},        {"nodes", std::int64_t{2}},
                         {"nccl_algorithm", pair.algorithm}, {"nccl_protocol", pair.protocol},
                         {"nccl_channels", pair.channels},   {"nccl_version", "2.28.9"}};
    builder_.measured(std::move(record), time_us(pair, bytes) * 1e-6,
                      {"time_us", "us", [](double s) { return s * 1e6; }});
  }

  suite::Output run(const std::string& command) const {
    return suite::run_and_read(
        {"/bin/sh", "-c",
         "cd '" + folder_.path().string() + "' && '" + ASSAY_BIN_DIR + "/'" + command + " 2>&1"});
  }

  results::test::TemporaryFolder folder_;
  results::test::RunBuilder builder_{"run-1"};
};

TEST_F(ExportNcclTuner, IsReadBackAsItIsMeant) {
  const suite::Output written = run("assay export nccl-tuner run-1 --store store.sqlite -o tuner.csv");
  ASSERT_EQ(written.ending.exit_code, 0) << written.text;
  EXPECT_THAT(written.text,
              HasSubstr("tuner.csv: 5 rows from 80 points; assay-check-nccl-tuner reads it back\n"));
  const suite::Output checked = run("assay-check-nccl-tuner tuner.csv");
  EXPECT_EQ(checked.ending.exit_code, 0) << checked.text;
  EXPECT_THAT(checked.text, HasSubstr("rows 5, faults 0\n"));
  for (const std::int64_t bytes : sizes()) {
    const suite::Output answer =
        run("assay-check-nccl-tuner tuner.csv --collective all_reduce --nodes 2 --ranks 16 "
            "--bytes " +
            std::to_string(bytes));
    const Pair& best = fastest(bytes);
    EXPECT_THAT(answer.text, HasSubstr(std::string(": ") + best.algorithm + ", " + best.protocol + ", " +
                                       std::to_string(best.channels) + " channels\n"))
        << bytes;
  }
}

TEST_F(ExportNcclTuner, GoesToStandardOutputWithoutAFile) {
  const suite::Output written = run("assay export nccl-tuner --store store.sqlite");
  EXPECT_EQ(written.ending.exit_code, 0);
  EXPECT_THAT(written.text, HasSubstr("\nallreduce,0,"));
}

TEST_F(ExportNcclTuner, SaysInOneLineWhereItCannotWrite) {
  const suite::Output said = run("assay export nccl-tuner --store store.sqlite -o /no/such/folder/x");
  EXPECT_EQ(said.ending.exit_code, 2);
  EXPECT_EQ(said.text, "assay: /no/such/folder/x: cannot be written: No such file or directory\n");
}

}  // namespace
}  // namespace assay::cli
