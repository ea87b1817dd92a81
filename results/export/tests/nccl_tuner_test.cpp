// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Made-up measurements of NCCL whose fastest pairs are known, and every reason for which one may not decide.
#include "results/export/nccl_tuner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "results/tests/byte_sizes.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Ran {
  std::string algorithm, protocol;
  std::int64_t channels;
};

Fields conditions_of(const Ran& ran) {
  return {{"ranks", std::int64_t{16}},     {"nodes", std::int64_t{2}},      {"nccl_algorithm", ran.algorithm},
          {"nccl_protocol", ran.protocol}, {"nccl_channels", ran.channels}, {"nccl_version", "2.28.9"}};
}

class NcclTuner : public testing::Test {
 protected:
  NcclTuner() { builder_.begin(0, "collectives"); }

  struct Asked {
    std::string operation = "all_reduce";
    std::string algorithm = "ring", protocol = "simple";
    std::int64_t bytes = kib;
    Fields more = {{"dtype", "fp32"}};
  };

  void add(const Asked& asked, double us, const Fields& conditions) {
    Fields axes{{"algorithm", asked.algorithm}, {"protocol", asked.protocol}, {"bytes", asked.bytes}};
    axes.insert(axes.end(), asked.more.begin(), asked.more.end());
    PointRecord record = builder_.point("collectives.nccl." + asked.operation, axes);
    record.conditions = conditions;
    builder_.measured(std::move(record), us * 1e-6, {"time_us", "us", [](double s) { return s * 1e6; }});
  }
  /// That ran what was asked.
  void ran(const std::string& algorithm, const std::string& protocol, std::int64_t bytes, double us,
           std::int64_t channels) {
    add({.algorithm = algorithm, .protocol = protocol, .bytes = bytes}, us,
        conditions_of({algorithm, protocol, channels}));
  }
  NcclTunerFile file() {
    builder_.end();
    std::string lines;
    for (const Record& record : builder_.take()) lines += to_line(record) + "\n";
    test::write_text(folder_ / "run.jsonl", lines);
    store_.import_journal(folder_ / "run.jsonl");
    return nccl_tuner_file(store_, {});
  }
  static std::vector<std::string> rows(const std::string& text) {
    std::istringstream lines(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with('#')) all.push_back(line);
    return all;
  }

  test::TemporaryFolder folder_;
  test::RunBuilder builder_{"run-1"};
  Store store_{folder_ / "store.db"};
};

TEST_F(NcclTuner, GivesTheFastestPairOfEachRangeOfSizes) {
  for (const std::int64_t bytes : {kib, 4 * kib}) {
    ran("ring", "simple", bytes, 40, 8);
    ran("tree", "ll", bytes, 20, 2);
  }
  ran("ring", "simple", mib, 100, 16);
  ran("tree", "ll", mib, 300, 4);
  const NcclTunerFile written = file();
  // sqrt(4096 * 1048576) = 65536
  EXPECT_THAT(rows(written.text), ElementsAre("allreduce,0,65536,tree,ll,2,2,16,-1,-1",
                                              "allreduce,65537,1048576,ring,simple,16,2,16,-1,-1"));
  EXPECT_EQ(written.rows, 2);
  EXPECT_EQ(written.points, 6);
  EXPECT_THAT(written.left_out, IsEmpty());
}

TEST_F(NcclTuner, BeginsARowWhereOnlyTheChannelsChange) {
  ran("ring", "simple", kib, 10, 2);
  ran("ring", "simple", 4 * kib, 10, 4);
  EXPECT_THAT(rows(file().text), ElementsAre("allreduce,0,2048,ring,simple,2,2,16,-1,-1",
                                             "allreduce,2049,4096,ring,simple,4,2,16,-1,-1"));
}

TEST_F(NcclTuner, KeepsABorderBetweenSizesThatAreNextToOneAnother) {
  ran("ring", "simple", 1, 10, 2);
  ran("ring", "simple", 2, 10, 4);
  EXPECT_THAT(rows(file().text), ElementsAre("allreduce,0,1,ring,simple,2,2,16,-1,-1",
                                             "allreduce,2,2,ring,simple,4,2,16,-1,-1"));
}

TEST_F(NcclTuner, WritesWordsOfThePluginWhateverTheirCaseInTheRecord) {
  add({.operation = "reduce_scatter", .algorithm = "collnet_direct"}, 10,
      conditions_of({"COLLNET_DIRECT", "SIMPLE", 6}));
  EXPECT_THAT(rows(file().text), ElementsAre("reducescatter,0,1024,collnet_direct,simple,6,2,16,-1,-1"));
}

TEST_F(NcclTuner, SeparatesCommunicators) {
  ran("ring", "simple", kib, 10, 2);
  Fields one_node = conditions_of({"ring", "ll", 4});
  one_node[0].second = std::int64_t{8};
  one_node[1].second = std::int64_t{1};
  add({.protocol = "ll"}, 5, one_node);
  EXPECT_THAT(rows(file().text), ElementsAre("allreduce,0,1024,ring,ll,4,1,8,-1,-1",
                                             "allreduce,0,1024,ring,simple,2,2,16,-1,-1"));
}

TEST_F(NcclTuner, TellsRegisteredBuffersApartWhereBothWereMeasured) {
  for (const std::int64_t registered : {0, 1})
    add({.more = {{"registered", registered}}}, 10, conditions_of({"ring", "simple", 2 + registered}));
  EXPECT_THAT(rows(file().text), ElementsAre("allreduce,0,1024,ring,simple,2,2,16,-1,0",
                                             "allreduce,0,1024,ring,simple,3,2,16,-1,1"));
}

TEST_F(NcclTuner, NamesRunHostDateVersionAndDoubt) {
  ran("ring", "simple", kib, 40, 8);
  ran("tree", "ll", kib, 40.1, 2);
  ran("ring", "simple", 4 * kib, 40, 8);
  const std::string text = file().text;
  EXPECT_THAT(text, HasSubstr("# assay run run-1 of 2026-01-02T03:04:05.000Z, simulated, host node-a\n"));
  EXPECT_THAT(text, HasSubstr("# NCCL 2.28.9; assay 0.1.0 (0123456789ab)\n"));
  EXPECT_THAT(text, HasSubstr("# 3 of 3 records used; sizes are bytes of a rank's larger buffer\n"));
  EXPECT_THAT(text, HasSubstr("# all_reduce on 2 nodes, 16 ranks: dtype=fp32\n"));
  EXPECT_THAT(text, HasSubstr("# undecided (the intervals of the first two meet) at 1 of "));
  EXPECT_THAT(text, HasSubstr("# only one pair was measured at 1 of "));
}

TEST_F(NcclTuner, KeepsEveryLineWithinWhatThePluginReads) {
  add({.more = {{"dtype", std::string(300, 'x') + "\nallreduce,0,1,ring,ll,1,1,1"}}}, 10,
      conditions_of({"ring", "simple", 2}));
  const NcclTunerFile written = file();
  EXPECT_EQ(written.rows, 1);
  std::istringstream lines(written.text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 255U);
}

TEST_F(NcclTuner, LeavesOutWhatMayNotDecideAndSaysWhy) {
  ran("ring", "simple", kib, 40, 8);
  const Fields right = conditions_of({"ring", "simple", 8});
  Fields stamped = right;
  stamped.emplace_back("not_a_performance_measurement", "several ranks on one GPU");
  add({}, 1, stamped);
  add({.algorithm = "default"}, 1, right);
  add({.protocol = "default"}, 1, right);
  add({.algorithm = "tree"}, 1, right);
  add({}, 1, conditions_of({"unknown", "", 0}));
  add({}, 1, conditions_of({"ring", "simple", 0}));
  add({}, 1, {{"ranks", std::int64_t{16}}, {"nodes", std::int64_t{2}}});
  add({}, 1, {right.begin() + 1, right.end()});
  add({.operation = "all_to_all"}, 1, right);
  add({.more = {{"dtype", "fp64"}}}, 1, right);
  builder_.not_measured(builder_.point("collectives.nccl.all_reduce", {{"algorithm", "nvls"}}),
                        Status::unsupported, "no NVLink multicast");
  const NcclTunerFile written = file();
  EXPECT_THAT(rows(written.text), ElementsAre("allreduce,0,1024,ring,simple,8,2,16,-1,-1"));
  EXPECT_THAT(
      written.left_out,
      ElementsAre("1 point not ok", "1 point of a less common setting (other axes) of their operation",
                  "1 point of an operation that NCCL asks its tuner nothing about",
                  "1 point stamped not_a_performance_measurement",
                  "1 point that ran something else than asked",
                  "2 points with the algorithm or the protocol left to NCCL",
                  "1 point without a number of nodes, or of one rank",
                  "3 points without a record of the algorithm, protocol and channels that ran"));
  EXPECT_THAT(written.text, HasSubstr("# left out: 1 point stamped not_a_performance_measurement\n"));
}

TEST_F(NcclTuner, WithoutAUsablePointIsOneLine) {
  add({.algorithm = "default"}, 1, conditions_of({"ring", "simple", 8}));
  try {
    file();
    FAIL() << "wrote a file";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "run run-1: no point of collectives.nccl with a forced algorithm and protocol that NCCL is known to "
        "have run: 1 point with the algorithm or the protocol left to NCCL");
  }
}

}  // namespace
}  // namespace assay::results
