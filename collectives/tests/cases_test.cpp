// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/cases.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "collectives/algorithms/table.hpp"
#include "collectives/measure/collective_settings.hpp"
#include "collectives/nccl/nccl_back_end.hpp"
#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using core::Point;
using testing::HasSubstr;

std::string refusal(const Point& point, Operation operation) {
  try {
    problem_of(point, operation, {0, 1, 2, 3}, {.ranks = 4});
  } catch (const core::Error& error) {
    EXPECT_EQ(error.kind(), core::ErrorKind::usage);
    return error.what();
  }
  return "accepted";
}

core::Case case_named(const std::string& name, const ModuleSettings& settings = {}) {
  const auto all = declared_cases(settings, 6);
  return *std::ranges::find(all, name, &core::Case::name);
}

TEST(Cases, AreEveryOperationByEveryBackEndPassesPairsDomainsAndWholeSteps) {
  const auto all = declared_cases({}, 4);
  EXPECT_EQ(all.size(), 4 * operations().size() + 15);
  EXPECT_EQ(all.front().name, "collectives.assay.all_reduce");
  EXPECT_EQ(all[2 * operations().size() - 1].name, "collectives.mpi.barrier");
  EXPECT_EQ(all[3 * operations().size() - 1].name, "collectives.nccl.barrier");
  EXPECT_EQ(all[4 * operations().size() - 1].name, "collectives.assay_device.barrier");
  EXPECT_EQ(all.back().name, "collectives.training.step");
}

std::vector<std::string> names_of(const std::vector<core::Axis>& axes) {
  std::vector<std::string> names;
  for (const core::Axis& axis : axes) names.push_back(axis.name);
  return names;
}

TEST(Cases, OfOurAlgorithmsOnDevicesSweepHowTheyAreLaunched) {
  EXPECT_THAT(names_of(case_named("collectives.assay_device.all_gather").axes),
              testing::ElementsAre("algorithm", "launch", "registered", "communicator", "bytes", "dtype",
                                   "in_place", "groups", "turns", "between"));
}

TEST(Cases, OfNcclSweepHowItIsLaunchedAndWhatItIsForcedTo) {
  EXPECT_THAT(names_of(case_named("collectives.nccl.reduce").axes),
              testing::ElementsAre("launch", "registered", "communicator", "algorithm", "protocol",
                                   "channels", "window", "cta_policy", "bytes", "dtype", "operator",
                                   "in_place", "root", "groups", "turns", "between"));
  const core::Case all_reduce = case_named("collectives.nccl.all_reduce");
  EXPECT_EQ(all_reduce.axes[3].choices.size(), 8U);
  EXPECT_EQ(all_reduce.axes[3].values.size(), 1U);
  EXPECT_EQ(all_reduce.axes[4].choices, (std::vector<std::string>{"default", "ll", "ll128", "simple"}));
}

Point by_nccl() {
  return {{"launch", std::string("graph")},
          {"algorithm", std::string("default")},
          {"protocol", std::string("default")},
          {"bytes", std::int64_t{48}}};
}

TEST(Cases, OfNcclSayWhyNot) {
  if (const auto lacking = nccl_not_built()) GTEST_SKIP() << core::built_without(*lacking);
  const core::Case all_gather = case_named("collectives.nccl.all_gather");
  EXPECT_THAT(all_gather.unsupported(by_nccl().set("bytes", std::int64_t{8})).value_or(""),
              HasSubstr("NCCL's all_gather needs blocks of one size"));
  EXPECT_THAT(all_gather.unsupported(by_nccl().set("algorithm", std::string("tree"))).value_or(""),
              HasSubstr("NCCL has no tree for allgather"));
  EXPECT_EQ(all_gather.unsupported(by_nccl().set("between", std::string("barrier"))).value_or(""),
            "between=barrier: nothing comes between iterations that run together, launch=blocking");
  EXPECT_EQ(all_gather.unsupported(by_nccl()), why_no_nccl());
}

TEST(Cases, SweepEveryAlgorithmOfTheOperation) {
  const core::Axis axis = case_named("collectives.assay.all_gather").axes.front();
  EXPECT_EQ(axis.name, "algorithm");
  EXPECT_EQ(axis.choices, (std::vector<std::string>{"ring", "recursive_doubling", "bruck"}));
}

TEST(Cases, SayWhyAnAlgorithmIsIllegal) {
  const core::Case all_reduce = case_named("collectives.assay.all_reduce", {.ranks_per_node = 4});
  const Point rails{{"algorithm", std::string("rails")}, {"bytes", std::int64_t{8}}};
  EXPECT_EQ(all_reduce.unsupported(rails).value_or(""),
            "needs as many ranks on every node, but one has 2 and another 4");
  const Point ring{{"algorithm", std::string("ring")}, {"bytes", std::int64_t{8}}};
  EXPECT_EQ(all_reduce.unsupported(ring), std::nullopt);
}

TEST(Cases, OfAMatrixNeedOne) {
  const Point direct{{"algorithm", std::string("direct")}};
  EXPECT_EQ(case_named("collectives.assay.all_to_all_v").unsupported(direct).value_or(""),
            "no traffic matrix: give --traffic-matrix FILE");
}

TEST(Cases, OfAMatrixThatCannotBeReadNameTheFile) {
  EXPECT_THROW(declared_cases({.traffic_matrix = "no-such-file"}, 4), core::Error);
}

TEST(Cases, OfGroupsThatShareRanksNeedTurns) {
  const core::Case all_reduce = case_named("collectives.assay.all_reduce", {.ranks_per_node = 2});
  Point point{{"algorithm", std::string("ring")},
              {"bytes", std::int64_t{8}},
              {"groups", std::string("node_pairs")},
              {"turns", std::string("at_once")}};
  EXPECT_EQ(all_reduce.unsupported(point).value_or(""),
            "groups=node_pairs: rank 0 is in several groups, which cannot run at once: turns=in_turn");
  EXPECT_EQ(all_reduce.unsupported(point.set("turns", std::string("in_turn"))), std::nullopt);
}

TEST(Cases, OfTheFirstRanksAreNotThoseOfAllAgain) {
  const core::Case all_reduce = case_named("collectives.assay.all_reduce");
  Point point{
      {"algorithm", std::string("ring")}, {"bytes", std::int64_t{8}}, {"groups", std::string("first:2")}};
  EXPECT_EQ(all_reduce.unsupported(point), std::nullopt);
  for (const char* all : {"first:6", "first:8"})
    EXPECT_EQ(all_reduce.unsupported(point.set("groups", std::string(all))).value_or(""),
              std::string(all) + ": 6 ranks here, which groups=all measures");
}

TEST(Cases, OfGroupsOfSingleRanksAreNoCollectives) {
  const core::Case all_reduce = case_named("collectives.assay.all_reduce");
  const Point rails{
      {"algorithm", std::string("ring")}, {"bytes", std::int64_t{8}}, {"groups", std::string("rails")}};
  EXPECT_EQ(all_reduce.unsupported(rails).value_or(""), "groups=rails: every group is a single rank here");
}

TEST(Cases, OfFp8ReduceItAndMoveIt) {
  Point point{
      {"algorithm", std::string("ring")}, {"bytes", std::int64_t{8}}, {"dtype", std::string("fp8_e4m3")}};
  EXPECT_EQ(case_named("collectives.assay.all_reduce").unsupported(point), std::nullopt);
  EXPECT_EQ(case_named("collectives.assay.all_gather").unsupported(point), std::nullopt);
}

TEST(ProblemOf, IsOfTheGroupsRanksAndNodes) {
  const Point point{{"bytes", std::int64_t{24}}, {"root", std::int64_t{1}}};
  const Problem problem =
      problem_of(point, Operation::broadcast, {1, 2}, {.ranks = 4, .node_of = {0, 0, 1, 1}});
  EXPECT_EQ(problem.ranks, 2);
  EXPECT_EQ(problem.node_of, (std::vector<int>{0, 1}));
}

TEST(ProblemOf, CountsElements) {
  const Point point{{"bytes", std::int64_t{24}}, {"dtype", std::string("fp64")}, {"root", std::int64_t{3}}};
  const Problem problem = problem_of(point, Operation::broadcast, {0, 1, 2, 3}, {.ranks = 4});
  EXPECT_EQ(problem.count, 3);
  EXPECT_EQ(problem.root, 3);
}

TEST(ProblemOf, NamesBytesThatAreNoElements) {
  EXPECT_THAT(refusal({{"bytes", std::int64_t{6}}}, Operation::all_reduce),
              HasSubstr("bytes=6: expected a multiple of 4, the size of fp32"));
}

TEST(ProblemOf, NamesARootThatIsNoRank) {
  EXPECT_THAT(refusal({{"bytes", std::int64_t{8}}, {"root", std::int64_t{4}}}, Operation::reduce),
              HasSubstr("root=4: expected a rank, 0 to 3"));
}

TEST(ProblemOf, NamesAnotherInPlaceThan0Or1) {
  EXPECT_THAT(refusal({{"bytes", std::int64_t{8}}, {"in_place", std::int64_t{2}}}, Operation::all_reduce),
              HasSubstr("in_place=2: expected 0 or 1"));
}

std::string formulas_table() {
  std::string text = "| operation | algorithm | steps | sent by the busiest rank |\n|---|---|---|---|\n";
  for (const Algorithm& row : algorithms()) {
    for (const std::string_view cell :
         {to_text(row.operation), row.name, row.steps_formula, row.bytes_formula})
      text.append("| ").append(cell).append(" ");
    text += "|\n";
  }
  return text;
}

TEST(TableText, IsWhatTheDocumentationShows) {
  std::ifstream file(ASSAY_SOURCE_DIR "/docs/evidence/data/collective-algorithms.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), HasSubstr(formulas_table()))
      << "docs/evidence/data/collective-algorithms.txt must hold this table:\n"
      << formulas_table();
}

TEST(TableText, HasFiguresForTwoNumbersOfRanks) {
  EXPECT_THAT(steps_and_bytes_table(),
              HasSubstr("| all_reduce | ring | 2(n-1) | 2S(n-1)/n | 14 / 1.750 S | 22 / 1.833 S |\n"));
}

}  // namespace
}  // namespace assay::collectives
