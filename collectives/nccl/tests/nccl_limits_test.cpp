// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

using testing::HasSubstr;

Problem with(Operation operation, int ranks, std::int64_t count, bool in_place) {
  return {.operation = operation, .ranks = ranks, .count = count, .in_place = in_place};
}

TEST(WhyNotNccl, SaysWhatNcclDefinesOtherwise) {
  EXPECT_EQ(why_not_nccl(with(Operation::all_gather, 3, 8, false)),
            "NCCL's all_gather needs blocks of one size, but 8 elements do not divide among 3 ranks");
  EXPECT_THAT(why_not_nccl(with(Operation::reduce_scatter, 3, 8, true)), HasSubstr("blocks of one size"));
  for (const Operation operation :
       {Operation::all_to_all, Operation::all_to_all_v, Operation::send_receive}) {
    EXPECT_THAT(why_not_nccl(with(operation, 2, 8, true)), HasSubstr("overwrite in place"));
    EXPECT_EQ(why_not_nccl(with(operation, 2, 8, false)), "");
  }
  EXPECT_EQ(why_not_nccl(with(Operation::gather, 3, 8, true)), "");
}

TEST(MayRunAtOnce, IsNotForReductionsInPlace) {
  EXPECT_FALSE(may_run_at_once(with(Operation::all_reduce, 2, 8, true)));
  EXPECT_TRUE(may_run_at_once(with(Operation::all_reduce, 2, 8, false)));
  EXPECT_TRUE(may_run_at_once(with(Operation::broadcast, 2, 8, true)));
}

TEST(WhyNotNcclThisWay, RefusesAGroupOfReductionsInPlace) {
  const Problem problem{.operation = Operation::all_reduce, .ranks = 2, .count = 8, .in_place = true};
  EXPECT_THAT(why_not_nccl(problem, {}, {.launch = Launch::group}),
              HasSubstr("launch=group: the iterations of a reduction in place would run at once"));
  EXPECT_EQ(why_not_nccl(problem, {}, {.launch = Launch::graph}), "");
  EXPECT_EQ(why_not_nccl(problem, {}, {.choice = {.algorithm = "pat"}}), "NCCL has no pat for allreduce");
}

TEST(WhyNotNcclThisWay, NamesWhatCopyEnginesNeed) {
  const NcclWay engines{.symmetric_window = true, .cta_policy = CtaPolicy::zero};
  EXPECT_EQ(why_not_nccl(with(Operation::all_gather, 2, 8, false), {}, engines), "");
  EXPECT_EQ(why_not_nccl(with(Operation::all_gather, 2, 8, false), {}, {.cta_policy = CtaPolicy::zero}),
            "cta_policy=zero: copy engines need window=symmetric");
  EXPECT_EQ(why_not_nccl(with(Operation::all_reduce, 2, 8, false), {}, engines),
            "cta_policy=zero: NCCL has all_gather, all_to_all, gather and scatter by copy engines");
  EXPECT_EQ(why_not_nccl(with(Operation::all_gather, 2, 8, false), {},
                         {.registered = true, .symmetric_window = true}),
            "registered=1 and window=symmetric: expected one of them");
}

TEST(WhyNotNcclThisWay, RefusesAMeanWhoseFactorTheTypeDoesNotHold) {
  const Content narrow{.type = DataType::fp8_e4m3, .reduction = Operator::avg};
  EXPECT_EQ(why_not_nccl(with(Operation::all_reduce, 1024, 8, false), narrow, {}),
            "operator=avg: NCCL multiplies by 1/1024, which fp8_e4m3 does not hold");
  EXPECT_EQ(why_not_nccl(with(Operation::all_reduce, 8, 8, false), narrow, {}), "");
  EXPECT_EQ(why_not_nccl(with(Operation::all_gather, 1024, 1024, false), narrow, {}), "");
}

TEST(WhyNotPolicy, IsOfVersionsBefore227And228) {
  EXPECT_EQ(
      why_not_policy(22703, CtaPolicy::zero),
      "cta_policy=zero: NCCL has collectives by copy engines from 2.28 on, and this one is of code 22703");
  EXPECT_EQ(why_not_policy(22600, CtaPolicy::efficiency),
            "cta_policy=efficiency: NCCL has it from 2.27 on, and this one is of code 22600");
  EXPECT_EQ(why_not_policy(22809, CtaPolicy::zero), "");
  EXPECT_EQ(why_not_policy(21900, CtaPolicy::left_to_nccl), "");
}

TEST(NcclWayOf, TakesWhatThePointSays) {
  const NcclWay way = nccl_way_of({{"launch", std::string("graph")},
                                   {"registered", std::int64_t{1}},
                                   {"algorithm", std::string("tree")},
                                   {"protocol", std::string("ll")},
                                   {"window", std::string("symmetric")},
                                   {"cta_policy", std::string("zero")},
                                   {"communicator", std::string("sweep")},
                                   {"channels", std::int64_t{16}}});
  EXPECT_EQ(way.channels, 16);
  EXPECT_TRUE(way.symmetric_window);
  EXPECT_EQ(way.cta_policy, CtaPolicy::zero);
  EXPECT_TRUE(way.keeps_communicators);
  EXPECT_EQ(way.launch, Launch::graph);
  EXPECT_TRUE(way.registered);
  EXPECT_EQ(way.choice.algorithm, "tree");
  EXPECT_EQ(way.choice.protocol, "ll");
}

TEST(NcclWayOf, NamesWhatIsNone) {
  EXPECT_THROW(nccl_way_of({{"launch", std::string("sideways")}}), core::Error);
  EXPECT_THROW(nccl_way_of({{"registered", std::int64_t{2}}}), core::Error);
  EXPECT_THROW(nccl_way_of({{"channels", std::int64_t{65}}}), core::Error);
  for (const char* axis : {"window", "cta_policy", "communicator"})
    EXPECT_THROW(nccl_way_of({{axis, std::string("sideways")},
                              {"protocol", std::string("default")},
                              {"algorithm", std::string("default")}}),
                 core::Error)
        << axis;
}

TEST(WhyNotReduced, IsOfFp8BeforeVersion224) {
  EXPECT_EQ(why_not_reduced(22307, DataType::fp8_e4m3, Operation::all_reduce),
            "dtype=fp8_e4m3: NCCL reduces fp8 from 2.24 on, and this one is of code 22307");
  EXPECT_EQ(why_not_reduced(22307, DataType::fp8_e4m3, Operation::all_gather), "");
  EXPECT_EQ(why_not_reduced(22307, DataType::bf16, Operation::all_reduce), "");
  EXPECT_EQ(why_not_reduced(22400, DataType::fp8_e5m2, Operation::reduce), "");
}

}  // namespace
}  // namespace assay::collectives
