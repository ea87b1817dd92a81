// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files that a check is given: one line that says what is wrong with them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/front/health/expectation.hpp"
#include "harness/front/health/snapshot/snapshot.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::health {
namespace {

class Inputs : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    node_.write("/input", text);
    return node_.root() + "/input";
  }
  std::string said_of_expectation(const std::string& text) {
    return said([&] { read_expectation(file(text)); });
  }
  std::string said_of_gpus(const std::string& text) {
    return said([&] { read_gpu_table(file(text)); });
  }

 private:
  template <class Read>
  std::string said(const Read& read) {
    try {
      read();
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      const std::string what = error.what();
      EXPECT_TRUE(what.starts_with(node_.root() + "/input")) << what;
      return what.substr((node_.root() + "/input").size());
    }
    return "nothing";
  }
  machine::FakeNode node_;
};

using ExpectationFile = Inputs;
using GpuTableFile = Inputs;

TEST_F(ExpectationFile, TellsWhatItHolds) {
  const Expectation all =
      read_expectation(file("source = 'us'\ngpus = 8\nrate_gbit_per_s = 400\nadaptive_routing = true\n"));
  EXPECT_EQ(all.source, "us");
  EXPECT_EQ(all.gpus, 8);
  EXPECT_EQ(all.rate_gbit_per_s, 400);
  EXPECT_TRUE(all.adaptive_routing);
  EXPECT_FALSE(all.nvlinks);
}

TEST_F(ExpectationFile, NamesLineAndKeyOfWhatIsWrong) {
  EXPECT_THAT(said_of_expectation("source = 'us'\ngpu = 8\n"),
              testing::StartsWith(":2: gpu: unknown key (expected source, gpus, "));
  EXPECT_EQ(said_of_expectation("source = 'us'\ngpus = -1\n"),
            ":2: gpus: expected a whole number from 0 to 65536, got -1");
  EXPECT_EQ(said_of_expectation("source = 'us'\ngpus = '8'\n"),
            ":2: gpus: expected a whole number from 0 to 65536");
  EXPECT_EQ(said_of_expectation("rate_gbit_per_s = 0.0\n"),
            ":1: rate_gbit_per_s: expected a number above 0, got 0");
  EXPECT_EQ(said_of_expectation("rails = [1]\n"),
            ":1: rails: expected text, or a list of texts: RDMA devices, such as [\"mlx5_0\"]");
  EXPECT_EQ(said_of_expectation("absent_counters = []\n"),
            ":1: absent_counters: expected text, or a list of texts: counters of RDMA ports, such as "
            "[\"req_transport_retries_exceeded\"]");
  EXPECT_EQ(said_of_expectation("cable = 'glass'\n"),
            ":1: cable: 'glass' is unknown (expected copper, optical)");
  for (const char* cuda : {"13", "13.0 ", "new"})
    EXPECT_EQ(said_of_expectation(fmt::format("cuda = '{}'\n", cuda)),
              fmt::format(":1: cuda: expected a version such as \"13.0\", got {}", cuda));
  EXPECT_EQ(said_of_expectation("cuda = 13.0\n"),
            ":1: cuda: expected text in quotation marks: a version such as \"13.0\"");
  EXPECT_EQ(said_of_expectation("gpus = 8\n"),
            ":1: source: missing: expected who says what this machine has");
  EXPECT_THAT(said_of_expectation("gpus = \n"), testing::StartsWith(":1: "));
}

TEST_F(ExpectationFile, ThatIsNotThereIsAnError) {
  EXPECT_THROW(read_expectation("/nonexistent.toml"), core::Error);
}

TEST_F(GpuTableFile, KeepsWhatIsNotToldApartFromZero) {
  const GpuReading reading =
      read_gpu_table(file(R"({"gpus": [{"address": "0000:43:00.0", "ecc_corrected": 0}]})"));
  ASSERT_EQ(reading.gpus.size(), 1U);
  EXPECT_EQ(reading.gpus[0].unit(), "GPU 0 0000:43:00.0");
  EXPECT_FALSE(reading.gpus[0].ecc_enabled);
  EXPECT_EQ(reading.counters.at(0).value, 0U);
  EXPECT_FALSE(reading.counters.at(1).value);
}

TEST_F(GpuTableFile, NamesTheGpuAndTheKeyOfWhatIsWrong) {
  EXPECT_THAT(said_of_gpus(R"({"gpus": [{"ecc": true}]})"),
              testing::StartsWith(": GPU 0: ecc: unknown key (expected "));
  EXPECT_EQ(said_of_gpus(R"({"gpus": [{}, {"ecc_enabled": 1}]})"),
            ": GPU 1: ecc_enabled = 1 is not of the kind expected");
  EXPECT_EQ(said_of_gpus(R"({"gpus": [{"ecc_corrected": -1}]})"),
            ": GPU 0: ecc_corrected = -1 is not of the kind expected");
  EXPECT_THAT(said_of_gpus("{}"), testing::StartsWith(": expected {\"gpus\": [...]}"));
}

TEST_F(GpuTableFile, ThatIsNotThereIsAnError) {
  EXPECT_THROW(read_gpu_table("/nonexistent.json"), core::Error);
}

}  // namespace
}  // namespace assay::health
