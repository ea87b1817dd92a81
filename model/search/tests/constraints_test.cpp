// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A search under constraints leaves early what evaluation one by one leaves late, and nothing else.
#include "model/search/constraints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "harness/core/error.hpp"
#include "model/search/search.hpp"
#include "model/search/tests/one_by_one.hpp"

namespace assay::model {
namespace {

using testing::HasSubstr;
using Side = Constraints::Side;

Constraints constraints(std::initializer_list<const char*> at_most,
                        std::initializer_list<const char*> at_least = {}) {
  Constraints all;
  for (const char* text : at_most) all.add(Side::at_most, text);
  for (const char* text : at_least) all.add(Side::at_least, text);
  return all;
}

TEST(Constraints, ReadValuesWithTheirUnits) {
  const Constraints all =
      constraints({"memory=80GB", "offload=1.5GB/s", "step=12.5s", "mfu=50%", "tensor=8"});
  ASSERT_EQ(all.bounds().size(), 5U);
  EXPECT_EQ(all.bounds()[0].limit, 80e9);
  EXPECT_EQ(all.bounds()[1].limit, 1.5e9);
  EXPECT_EQ(all.bounds()[2].limit, 12.5);
  EXPECT_EQ(all.bounds()[3].limit, 0.5);
  EXPECT_EQ(all.bounds()[4].limit, 8);
  EXPECT_EQ(to_string(constraints({"memory=80GiB"}, {"tensor=2"})),
            "memory at most 80GiB, tensor at least 2");
}

TEST(Constraints, AllowWhatIsExactlyAtTheLimit) {
  Execution execution;
  execution.tensor_par = 8;
  EXPECT_TRUE(constraints({"tensor=8"}, {"tensor=8"}).allow(execution));
  EXPECT_FALSE(constraints({"tensor=7"}).allow(execution));
  EXPECT_FALSE(constraints({}, {"tensor=9"}).allow(execution));
  Step step;
  step.memory.tier1 = 80e9;
  EXPECT_TRUE(constraints({"memory=80GB"}).allow(step));
  EXPECT_FALSE(constraints({"memory=79GB"}).allow(step));
}

// Weights leave every block of a step whose operations take as long as their bytes: transfers show at any
// bandwidth.
TEST(Constraints, LetNoOffloadThroughThatNoBandwidthHides) {
  Question asked = small_question();
  asked.system.roofline = true;
  asked.system.mem1.by_bytes = Staircase({{0, 1 / 1e6}});
  asked.system.mem1.capacity_bytes = asked.system.mem2.capacity_bytes = 1e15;
  Execution execution;
  execution.batch_size = asked.max_batch;
  execution.weight_offload = true;
  const Step step = predict(configuration_of(asked, execution)).step;
  EXPECT_GT(step.time.backward_offload_s, 0);
  EXPECT_FALSE(constraints({"offload=1GB/s"}).allow(step));
  EXPECT_FALSE(constraints({"offload=1000000TB/s"}).allow(step));
  EXPECT_TRUE(constraints({}, {"offload=1GB/s"}).allow(step));
  const std::vector<Trade> front = {
      {.sample_rate = 1, .offload_b_per_s = step.required.offload, .execution = {}}};
  EXPECT_TRUE(to_json(front)[0]["offload_b_per_s"].is_null());
  EXPECT_EQ(to_json(front)[0]["unbounded"][0], "offload_b_per_s");
}

void expect_found(const Question& asked, const Constraints& limits, const std::vector<Candidate>& expected) {
  const SearchResult found = search(asked, {.top = 10, .threads = 2, .constraints = limits});
  EXPECT_EQ(found.enumerated, count_space(asked));
  ASSERT_EQ(found.feasible, static_cast<std::int64_t>(expected.size()));
  ASSERT_EQ(found.best.size(), std::min<std::size_t>(10, expected.size()));
  for (std::size_t i = 0; i < found.best.size(); ++i) {
    EXPECT_DOUBLE_EQ(found.best[i].sample_rate, expected[i].sample_rate) << i;
    EXPECT_FALSE(better(expected[i], found.best[i]) || better(found.best[i], expected[i])) << i;
  }
}

TEST(Constraints, LeaveASearchTheCountAndTheTopTenOfEvaluationOneByOne) {
  const std::vector<Constraints> limits = {
      constraints({"memory=6GB"}),
      constraints({"memory=8GB", "second-memory=1GB"}),
      constraints({"offload=20GB/s"}),
      constraints({"tensor=1"}),
      constraints({"tensor=4", "pipeline=2", "memory=20GB"}, {"tensor=2"}),
      constraints({"data=4"}, {"microbatch=2", "interleaving=2"}),
      constraints({"batch=8"}, {"mfu=10%"}),
      constraints({"step=0.2s"}),
      constraints({"tensor=1"}, {"tensor=2"})};
  Question asked = small_question();
  asked.unfused = false;  // a part of the space is enough
  asked.max_batch = 12;
  const auto expected = one_by_one(asked, limits);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    SCOPED_TRACE(to_string(limits[i]));
    expect_found(asked, limits[i], expected[i]);
  }
  EXPECT_EQ(expected[8].size(), 0U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_GT(expected[i].size(), 10U) << to_string(limits[i]);
}

/// A model, processors, a batch, memories and constraints drawn at random, all small.
Question random_question(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<std::int64_t> values) {
    return values.begin()[random() % values.size()];
  };
  const std::int64_t hidden = one_of({768, 1024, 3072});
  Question asked = small_question();
  asked.application = {.hidden = hidden,
                       .feedforward = hidden * one_of({2, 4}) + one_of({0, 2}),
                       .seq_size = one_of({512, 1023, 2048}),
                       .attn_heads = one_of({6, 8, 12}),
                       .attn_size = one_of({64, 100}),
                       .num_blocks = one_of({1, 4, 6, 7})};
  asked.processors = one_of({1, 4, 6, 8});
  asked.max_batch = one_of({1, 4, 6});
  asked.system.mem1.capacity_bytes = 1e8 * static_cast<double>(one_of({1, 5, 800}));
  asked.system.mem2.capacity_bytes = 1e8 * static_cast<double>(one_of({0, 3, 5000}));
  asked.fused = random() % 2 == 0;
  asked.unfused = !asked.fused;
  return asked;
}

TEST(Constraints, OnRandomSpacesLeaveTheSameAsEvaluationOneByOne) {
  const std::vector<Constraints> limits = {Constraints{}, constraints({"tensor=2", "interleaving=2"}),
                                           constraints({"memory=400MB", "offload=50GB/s"}),
                                           constraints({}, {"mfu=5%", "data=2"})};
  std::mt19937 random(20231112);
  std::size_t fitting = 0;
  for (int i = 0; i < 24; ++i) {
    SCOPED_TRACE(i);
    const Question asked = random_question(random);
    const auto expected = one_by_one(asked, limits);
    for (std::size_t limit = 0; limit < limits.size(); ++limit)
      expect_found(asked, limits[limit], expected[limit]);
    fitting += expected[0].size();
  }
  EXPECT_GT(fitting, 10'000U);
}

TEST(Constraints, OfTheFrontToo) {
  const Constraints limit = constraints({"memory=8GB"});
  const SearchResult found = search(small_question(), {.top = 1, .front = true, .constraints = limit});
  ASSERT_FALSE(found.front.empty());
  for (const Trade& trade : found.front) EXPECT_LE(trade.tier1_bytes, 8e9);
}

struct Refused {
  const char* text;
  const char* says;
};

class RefusedConstraint : public testing::TestWithParam<Refused> {};

TEST_P(RefusedConstraint, IsToldInOneLine) {
  Constraints all;
  try {
    all.add(Side::at_most, GetParam().text);
    FAIL() << GetParam().text;
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().says));
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, RefusedConstraint,
    testing::Values(Refused{"memory", "--at-most memory: expected METRIC=VALUE"},
                    Refused{"memry=80GB", "unknown metric 'memry' (expected one of memory, second-memory"},
                    Refused{"memory=80", "--at-most memory=80: expected bytes with their unit"},
                    Refused{"memory=", "expected bytes with their unit"},
                    Refused{"memory=-1GB", "it is negative"},
                    Refused{"memory=80XB", "unit 'XB' is not one of"},
                    Refused{"offload=100GB", "expected bytes a second with their unit, like 100GB/s"},
                    Refused{"tensor=0", "expected a whole number above 0"},
                    Refused{"tensor=2.5", "expected a whole number above 0"},
                    Refused{"tensor=eight", "expected a whole number above 0"},
                    Refused{"step=12", "expected seconds, like 12.5s"},
                    Refused{"step=nans", "expected seconds, like 12.5s"},
                    Refused{"step=-1s", "expected seconds, like 12.5s"},
                    Refused{"mfu=0.5", "expected percent, like 50%"}));

}  // namespace
}  // namespace assay::model
