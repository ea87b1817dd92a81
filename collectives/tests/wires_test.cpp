// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bytes that loopback carried against those that the algorithm implies. Each run has a network namespace of
// its own, whose loopback carries nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "collectives/tests/command.hpp"
#include "harness/core/text/json_from.hpp"

namespace assay::collectives {
namespace {

using testing::AllOf;
using testing::Ge;
using testing::Le;

const std::string collectives_program = ASSAY_BIN_DIR "/assay-collectives";

std::string apart(const std::string& command) {
  return "unshare -rmn sh -c 'mount -t sysfs none /sys && ip link set lo up && " + command + "'";
}

/// Metrics of the one point that ran on 4 ranks over sockets.
std::map<std::string, double> metrics_of(const std::string& algorithm, const std::string& bytes) {
  const std::string journal = testing::TempDir() + "assay_wires_" + algorithm + bytes + ".jsonl";
  std::remove(journal.c_str());
  const Ended ended = run_command(apart(collectives_program +
                                        " --ranks 4 --filter \"*assay.all_reduce/algorithm=" + algorithm +
                                        ",*\" --axis bytes=" + bytes + " --journal " + journal));
  EXPECT_EQ(ended.exit_code, 0) << ended.output;
  std::map<std::string, double> metrics;
  std::ifstream lines(journal);
  for (std::string line; std::getline(lines, line);) {
    const auto record = core::json_from<nlohmann::json>(line);
    for (const auto& metric : record.value("metrics", nlohmann::json::array()))
      metrics[metric.at("name")] = metric.at("value");
  }
  return metrics;
}

class Wires : public testing::Test {
 protected:
  void SetUp() override {
    if (run_command(apart("test -e /sys/class/net/lo")).exit_code != 0)
      GTEST_SKIP() << "no network namespace can be made here (unshare -rmn, mount, ip)";
  }
};

TEST_F(Wires, SeeOfALargeRingWhatItImplies) {
  const auto metrics = metrics_of("ring", "1MiB");
  EXPECT_EQ(metrics.at("wire_bytes_inside_nodes"), 6 << 20);  // 4 ranks send 2 * 3/4 of 1 MiB each
  EXPECT_THAT(metrics.at("wire_seen_loopback_bytes") / metrics.at("wire_bytes_inside_nodes"),
              AllOf(Ge(1.00), Le(1.10)));
}

/// 24 messages of 16 bytes, each with at least 66 bytes of headers: Ethernet 14, IP 20, TCP 20, time
/// stamps 12.
TEST_F(Wires, SeeOfASmallRingMostlyHeaders) {
  const auto metrics = metrics_of("ring", "64");
  EXPECT_EQ(metrics.at("wire_bytes_inside_nodes"), 24 * 16);
  EXPECT_GE(metrics.at("wire_seen_loopback_bytes"), 24 * (16 + 66));
}

}  // namespace
}  // namespace assay::collectives
