// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/entropy_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "harness/core/error.hpp"
#include "rdma/entropy_command.hpp"

namespace assay::rdma {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

EntropyOptions sixteen_qps() {
  EntropyOptions options;
  options.flows = flows_of_qps(parse_qp_pairs("0x11a:0x2c4+1*16"), {}, PortRule::flow_label);
  options.addresses = {{path::address_bytes("10.0.0.1"), path::address_bytes("10.0.0.2")}};
  return options;
}

struct Answer {
  int exit_code = 0;
  std::string out, error;
};

Answer ask(std::vector<std::string> words) {
  words.insert(words.begin(), "entropy");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Answer answer;
  answer.exit_code = entropy_command(static_cast<int>(pointers.size()), pointers.data());
  answer.out = testing::internal::GetCapturedStdout();
  answer.error = testing::internal::GetCapturedStderr();
  return answer;
}

TEST(EntropyReport, SaysThatItIsSimulatedAndListsPortsAndHashes) {
  const std::string text = entropy_report(sixteen_qps());
  EXPECT_THAT(text,
              StartsWith("Path entropy, simulated: 16 flows between 1 pair of addresses, 16 different UDP"));
  EXPECT_THAT(text, HasSubstr("    0x11a      0x2c4  0x30be8     52196"));
  EXPECT_THAT(text, HasSubstr("crc32"));
  EXPECT_THAT(text, HasSubstr("xor fold"));
  EXPECT_THAT(text, HasSubstr("ideal hashes: median 3.00, 95 % up to 4.00"));
}

TEST(EntropyReport, HasARowForEachHashAndNumberOfUplinks) {
  EntropyOptions options = sixteen_qps();
  options.uplinks = {4, 16};
  options.rounds = 100;
  const auto rows = entropy_rows(options);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].spread.uplinks, 4);
  EXPECT_EQ(rows[3].spread.uplinks, 16);
  EXPECT_EQ(rows[3].spread.flows, 16);
}

TEST(EntropyReport, OfFixedPortSendersFindsAllFlowsOnOneUplink) {
  EntropyOptions options = sixteen_qps();
  options.flows = flows_of_ports(std::vector<std::uint32_t>(16, 49152));
  for (const EntropyRow& row : entropy_rows(options)) {
    EXPECT_DOUBLE_EQ(row.spread.max_over_mean, 16);
    EXPECT_EQ(row.judgement.verdict, path::SpreadVerdict::worse);
  }
}

TEST(EntropyReport, RefusesNoFlowNoAddressAndNoUplinks) {
  EntropyOptions options = sixteen_qps();
  options.flows.clear();
  EXPECT_THROW(entropy_report(options), core::Error);
  options = sixteen_qps();
  options.addresses.clear();
  EXPECT_THROW(entropy_report(options), core::Error);
  options = sixteen_qps();
  options.uplinks.clear();
  EXPECT_THROW(entropy_report(options), core::Error);
}

TEST(EntropyTable, HoldsTheKnownMedians) {
  const std::string table = entropy_table(4000);
  EXPECT_THAT(table, StartsWith("Ideal hash, simulated: 4000 rounds"));
  EXPECT_THAT(table, HasSubstr("| 16 | 16 | 1 | 3.00 |"));
  EXPECT_THAT(table, HasSubstr("| 16 | 64 | 4 | 2.00 |"));
  EXPECT_THAT(table, HasSubstr("| 16 | 256 | 16 | 1.44 |"));
  EXPECT_THAT(table, HasSubstr("| 16 | 512 | 32 | 1.31 |"));
}

TEST(EntropyTable, StandsInTheDocumentationAsItIs) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR) + "/docs/evidence/data/path-entropy.txt");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string table = entropy_table();
  EXPECT_NE(text.find(table.substr(table.find('|'))), std::string::npos)
      << "docs/evidence/data/path-entropy.txt must hold this table:\n"
      << table;
}

TEST(EntropyCommand, AnswersForARunOfQpsAndProposesLabels) {
  const Answer answer =
      ask({"--qps", "0x11a:0x2c4+1*16", "--uplinks", "16,32", "--rounds", "100", "--propose-labels"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(answer.error, "");
  EXPECT_THAT(answer.out, HasSubstr("Flow labels that spread 16 flows evenly over 16 uplinks"));
}

TEST(EntropyCommand, HelpIsNoError) {
  const Answer answer = ask({"--help"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, HasSubstr("before a packet is sent (simulated)"));
}

class EntropyCommandRefuses
    : public testing::TestWithParam<std::pair<std::vector<std::string>, std::string>> {};

TEST_P(EntropyCommandRefuses, WithOneLineAndExitCodeTwo) {
  const auto& [words, message] = GetParam();
  const Answer answer = ask(words);
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.error, AllOf(StartsWith("assay-rdma entropy: "), HasSubstr(message)));
  EXPECT_EQ(std::count(answer.error.begin(), answer.error.end(), '\n'), 1);
}

INSTANTIATE_TEST_SUITE_P(
    BadInput, EntropyCommandRefuses,
    testing::Values(
        std::pair{std::vector<std::string>{}, "no flow: give --qps, --labels or --ports, or ask for --table"},
        std::pair{std::vector<std::string>{"--qps", "7"}, "expected LOCAL:REMOTE"},
        std::pair{std::vector<std::string>{"--ports", "50000", "--labels", "1"}, "--ports stands instead of"},
        std::pair{std::vector<std::string>{"--ports", "70000"}, "'70000' is not a valid UDP port"},
        std::pair{std::vector<std::string>{"--labels", "0"}, "flow label 0 means: of the QP numbers"},
        std::pair{std::vector<std::string>{"--labels", "1", "--uplinks", "0"}, "1 to 1048576 uplinks"},
        std::pair{std::vector<std::string>{"--labels", "1", "--uplinks", "x"}, "--uplinks"},
        std::pair{std::vector<std::string>{"--labels", "1", "--rounds", "0"}, "--rounds"},
        std::pair{std::vector<std::string>{"--labels", "1", "--source", "h1"},
                  "'h1' is not an IPv4 or IPv6 address"},
        std::pair{std::vector<std::string>{"--labels", "1", "--source", "fd00::1"}, "not of one IP version"},
        std::pair{std::vector<std::string>{"--labels", "1", "--source", "10.0.0.1", "--source", "10.0.0.3"},
                  "they go in pairs"},
        std::pair{std::vector<std::string>{"--qps", "1:2", "--rule", "rxe-ud", "--labels", "1"},
                  "takes no --labels"},
        std::pair{std::vector<std::string>{"--labels", "1", "--hash-seed", "x"},
                  "'x' is not a valid hash seed"},
        std::pair{std::vector<std::string>{"--frobnicate"}, "--frobnicate"}));

}  // namespace
}  // namespace assay::rdma
