// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/workload/chakra/tests/trace_writer.hpp"
#include "model/workload/chakra/trace.hpp"
#include "model/workload/chakra/traced_step.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using training::Traffic;

class TraceFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  const std::string& write(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary) << bytes;
    return file_;
  }
  std::string refusal_of_trace(const std::string& bytes) const {
    try {
      read_trace(write(bytes));
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      EXPECT_THAT(error.what(), testing::StartsWith(file_));
      return error.what();
    }
    return "accepted";
  }
  std::string refusal_of_nodes(const std::vector<WrittenNode>& nodes) const {
    return refusal_of_trace(trace_bytes(nodes));
  }

  std::string file_ = testing::TempDir() + "assay_trace_" + std::to_string(getpid()) + ".et";
};

TEST_F(TraceFile, HoldsNodesInTheOrderOfTheirDependencies) {
  const Trace trace = read_trace(write(trace_bytes(
      {{.id = 7, .type = collective, .data_deps = {300}, .comm_type = 7, .comm_size = 1 << 30, .group = "tp"},
       {.id = 300, .data_deps = {5}, .duration_us = 1500},
       {.id = 5, .duration_us = 99, .cpu = true},
       {.id = 9, .type = sends, .data_deps = {7, 300}},
       {.id = 10, .type = collective, .data_deps = {9}, .comm_type = 9}})));
  ASSERT_EQ(trace.nodes.size(), 5U);
  EXPECT_EQ(trace.nodes[0].id, 5U);
  EXPECT_EQ(trace.nodes[0].compute_s, 0);
  EXPECT_DOUBLE_EQ(trace.nodes[1].compute_s, 1500e-6);
  EXPECT_EQ(trace.nodes[2].traffic, Traffic::reduce_scatter);
  EXPECT_EQ(trace.nodes[2].bytes, 1 << 30);
  EXPECT_EQ(trace.nodes[2].group, "tp");
  EXPECT_THAT(trace.nodes[2].before, ElementsAre(1));
  EXPECT_THAT(trace.nodes[3].before, testing::UnorderedElementsAre(1, 2));
  EXPECT_EQ(trace.left_out, 2U);  // the send without a size, and the barrier
}

TEST_F(TraceFile, KnowsEveryKindOfCollective) {
  const std::vector<Traffic> kinds{Traffic::all_reduce,    Traffic::reduce,     Traffic::all_gather,
                                   Traffic::broadcast,     Traffic::all_to_all, Traffic::reduce_scatter,
                                   Traffic::reduce_scatter};
  const std::vector<int> numbers{0, 1, 2, 5, 6, 7, 8};
  for (std::size_t at = 0; at < numbers.size(); ++at)
    EXPECT_EQ(read_trace(write(trace_bytes(
                             {{.id = 1, .type = collective, .comm_type = numbers[at], .comm_size = 8}})))
                  .nodes[0]
                  .traffic,
              kinds[at]);
}

TEST_F(TraceFile, KnowsBothSidesOfAMessage) {
  const Trace trace =
      read_trace(write(trace_bytes({{.id = 1, .type = sends, .comm_size = 64, .peer = 3},
                                    {.id = 2, .type = receives, .data_deps = {1}, .comm_size = 32, .peer = 0},
                                    {.id = 3, .type = receives, .data_deps = {2}, .comm_size = 16},
                                    {.id = 4, .type = sends, .data_deps = {3}, .cpu = true},
                                    {.id = 5, .type = sends, .data_deps = {4}, .comm_size = 0}})));
  EXPECT_EQ(trace.nodes[0].side, Side::sends);
  EXPECT_EQ(trace.nodes[0].bytes, 64);
  EXPECT_EQ(trace.nodes[0].peer, 3);
  EXPECT_EQ(trace.nodes[1].side, Side::receives);
  EXPECT_EQ(trace.nodes[1].peer, 0);
  EXPECT_EQ(trace.nodes[2].peer, -1);
  EXPECT_EQ(trace.nodes[3].side, Side::none);  // the call that starts one
  EXPECT_EQ(trace.left_out, 1U);               // the send of no bytes
}

TEST_F(TraceFile, DoesNotCountTheCallThatStartsACollective) {
  const Trace trace = read_trace(
      write(trace_bytes({{.id = 1, .type = collective, .cpu = true},
                         {.id = 2, .type = collective, .data_deps = {1}, .comm_type = 5, .comm_size = 8}})));
  EXPECT_EQ(trace.nodes[0].traffic, Traffic::none);
  EXPECT_EQ(trace.nodes[1].traffic, Traffic::broadcast);
  EXPECT_EQ(trace.left_out, 0U);
}

TEST_F(TraceFile, WithACircleIsRefused) {
  EXPECT_THAT(refusal_of_nodes({{.id = 1}, {.id = 2, .data_deps = {3}}, {.id = 3, .data_deps = {2}}}),
              HasSubstr("node 2 waits for itself: expected dependencies without a cycle"));
}

TEST_F(TraceFile, WithAMissingParentIsRefused) {
  EXPECT_THAT(refusal_of_nodes({{.id = 1}, {.id = 2, .data_deps = {1, 77}}}),
              HasSubstr("node 2 depends on node 77, which is missing: expected every node"));
}

TEST_F(TraceFile, StatesItsProcessGroups) {
  const Trace trace = read_trace(write(trace_bytes(
      {written_groups(1, {{"0", ""}, {"tp", "3, 1, 2"}}),
       {.id = 2, .type = collective, .data_deps = {1}, .comm_type = 0, .comm_size = 8, .group = "tp"}})));
  ASSERT_EQ(trace.groups.size(), 2U);
  EXPECT_TRUE(trace.groups.at("0").ranks.empty());
  EXPECT_THAT(trace.groups.at("tp").ranks, ElementsAre(1, 2, 3));
  EXPECT_EQ(trace.nodes[0].traffic, Traffic::none);
  EXPECT_TRUE(trace.notes.empty());
}

TEST_F(TraceFile, WithProcessGroupsOfAnotherFormIsRead) {
  WrittenNode node = written_groups(1, {});
  node.input_values = "[1, 2]";
  const Trace trace = read_trace(write(trace_bytes({node})));
  EXPECT_THAT(trace.notes, ElementsAre(HasSubstr("node 1 has process groups that are not used")));
}

TEST_F(TraceFile, DoesNotWaitForCallers) {
  const Trace trace =
      read_trace(write(trace_bytes({{.id = 1, .ctrl_deps = {77}}, {.id = 2, .ctrl_deps = {1}}})));
  EXPECT_TRUE(trace.nodes[0].before.empty());
  EXPECT_TRUE(trace.nodes[1].before.empty());
}

TEST_F(TraceFile, CutShortIsRefusedAtEveryByteButBetweenMessages) {
  const std::string whole = trace_bytes({{.id = 1, .duration_us = 5}, {.id = 2, .data_deps = {1}}});
  const std::string without_last = trace_bytes({{.id = 1, .duration_us = 5}}), without_both = trace_bytes({});
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string refused = refusal_of_trace(whole.substr(0, size));
    if (size == without_last.size() || size == without_both.size())
      EXPECT_EQ(refused, "accepted");
    else
      EXPECT_THAT(refused, HasSubstr("the message there is cut short: expected a whole trace")) << size;
  }
}

TEST_F(TraceFile, OfOtherBytesIsRefused) {
  EXPECT_THAT(refusal_of_trace(""), HasSubstr("empty: expected a Chakra execution trace"));
  EXPECT_THAT(refusal_of_trace(std::string("\x02\xff\xff", 3)), HasSubstr("byte 0: not a message"));
  EXPECT_THAT(refusal_of_trace(std::string(40, '\xff')), HasSubstr("byte 0: the message there is cut short"));
}

TEST_F(TraceFile, WithAnExchangeOfUnknownKindOrSizeIsRefused) {
  EXPECT_THAT(refusal_of_nodes({{.id = 4, .type = collective, .comm_size = 8}}),
              HasSubstr("node 4 is a collective without a known comm_type"));
  EXPECT_THAT(refusal_of_nodes({{.id = 4, .type = collective, .comm_type = 10, .comm_size = 8}}),
              HasSubstr("node 4 is a collective without a known comm_type"));
  EXPECT_THAT(refusal_of_nodes({{.id = 4, .type = collective, .comm_type = 0}}),
              HasSubstr("node 4 is a collective without a comm_size"));
  for (const std::uint64_t bytes :
       {std::uint64_t{1'000'000'000'000'001}, std::uint64_t{1} << 63U, ~std::uint64_t{4}})
    EXPECT_THAT(refusal_of_nodes({{.id = 4, .type = collective, .comm_type = 0, .comm_size = bytes}}),
                HasSubstr("node 4 is a collective without a comm_size of 1 to 1e15"));
  EXPECT_THAT(refusal_of_nodes({{.id = 4, .duration_us = ~std::uint64_t{4}}}),
              HasSubstr("node 4 has no duration of at most 1e15 us"));
  EXPECT_THAT(refusal_of_nodes({{.id = 4}, {.id = 4}}),
              HasSubstr("node 4 is there twice: expected each id once"));
}

TEST(PublicTraces, AreStepsOfTheirRanks) {
  const std::string folder = ASSAY_CHAKRA_TRACES;
  if (folder.empty() || !std::filesystem::is_directory(folder))
    GTEST_SKIP() << "no public Chakra traces: configure with -DASSAY_CHAKRA_TRACES_DIR=FOLDER of *.et";
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".et") files.push_back(entry.path());
  ASSERT_FALSE(files.empty()) << folder;
  std::ranges::sort(files);
  std::vector<Trace> traces;
  for (const std::string& file : files) traces.push_back(read_trace(file));
  const training::TrainingStep step =
      traced_step(traces, static_cast<std::uint32_t>(std::max<std::size_t>(2, files.size()))).step;
  EXPECT_FALSE(training::issue_order(step).empty());
}

}  // namespace
}  // namespace assay::model::workload
