// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/claims/tested_claim.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::model::claims {
namespace {

using testing::HasSubstr;

nlohmann::json answer_to(const std::string& command) {
  if (command == "fails") core::usage_error("it failed");
  return {{"x", {command == "far" ? 9 : 3}}, {"y", 1.5}, {"list", {1, 2}}, {"on", true}, {"what", "rain"}};
}

Claim claim_of(const std::string& command, const std::string& value = "/x/0") {
  Claim claim;
  claim.id = "one";
  claim.quantity.command = command;
  claim.quantity.value = value;
  claim.expected = {.least = 2, .most = 4, .word = {}};
  claim.evidence = evidence::simulated;
  return claim;
}

TestedClaim tested(const Claim& claim) {
  return test_claims(std::span(&claim, 1), {.ask = answer_to, .measure = {}, .runs = {}}).front();
}

TEST(TestedClaim, AValueWithinBoundsAgrees) {
  const Claim near = claim_of("near"), far = claim_of("far");
  EXPECT_EQ(tested(near).verdict(), "agrees");
  EXPECT_TRUE(tested(near).holds());
  EXPECT_EQ(tested(near).evidence, "simulated");
  EXPECT_EQ(tested(far).verdict(), "disagrees: not as expected");
  EXPECT_FALSE(tested(far).holds());
}

TEST(TestedClaim, AValueIsDividedByAnotherOrByWhatTheSourceStates) {
  Claim claim = claim_of("near");
  claim.against = claim_of("other", "/y").quantity;
  EXPECT_EQ(tested(claim).value, 2);
  claim.quantity.given = 6;
  EXPECT_EQ(tested(claim).value, 4);
  claim.against = Quantity{.given = 3};
  EXPECT_EQ(tested(claim).value, 2);
  claim.against = Quantity{.given = 0};
  EXPECT_THAT(tested(claim).verdict(), HasSubstr("it is divided by 0"));
}

TEST(TestedClaim, ListsCountAndWordsAreCompared) {
  EXPECT_EQ(tested(claim_of("near", "/list")).value, 2);
  EXPECT_EQ(tested(claim_of("near", "/on")).value, 1);
  Claim word = claim_of("near", "/what");
  word.expected = {.least = {}, .most = {}, .word = "rain"};
  EXPECT_TRUE(tested(word).holds());
  EXPECT_EQ(tested(word).verdict(), "agrees");
  word.expected.word = "sun";
  EXPECT_EQ(tested(word).verdict(), "disagrees: not as expected");
  word.expected = {.least = {}, .most = {}, .word = {}, .part = "ai"};
  EXPECT_TRUE(tested(word).holds());
  word.expected.part = "sun";
  EXPECT_FALSE(tested(word).holds());
}

TEST(TestedClaim, APrintedFigureIsComparedWithTheValue) {
  Claim claim = claim_of("near");
  claim.printed = 3.01;
  EXPECT_EQ(tested(claim).verdict(), "agrees");
  claim.printed = 4;
  EXPECT_EQ(tested(claim).verdict(), "disagrees, by 25 %");
  claim.printed = 1;
  EXPECT_EQ(tested(claim).verdict(), "disagrees, by 200 %");
  claim.printed = 3.2;
  EXPECT_EQ(tested(claim).verdict(), "within 6.3 %");
  claim.contradicts = true;
  EXPECT_EQ(tested(claim).verdict(), "disagrees, by 6.3 %");
  claim.printed = {};
  EXPECT_EQ(tested(claim).verdict(), "disagrees");
  EXPECT_TRUE(tested(claim).holds()) << "it came out as expected";
}

TEST(TestedClaim, ACommandWithoutAnAnswerHasFailed) {
  EXPECT_FALSE(tested(claim_of("fails")).holds());
  EXPECT_TRUE(tested(claim_of("fails")).failed());
  EXPECT_EQ(tested(claim_of("fails")).verdict(), "failed: it failed");
  EXPECT_THAT(tested(claim_of("near", "/z")).verdict(), HasSubstr("assay near: nothing at /z"));
}

TEST(TestedClaim, ACommandRunsOnce) {
  std::vector<Claim> claims = {claim_of("near"), claim_of("near")};
  claims[1].against = claims[1].quantity;
  std::atomic<int> runs = 0;
  test_claims(claims, {.ask =
                           [&](const std::string& command) {
                             ++runs;
                             return answer_to(command);
                           },
                       .measure = {},
                       .runs = {},
                       .threads = 2});
  EXPECT_EQ(runs, 1);
}

TEST(TestedClaim, ATimeIsThatOfItsCommand) {
  Claim claim = claim_of("near", elapsed_s);
  claim.evidence = evidence::host_twin;
  claim.expected = {.least = 0, .most = 60, .word = {}};
  EXPECT_TRUE(tested(claim).holds());
  EXPECT_EQ(tested(claim).evidence, "host twin");
}

/// A claim about the bandwidth of memory.host.copy.
Claim bandwidth_claim(const char* kind) {
  Claim claim;
  claim.quantity.command = "run";
  claim.quantity.point = "memory.host.copy/*";
  claim.quantity.metric = "bandwidth_gb_per_s";
  claim.expected = {.least = 19, .most = 21, .word = {}};
  claim.evidence = kind;
  claim.needs = "a memory";
  return claim;
}

class ClaimsOfRecords : public testing::Test {
 protected:
  ClaimsOfRecords() {
    results::Store store(file_);
    results::ContextRecord context = results::test::sample_context();
    context.host = "node7";
    store.add(context);
    results::PointRecord point = results::test::sample_point();
    point.case_name = "memory.host.copy";
    point.metrics = {{"bandwidth_gb_per_s", "GB/s", 20, 19, 21}};
    store.add(point);
  }

  void add_read(const std::string& run_id, const std::string& host) {
    results::Store store(file_);
    results::ContextRecord context = results::test::sample_context(run_id);
    context.host = host;
    results::PointRecord point = results::test::sample_point(run_id);
    point.case_name = "memory.host.read";
    point.metrics = {{"bandwidth_gb_per_s", "GB/s", 40, 39, 41}};
    store.add(context);
    store.add(point);
  }

  results::test::TemporaryFolder folder_;
  std::string file_ = folder_ / "store.sqlite";
};

TEST_F(ClaimsOfRecords, ComeFromTheRunsOfAStoreWithTheMachinesName) {
  const results::Store store(file_);
  const results::RunPoints run(store);
  const std::vector<Claim> claims = {bandwidth_claim(evidence::measured)};
  const TestedClaim found = test_claims(claims, {.ask = {}, .measure = {}, .runs = {&run}}).front();
  EXPECT_EQ(found.value, 20);
  EXPECT_EQ(found.evidence, "measured, node7");
  EXPECT_EQ(claims_answered_by(run, claims).size(), 1U);
}

TEST_F(ClaimsOfRecords, CompareTwoPointsOfOneRunElseOfOneHost) {
  add_read("another", "node8");
  const results::Store store(file_);
  const results::RunPoints first(store, "run-1"), another(store, "another");
  std::vector<Claim> claims = {bandwidth_claim(evidence::measured)};
  claims[0].against = claims[0].quantity;
  claims[0].against->point = "memory.host.read/*";
  EXPECT_EQ(test_claims(claims, {.ask = {}, .measure = {}, .runs = {&another, &first}}).front().verdict(),
            "cannot be tested here, because it needs a memory: the store has no such point");
  add_read("of the same host", "node7");
  const results::RunPoints same_host(store, "of the same host");
  EXPECT_EQ(
      test_claims(claims, {.ask = {}, .measure = {}, .runs = {&another, &same_host, &first}}).front().value,
      0.5);
  claims[0].against->point = claims[0].quantity.point;
  EXPECT_EQ(test_claims(claims, {.ask = {}, .measure = {}, .runs = {&another, &first}}).front().value, 1);
}

TEST_F(ClaimsOfRecords, WithoutTheirPointsSayWhatTheyNeed) {
  const results::Store store(file_);
  const results::RunPoints run(store);
  std::vector<Claim> claims = {bandwidth_claim(evidence::measured)};
  EXPECT_EQ(test_claims(claims, {.ask = {}, .measure = {}, .runs = {}}).front().verdict(),
            "cannot be tested here, because it needs a memory");
  claims[0].quantity.metric = "latency_ns";
  EXPECT_EQ(test_claims(claims, {.ask = {}, .measure = {}, .runs = {&run}}).front().verdict(),
            "cannot be tested here, because it needs a memory: the store has no such point");
  EXPECT_TRUE(claims_answered_by(run, claims).empty());
}

TEST_F(ClaimsOfRecords, AreMeasuredHereOncePerCommand) {
  const std::vector<Claim> claims = {bandwidth_claim(evidence::host_twin),
                                     bandwidth_claim(evidence::host_twin)};
  int runs = 0;
  const std::vector<TestedClaim> all = test_claims(claims, {.ask = {},
                                                            .measure =
                                                                [&](const std::string&) {
                                                                  ++runs;
                                                                  return std::filesystem::path(file_);
                                                                },
                                                            .runs = {}});
  EXPECT_EQ(all[1].value, 20);
  EXPECT_EQ(all[1].evidence, "host twin");
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace assay::model::claims
