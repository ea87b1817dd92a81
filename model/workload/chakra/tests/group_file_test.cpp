// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files as ASTRA-sim 518bd51 reads them (Workload::initialize_comm_group): names and lists of ranks.
#include "model/workload/chakra/group_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "harness/core/error.hpp"
#include "model/workload/chakra/traced_step.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using training::Traffic;

std::map<std::string, TraceGroup> groups_in(const std::string& text) {
  const std::string file = testing::TempDir() + "groups_" + std::to_string(getpid()) + ".json";
  std::ofstream(file) << text;
  return read_group_file(file);
}

std::string refusal_of_group_file(const std::string& text) {
  try {
    groups_in(text);
  } catch (const core::Error& error) {
    return error.what();
  }
  return "";
}

/// Four ranks, which all reduce in group "1", and then in group "2".
std::vector<Trace> reducing_traces() {
  const auto reduce = [](const char* group) {
    return TraceNode{.traffic = Traffic::all_reduce, .bytes = 8, .group = group};
  };
  std::vector<Trace> traces(4);
  for (std::size_t rank = 0; rank < traces.size(); ++rank) {
    traces[rank].file = "t." + std::to_string(rank);
    traces[rank].nodes = {reduce(rank < 2 ? "1" : "2")};
  }
  return traces;
}

std::string groups_of_first(const std::vector<Trace>& traces) {
  return traced_step(traces, 4).step.streams.at(0).operations.at(0).groups;
}

TEST(GroupFile, NamesTheRanksOfEachGroup) {
  const auto groups = groups_in(R"({"1": [0, 1, 2, 3], "10": [7, 5, 5]})");
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_THAT(groups.at("1").ranks, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(groups.at("10").ranks, ElementsAre(5, 7));
}

TEST(GroupFile, StandsBeforeWhatTracesState) {
  std::vector<Trace> traces = reducing_traces();
  traces[0].groups["1"] = {.ranks = {0, 3}};
  state_groups(traces, groups_in(R"({"1": [0, 1], "2": [2, 3]})"));
  EXPECT_EQ(groups_of_first(traces), "0-1 2-3");
}

TEST(GroupFile, SaysTheGroupsOfASingleTrace) {
  std::vector<Trace> traces = reducing_traces();
  traces.resize(1);
  EXPECT_EQ(groups_of_first(traces), "0:4:1:4");
  state_groups(traces, groups_in(R"({"1": [0, 2]})"));
  EXPECT_EQ(groups_of_first(traces), "0:4:2:2");
}

TEST(GroupFile, IsRefusedInOneLine) {
  for (const char* text : {"", "[]", "{}", "[[0, 1]]", "{\"1\": [0, 1]"})
    EXPECT_THAT(refusal_of_group_file(text), HasSubstr(".json: expected ASTRA-sim's groups in JSON")) << text;
  for (const char* ranks : {"[]", "3", "\"0-3\"", "[0, -1]", "[0, 1.5]", "[0, \"1\"]", "[0, 4294967296]"})
    EXPECT_THAT(refusal_of_group_file("{\"1\": " + std::string(ranks) + "}"),
                HasSubstr(".json: group '1': expected a list of ranks"))
        << ranks;
}

}  // namespace
}  // namespace assay::model::workload
