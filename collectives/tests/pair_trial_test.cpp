// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams and single messages between ranks that are threads.
#include "collectives/pair/pair_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "collectives/measure/cases.hpp"
#include "collectives/tests/spoiling_transport.hpp"
#include "collectives/transport/shared_memory_pair.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using Result = core::Verification::Result;
using testing::HasSubstr;

struct SeenOfPair {
  core::Timing timing;
  core::Verification verification;
  std::map<std::string, core::Metric> metrics;
  std::vector<core::Fact> facts;
};

/// Three ranks, of which the third is no end of the pair: what each sees of `iterations` messages.
template <class Trial>
std::vector<SeenOfPair> seen_by_ranks(std::int64_t iterations, std::int64_t bytes, bool spoilt = false) {
  auto teams = team::make_thread_teams(3);
  std::vector<SeenOfPair> seen(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      PairTrial::Setup setup{.transport = make_shared_memory_pair(*teams[rank], 20, Waiting::sleeping),
                             .transport_name = "shared memory",
                             .bytes = bytes,
                             .tx_depth = 4};
      if (spoilt && setup.transport)
        setup.transport = std::make_unique<SpoilingTransport>(std::move(setup.transport), 4);
      Trial trial(*teams[rank], std::move(setup));
      trial.enqueue(1);
      trial.sampling_begins();
      seen[rank].timing = trial.enqueue(iterations);
      if constexpr (requires { trial.sampling_ends(); }) trial.sampling_ends();
      seen[rank].verification = trial.check();
      core::Measurement measurement;
      measurement.interval = {.estimate = 2e-6, .lower = 1e-6, .upper = 4e-6};
      if constexpr (requires { trial.metrics(measurement); })
        for (const core::Metric& metric : trial.metrics(measurement))
          seen[rank].metrics[metric.name] = metric;
      seen[rank].facts = trial.facts();
    });
  for (std::thread& thread : threads) thread.join();
  return seen;
}

TEST(PairStream, IsTimedByTheSenderAndCheckedByTheReceiver) {
  const auto seen = seen_by_ranks<PairStream>(50, 100'000);
  EXPECT_GT(seen[0].timing.seconds, 0);
  EXPECT_EQ(seen[1].timing.seconds, 0);
  EXPECT_EQ(seen[0].verification.result, Result::not_checked);
  EXPECT_EQ(seen[1].verification.result, Result::right) << seen[1].verification.why;
  EXPECT_EQ(seen[2].verification.result, Result::not_checked);
}

/// Seconds for a gigabyte: a stream of 1 GB in one process, of which only the copies cost.
TEST(PairStream, KnowsWhatAGigabyteCostsTheCpus) {
  const auto seen = seen_by_ranks<PairStream>(1000, 1'000'000);
  const double cpu_s_per_gb = seen[0].metrics.at("cpu_s_per_gb").value;
  EXPECT_GT(cpu_s_per_gb, 0.01);                               // two copies, at less than 200 GB/s
  EXPECT_LE(cpu_s_per_gb, 3 * seen[0].timing.seconds + 0.05);  // of three threads
  EXPECT_TRUE(seen[1].metrics.empty());
}

TEST(PairStream, HasTheRateOfMessagesWithItsBounds) {
  const auto seen = seen_by_ranks<PairStream>(10, 64);
  const core::Metric rate = seen[0].metrics.at("message_rate_m_per_s");
  EXPECT_DOUBLE_EQ(rate.value, 0.5);
  EXPECT_DOUBLE_EQ(rate.lower.value_or(0), 0.25);
  EXPECT_DOUBLE_EQ(rate.upper.value_or(0), 1);
}

TEST(PairStream, NoticesASpoiltMessage) {
  const auto seen = seen_by_ranks<PairStream>(5, 64, true);
  EXPECT_EQ(seen[1].verification.result, Result::wrong);
  EXPECT_THAT(seen[1].verification.why, HasSubstr("byte 3 of the last message: expected 0x"));
}

TEST(PairPingPong, TimesEachMessageAndChecksBothEnds) {
  const auto seen = seen_by_ranks<PairPingPong>(40, 64);
  EXPECT_EQ(seen[0].timing.each_s.size(), 40U);
  EXPECT_TRUE(std::ranges::all_of(seen[0].timing.each_s, [](double each_s) { return each_s > 0; }));
  EXPECT_TRUE(seen[1].timing.each_s.empty());
  EXPECT_EQ(seen[0].verification.result, Result::right) << seen[0].verification.why;
  EXPECT_EQ(seen[1].verification.result, Result::right) << seen[1].verification.why;
  EXPECT_THAT(seen[0].facts, testing::Contains(core::Fact{"latency_counts", "half of the round trip"}));
}

core::Case pair_case(const std::string& name, int ranks = 2) {
  const auto all = declared_cases({}, ranks);
  return *std::ranges::find(all, "collectives." + name, &core::Case::name);
}

core::Point a_stream() {
  return {{"bytes", std::int64_t{4096}},
          {"completion", std::string("polling")},
          {"cpus", std::string("apart")},
          {"tx_depth", std::int64_t{16}}};
}

TEST(PairCases, SayWhyNot) {
  EXPECT_EQ(pair_case("tcp.bandwidth").unsupported(a_stream()), std::nullopt);
  EXPECT_EQ(pair_case("shared_memory.latency").unsupported(a_stream()), std::nullopt);
  for (const char* name :
       {"tcp.bandwidth", "tcp.latency", "shared_memory.bandwidth", "shared_memory.latency"})
    EXPECT_EQ(pair_case(name, 1).unsupported(a_stream()).value_or(""),
              "one rank has none to send to: --ranks 2 or more");
}

TEST(PairCases, ShareNoMemoryBetweenHosts) {
  auto teams = team::make_thread_teams(2);  // each thread a host
  const auto all = cases({}, *teams[0]);
  EXPECT_EQ(std::ranges::find(all, "collectives.shared_memory.bandwidth", &core::Case::name)
                ->unsupported(a_stream())
                .value_or(""),
            "rank 0 is on thread0 and rank 1 on thread1: they share no memory");
}

TEST(PairCases, NameAnAxisBeyondItsRange) {
  for (const auto& [axis, value, expected] :
       {std::tuple("bytes", std::int64_t{0}, "bytes=0: expected 1 to 1073741824"),
        {"bytes", std::int64_t{1} << 31, "bytes=2147483648: expected 1 to 1073741824"},
        {"tx_depth", std::int64_t{0}, "tx_depth=0: expected 1 to 65536"}}) {
    try {
      pair_case("tcp.bandwidth").work(a_stream().set(axis, value));
      ADD_FAILURE() << axis << " was accepted";
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(expected));
    }
  }
}

}  // namespace
}  // namespace assay::collectives
