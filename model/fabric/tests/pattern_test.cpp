// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Patterns compared with the schedules that run, and with closed forms.
#include "model/fabric/pattern.hpp"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "collectives/algorithms/all_to_all.hpp"
#include "collectives/algorithms/schedules.hpp"
#include "harness/core/error.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

using collectives::Operation;
using collectives::Problem;
using collectives::Schedule;

struct Counterpart {
  Operation operation;
  Schedule (*schedule)(const Problem&, int rank);
};

const std::map<std::string_view, Counterpart> counterparts = {
    {"ring_all_reduce", {Operation::all_reduce, collectives::ring_all_reduce}},
    {"ring_all_gather", {Operation::all_gather, collectives::ring_all_gather}},
    {"ring_reduce_scatter", {Operation::reduce_scatter, collectives::ring_reduce_scatter}},
    {"doubling_all_reduce", {Operation::all_reduce, collectives::doubling_all_reduce}},
    {"halving_doubling_all_reduce", {Operation::all_reduce, collectives::halving_doubling_all_reduce}},
    {"binomial_broadcast", {Operation::broadcast, collectives::binomial_broadcast}},
    {"binomial_reduce", {Operation::reduce, collectives::binomial_reduce}},
    {"binomial_all_reduce", {Operation::all_reduce, collectives::binomial_all_reduce}},
    {"pairwise_all_to_all", {Operation::all_to_all, collectives::pairwise_all_to_all}},
    {"shift", {Operation::send_receive, collectives::ring_shift}},
};

/// Peers and bytes in the order of steps.
using Row = std::vector<std::pair<int, std::uint64_t>>;

struct Rows {
  std::vector<Row> sent, received;  // of each rank
};

Rows rows_of(const Pattern& pattern, PatternSize size) {
  const auto ranks = static_cast<std::size_t>(size.ranks);
  Rows rows{std::vector<Row>(ranks), std::vector<Row>(ranks)};
  for (int step = 0; step < pattern.steps(size.ranks); ++step)
    for (int rank = 0; rank < size.ranks; ++rank)
      if (const auto send = pattern.send(size, step, rank)) {
        rows.sent[static_cast<std::size_t>(rank)].emplace_back(send->to, send->bytes);
        rows.received[static_cast<std::size_t>(send->to)].emplace_back(rank, send->bytes);
      }
  return rows;
}

Rows rows_of(const Counterpart& counterpart, PatternSize size) {
  const Problem problem{.operation = counterpart.operation,
                        .ranks = size.ranks,
                        .count = static_cast<std::int64_t>(size.bytes)};
  Rows rows;
  for (int rank = 0; rank < size.ranks; ++rank) {
    Row& sent = rows.sent.emplace_back();
    Row& received = rows.received.emplace_back();
    for (const collectives::Step& step : counterpart.schedule(problem, rank).steps) {
      for (const collectives::Send& send : step.sends)
        sent.emplace_back(send.to, static_cast<std::uint64_t>(send.from.count));
      for (const collectives::Receive& receive : step.receives)
        received.emplace_back(receive.from, static_cast<std::uint64_t>(receive.into.count));
    }
  }
  return rows;
}

TEST(Pattern, EachIsTheScheduleThatRuns) {
  EXPECT_EQ(counterparts.size(), patterns().size());
  for (const Pattern& one : patterns())
    for (int ranks = 2; ranks <= 64; ++ranks) {
      const PatternSize size{ranks, 1003};
      const Rows implicit = rows_of(one, size), run = rows_of(counterparts.at(one.name), size);
      ASSERT_EQ(implicit.sent, run.sent) << one.name << " of " << ranks;
      ASSERT_EQ(implicit.received, run.received) << one.name << " of " << ranks;
    }
}

TEST(Pattern, OneRankSendsNothing) {
  for (const Pattern& one : patterns()) EXPECT_EQ(one.steps(1), 0) << one.name;
}

TEST(Pattern, ClosedFormsAreTheSumOfSteps) {
  for (const Pattern& one : patterns())
    for (const int ranks : {2, 16, 256}) {
      const PatternSize size{ranks, std::uint64_t{1} << 24U};
      const double closed_us = one.closed_form_us(size, 3, 48500);
      EXPECT_NEAR(time_without_contention_us(one, size, 3, 48500), closed_us, 1e-9 * closed_us) << one.name;
    }
}

TEST(Pattern, ClosedFormsOfTheVectors) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const std::map<std::string, const char*> names = {
      {"ring all-reduce", "ring_all_reduce"},
      {"ring all-gather", "ring_all_gather"},
      {"recursive doubling all-reduce", "doubling_all_reduce"},
      {"halving-doubling all-reduce", "halving_doubling_all_reduce"},
      {"pairwise all-to-all", "pairwise_all_to_all"}};
  for (const nlohmann::json& vector : vector_json("closed_forms.json")) {
    const Pattern& one = pattern(names.at(vector.at("operation").get<std::string>()));
    const PatternSize size{vector.at("ranks").get<int>(), vector.at("vector_bytes").get<std::uint64_t>()};
    const double expected_us = vector.at("time_us").get<double>();
    // The vectors have six decimals.
    EXPECT_NEAR(one.closed_form_us(size, vector.at("step_latency_us").get<double>(),
                                   vector.at("bandwidth_bytes_per_us").get<double>()),
                expected_us, 1e-9 * expected_us + 5.1e-7)
        << vector;
  }
}

TEST(Pattern, TreesAndHalvingDependLessOnLatencyThanRings) {
  // 16,384 ranks, 22 us a step, a tiny vector.
  const PatternSize size{16384, 16384};
  EXPECT_NEAR(pattern("ring_all_reduce").closed_form_us(size, 22, 48500), 721e3, 1e3);
  EXPECT_NEAR(pattern("doubling_all_reduce").closed_form_us(size, 22, 48500), 313, 6);
  EXPECT_NEAR(pattern("halving_doubling_all_reduce").closed_form_us(size, 22, 48500), 617, 1);
}

TEST(Pattern, AnUnknownNameIsRefused) { EXPECT_THROW(pattern("ring"), core::Error); }

}  // namespace
}  // namespace assay::model::fabric
