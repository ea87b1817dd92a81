// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/forced_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace assay::collectives {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::string why_not(const std::string& algorithm, const std::string& protocol, Operation operation,
                    int nodes = 0, DataType type = DataType::fp32, Operator reduction = Operator::sum) {
  return why_not_chosen({algorithm, protocol}, {.operation = operation, .ranks = 4, .count = 8}, type,
                        reduction, nodes);
}

TEST(ForcedChoice, IsLegalWhereNcclHasTheKernel) {
  for (const char* algorithm : {"ring", "tree", "collnet_direct", "collnet_chain", "nvls", "nvls_tree"})
    EXPECT_EQ(why_not(algorithm, "simple", Operation::all_reduce), "") << algorithm;
  for (const char* algorithm : {"ring", "collnet_direct", "nvls", "pat"})
    EXPECT_EQ(why_not(algorithm, "default", Operation::all_gather), "") << algorithm;
  EXPECT_EQ(why_not("default", "ll128", Operation::broadcast), "");
  EXPECT_EQ(why_not("ring", "ll", Operation::reduce), "");
  EXPECT_EQ(why_not("default", "default", Operation::all_to_all), "");
}

TEST(ForcedChoice, IsRefusedWhereNcclHasNoSuchKernel) {
  EXPECT_EQ(why_not("tree", "default", Operation::broadcast), "NCCL has no tree for broadcast");
  EXPECT_EQ(why_not("nvls", "default", Operation::reduce), "NCCL has no nvls for reduce");
  EXPECT_EQ(why_not("pat", "default", Operation::all_reduce), "NCCL has no pat for allreduce");
  EXPECT_EQ(why_not("collnet_chain", "default", Operation::reduce_scatter),
            "NCCL has no collnet_chain for reducescatter");
  EXPECT_EQ(why_not("nvls", "ll", Operation::all_reduce), "NCCL has nvls with protocol simple only");
  EXPECT_EQ(why_not("pat", "ll128", Operation::all_gather), "NCCL has pat with protocol simple only");
}

TEST(ForcedChoice, OfNvlsIsRefusedForWhatTheSwitchCannotReduce) {
  EXPECT_EQ(why_not("nvls", "default", Operation::all_reduce, 0, DataType::fp32, Operator::max),
            "NVLS has no max of fp32");
  EXPECT_EQ(why_not("nvls", "default", Operation::all_reduce, 0, DataType::int32, Operator::max), "");
  EXPECT_EQ(why_not("nvls", "default", Operation::reduce_scatter, 0, DataType::int64, Operator::prod),
            "NVLS has no prod of int64");
  EXPECT_EQ(why_not("nvls", "default", Operation::all_reduce, 0, DataType::bf16, Operator::avg),
            "NVLS has no avg of bf16");
  EXPECT_EQ(why_not("nvls", "default", Operation::all_gather, 0, DataType::fp32, Operator::max), "");
}

TEST(ForcedChoice, DependsOnNodesOnceTheyAreKnown) {
  EXPECT_EQ(why_not("nvls_tree", "default", Operation::all_reduce, 1),
            "NCCL has nvls_tree across nodes only");
  EXPECT_EQ(why_not("nvls_tree", "default", Operation::all_reduce, 2), "");
  EXPECT_EQ(why_not("pat", "default", Operation::all_gather, 2), "NCCL has pat with one GPU a node only");
  EXPECT_EQ(why_not("pat", "default", Operation::all_gather, 4), "");
}

TEST(ForcedChoice, IsRefusedWhereNcclChoosesNothing) {
  EXPECT_EQ(why_not("ring", "default", Operation::all_to_all),
            "NCCL makes all_to_all of sends and receives: no algorithm or protocol to force");
  EXPECT_EQ(why_not_chosen({.algorithm = "ring"}, {.operation = Operation::all_reduce, .ranks = 1},
                           DataType::fp32, Operator::sum, 1),
            "NCCL copies on one rank: no algorithm or protocol to force");
}

TEST(VariablesOf, ForceTheOperationsFunctionAlone) {
  EXPECT_THAT(variables_of({"nvls_tree", "simple"}, Operation::all_reduce),
              ElementsAre(Pair("NCCL_ALGO", "allreduce:nvlstree"), Pair("NCCL_PROTO", "allreduce:simple")));
  EXPECT_THAT(variables_of({"default", "ll128"}, Operation::reduce_scatter),
              ElementsAre(Pair("NCCL_PROTO", "reducescatter:ll128")));
  EXPECT_THAT(variables_of({}, Operation::all_gather), IsEmpty());
}

TEST(Compared, SaysWhatRanWhereThatWasNotAsked) {
  const RanCollective ran{.function = "AllReduce", .algorithm = "COLLNET_DIRECT", .protocol = "SIMPLE"};
  EXPECT_EQ(compared({"collnet_direct", "simple"}, ran), "as asked");
  EXPECT_EQ(compared({"ring", "default"}, ran), "asked ring, ran collnet_direct");
  EXPECT_EQ(compared({"ring", "ll"}, ran), "asked ring, ran collnet_direct; asked ll, ran simple");
  EXPECT_EQ(compared({"ring", "ll"}, std::nullopt), "unknown");
}

TEST(WhyNoWireRate, IsOfTreesAndOfWhatTheSwitchDoes) {
  EXPECT_EQ(why_no_wire_rate("RING"), "");
  EXPECT_EQ(why_no_wire_rate("PAT"), "");
  EXPECT_EQ(why_no_wire_rate("TREE"), "no: in a tree not every rank sends the same");
  EXPECT_EQ(why_no_wire_rate("NVLS"),
            "no: the switch reduces or copies, a GPU sends less than busbw assumes");
  EXPECT_EQ(why_no_wire_rate("NVLS_TREE"), "no: the switch reduces, and nodes form a tree");
}

TEST(ScopedEnvironment, SetsAndPutsBack) {
  setenv("ASSAY_TEST_KEPT", "before", 1);
  unsetenv("ASSAY_TEST_GONE");
  {
    const ScopedEnvironment scoped({{"ASSAY_TEST_KEPT", "within"}, {"ASSAY_TEST_GONE", "within"}});
    EXPECT_STREQ(std::getenv("ASSAY_TEST_KEPT"), "within");
    EXPECT_STREQ(std::getenv("ASSAY_TEST_GONE"), "within");
  }
  EXPECT_STREQ(std::getenv("ASSAY_TEST_KEPT"), "before");
  EXPECT_EQ(std::getenv("ASSAY_TEST_GONE"), nullptr);
}

TEST(SetWhereUnset, LeavesWhatTheUserSet) {
  setenv("ASSAY_TEST_USERS", "theirs", 1);
  unsetenv("ASSAY_TEST_OURS");
  EXPECT_THAT(set_where_unset({{"ASSAY_TEST_USERS", "ours"}, {"ASSAY_TEST_OURS", "ours"}}),
              ElementsAre(Pair("ASSAY_TEST_OURS", "ours")));
  EXPECT_STREQ(std::getenv("ASSAY_TEST_USERS"), "theirs");
  EXPECT_STREQ(std::getenv("ASSAY_TEST_OURS"), "ours");
}

}  // namespace
}  // namespace assay::collectives
