// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/limits/limits_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

const char* const good = R"([machine]
gpu = "H100*"
gpus = 8

[[limit]]
case = "memory.cuda.copy"
point = { bytes = "4GiB", gpu = 3 }
metric = "bandwidth_gb_per_s"
lowest = 1905
unit = "GB/s"
source = "a runbook"
)";

class Limits : public testing::Test {
 protected:
  LimitsFile read(const std::string& text) {
    test::write_text(folder_ / "l.toml", text);
    return read_limits(folder_ / "l.toml");
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const core::Error& error) {
      return std::string(error.what()).substr(folder_.path().string().size() + 1);
    }
    return "read";
  }
  /// The refusal of the good file after `from` became `to`.
  std::string refusal_with(const std::string& from, const std::string& to) {
    std::string text = good;
    return refusal(text.replace(text.find(from), from.size(), to));
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(Limits, AreRead) {
  const LimitsFile file = read(good);
  EXPECT_EQ(file.machine.gpu, "H100*");
  EXPECT_EQ(file.machine.gpus, 8);
  ASSERT_EQ(file.limits.size(), 1U);
  const AbsoluteLimit& limit = file.limits.front();
  EXPECT_EQ(limit.cases, "memory.cuda.copy");
  EXPECT_THAT(limit.point,
              testing::UnorderedElementsAre(testing::Pair("bytes", "4GiB"), testing::Pair("gpu", "3")));
  EXPECT_EQ(limit.bounds.lowest, 1905);
  EXPECT_FALSE(limit.bounds.highest);
  EXPECT_EQ(limit.source, "a runbook");
  EXPECT_THAT(limit.where, testing::EndsWith("l.toml:5"));
}

TEST_F(Limits, AreOfASteadyStateUnlessTheySayNot) {
  EXPECT_TRUE(read(good).limits.front().stationary);
  EXPECT_FALSE(read(std::string(good) + "stationary = false\n").limits.front().stationary);
  EXPECT_EQ(refusal(std::string(good) + "stationary = 0\n"),
            "l.toml:12: limit.stationary: expected true or false");
}

TEST_F(Limits, NameFileLineAndKeyOfWhatIsWrong) {
  EXPECT_EQ(refusal_with("lowest = 1905", "lowest = \"much\""), "l.toml:9: limit.lowest: expected a number");
  EXPECT_EQ(refusal_with("lowest = 1905", "lowest = nan"), "l.toml:9: limit.lowest: expected a number");
  EXPECT_EQ(refusal_with("source = \"a runbook\"\n", ""),
            "l.toml:5: limit.source: missing: expected who says so");
  EXPECT_EQ(refusal_with("source = \"a runbook\"", "source = \"\""),
            "l.toml:11: limit.source: expected text in quotation marks: who says so");
  EXPECT_EQ(refusal_with("unit = \"GB/s\"\n", ""),
            "l.toml:5: limit.unit: missing: expected the unit of the metric");
  EXPECT_EQ(refusal_with("lowest = 1905\n", ""),
            "l.toml:5: limit.lowest: missing: expected lowest, highest or both");
  EXPECT_EQ(refusal_with("lowest = 1905", "lowest = 2\nhighest = 1"),
            "l.toml:9: limit.lowest: 2 is above highest, 1");
  EXPECT_EQ(
      refusal_with("lowest = 1905", "lowst = 1905"),
      "l.toml:9: limit.lowst: unknown key (expected case, metric, unit, source, stationary, point, lowest, "
      "highest); did you mean lowest?");
  EXPECT_EQ(refusal_with("gpu = 3", "gpu = 3.5"),
            "l.toml:7: limit.point.gpu: expected text, a whole number, or a list of them");
  EXPECT_EQ(refusal_with("point = { bytes = \"4GiB\", gpu = 3 }", "point = 3"),
            "l.toml:7: limit.point: expected a table, as { key = value }");
  EXPECT_EQ(refusal_with("gpus = 8", "gpus = -8"),
            "l.toml:3: machine.gpus: expected a whole number of at least 0, got -8");
}

TEST_F(Limits, WithoutAMachineOrWithoutLimitsAreRefused) {
  EXPECT_EQ(refusal("[[limit]]\ncase = \"a\"\n"),
            "l.toml:1: machine: missing: expected a table [machine]: what machine these limits are for");
  EXPECT_EQ(refusal("[machine]\n"),
            "l.toml:1: machine.gpu: missing: expected what machine these limits are for");
  EXPECT_EQ(refusal("[machine]\ngpu = \"H100\"\n"), "l.toml:1: limit: missing: expected tables [[limit]]");
  EXPECT_EQ(refusal("[machine]\ngpu = \"H100\"\n[limit]\ncase = \"a\"\n"),
            "l.toml:3: limit: expected tables [[limit]]");
  EXPECT_EQ(refusal("limits = 3\n"),
            "l.toml:1: limits: unknown key (expected about, signed, machine, limit); did you mean limit?");
}

TEST_F(Limits, ThatAreNoTomlNameTheLine) {
  EXPECT_THAT(refusal("[machine]\ngpu = \n"), testing::StartsWith("l.toml:2: "));
  EXPECT_ANY_THROW(read_limits("/nonexistent.toml"));
}

TEST_F(Limits, ThatComeWithAssayCanBeRead) {
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(ASSAY_SOURCE_DIR "/results/limits")) {
    EXPECT_FALSE(read_limits(file.path()).limits.empty());
    ++files;
  }
  EXPECT_EQ(files, 2);
}

nlohmann::ordered_json machine(const char* text) { return core::json_from<nlohmann::ordered_json>(text); }

TEST(MachineTypes, AreToldApart) {
  const auto node = machine(R"json({"product": "P", "cpu": {"model": "C"},
    "gpus": [{"name": "H100 HBM3", "nvlinks_active": 18}, {"name": "H100 HBM3", "nvlinks_active": 12}],
    "hcas": [{"part": "MT4129", "rate": "400 Gb/sec (4X NDR)"}, {"part": "MT4123", "rate": "100 Gb/sec"}]})json");
  EXPECT_FALSE(mismatch(
      {.gpu = "H100*", .cpu = "C", .product = "P", .hca = "MT4129", .rate = "400*", .gpus = 2}, node));
  EXPECT_EQ(*mismatch({.gpu = "H100 PCIe"}, node), "GPU 0 'H100 HBM3' (expected 'H100 PCIe')");
  EXPECT_EQ(*mismatch({.gpus = 8}, node), "2 GPUs (expected 8)");
  EXPECT_EQ(*mismatch({.nvlinks = 18}, node), "12 NVLinks of GPU 1 (expected 18)");
  EXPECT_EQ(*mismatch({.hca = "MT4123", .rate = "400*"}, node), "HCA 'MT4129' (expected 'MT4123')");
  EXPECT_EQ(*mismatch({.cpu = "D"}, node), "CPU 'C' (expected 'D')");
  EXPECT_EQ(*mismatch({.product = "Q"}, node), "product 'P' (expected 'Q')");
}

TEST(MachineTypes, AreOtherWhereTheRecordDoesNotTell) {
  EXPECT_EQ(*mismatch({.gpu = "H100*"}, machine("{}")), "no GPU (expected 'H100*')");
  EXPECT_EQ(*mismatch({.hca = "MT4129"}, machine("{}")), "no HCA");
  EXPECT_EQ(*mismatch({.gpu = "H100*"}, machine(R"({"gpus": [{}]})")), "GPU 0 '' (expected 'H100*')");
}

}  // namespace
}  // namespace assay::results
