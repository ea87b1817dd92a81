// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"
#include "model/workload/chakra/trace.hpp"

namespace assay::model::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using training::Traffic;

Trace read_written(const std::string& text) {
  const std::string file = testing::TempDir() + "assay_trace_" + std::to_string(getpid()) + ".json";
  std::ofstream(file) << text;
  const Trace trace = read_trace(file);
  std::filesystem::remove(file);
  return trace;
}
std::string refusal(const std::string& nodes) {
  try {
    read_json_trace("t.json", R"({"workload_graph": [)" + nodes + "]}");
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

TEST(JsonTrace, RefusesANumberBeyondADouble) {
  try {
    read_written(R"({"workload_graph": [{"Id": 1, "Name": "a", "NodeType": -1e309}]})");
    FAIL();
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr(": a number is too large, or lists too deep, for any trace"));
  }
}

TEST(JsonTrace, HoldsWhatAProtobufTraceHolds) {
  const Trace trace = read_written(R"(
{"workload_graph": [
  {"Id": 9, "Name": "scatter", "NodeType": 7, "data_deps": [4], "is_cpu_op": false, "comm_type": 7,
   "comm_size": 4096, "pg_name": "1"},
  {"Id": 4, "Name": "gemm", "NodeType": 4, "data_deps": [], "runtime": 250, "is_cpu_op": false, "ctrlDeps": [1]},
  {"Id": 5, "Name": "to 1", "NodeType": 5, "comm_size": 64, "comm_dst": 1, "data_deps": [9]},
  {"Id": 1, "Name": "## process_group:init ##", "NodeType": 1, "data_deps": [], "is_cpu_op": true,
   "inputs": {"values": "['[{\"pg_name\": \"1\", \"ranks\": [0, 1]}]']"}}],
 "workload_name": "made up", "ngpus": 2})");
  ASSERT_EQ(trace.nodes.size(), 4U);
  EXPECT_DOUBLE_EQ(trace.nodes[1].compute_s, 250e-6);
  EXPECT_EQ(trace.nodes[2].traffic, Traffic::reduce_scatter);
  EXPECT_EQ(trace.nodes[2].bytes, 4096);
  EXPECT_EQ(trace.nodes[3].side, Side::sends);
  EXPECT_EQ(trace.nodes[3].peer, 1);
  EXPECT_THAT(trace.groups.at("1").ranks, ElementsAre(0, 1));
}

TEST(JsonTrace, IsRefusedWithPlaceAndKey) {
  EXPECT_THAT(refusal("1"), "t.json: workload_graph[0]: expected an object");
  EXPECT_THAT(refusal(R"({"NodeType": 4})"), "t.json: workload_graph[0].Id: missing");
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 4}, {"Id": -2, "NodeType": 4})"),
              "t.json: workload_graph[1].Id: expected a whole number of at least 0");
  EXPECT_THAT(refusal(R"({"Id": 1})"), HasSubstr("workload_graph[0].NodeType: expected a number"));
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 7, "comm_type": "x"})"),
              HasSubstr("comm_type: expected a number"));
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 4, "data_deps": ["2"]})"), HasSubstr("data_deps: expected"));
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 4, "data_deps": [2]})"),
              HasSubstr("node 2, which is missing"));
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 4, "runtime": -1})"), HasSubstr("has no duration"));
  EXPECT_THAT(refusal(R"({"Id": 1, "NodeType": 7})"), HasSubstr("without a known comm_type"));
}

TEST(JsonTrace, OfAnotherProgramIsRefused) {
  const auto said = [](const char* text) -> std::string {
    try {
      read_json_trace("t.json", text);
    } catch (const core::Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(said("{"), HasSubstr("t.json: byte 2: not a Chakra trace in JSON"));
  EXPECT_THAT(said("[]"), HasSubstr("with a list workload_graph"));
  EXPECT_THAT(said(R"({"version": "1"}{"id": "1"})"), HasSubstr("not a Chakra trace in JSON"));
  EXPECT_THAT(said(R"({"schema": "1.0.2-chakra.0.0.4", "nodes": []})"), HasSubstr("chakra_converter"));
}

}  // namespace
}  // namespace assay::model::workload
