// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/measure/measure.hpp"
#include "harness/team/agree.hpp"
#include "rdma/cases.hpp"
#include "rdma/tests/on_ranks.hpp"
#include "rdma/trials/latency_trial.hpp"
#include "rdma/trials/stream_trial.hpp"
#include "rdma/verbs/cm_connections.hpp"
#include "rdma/verbs/memory.hpp"

namespace assay::rdma {
namespace {

using core::Verification;
using fake::FakeVerbs;
using testing::HasSubstr;
using tests::Asked;
using tests::flow;
using tests::on_ranks;

const machine::Machine no_machine;

Schedule one_flow(const Settings& settings) { return {.rounds = {{flow(0, 1, settings)}}}; }

/// The verification by a trial of one flow after sampling, at the rank that holds the target.
Verification verified(const Settings& settings, const std::function<void()>& while_sampling = [] {}) {
  Verification at_target;
  const bool fetched = settings.message.operation == Operation::read;
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    StreamTrial trial(no_machine, team, settings, one_flow(settings));
    trial.enqueue(2);
    trial.sampling_begins();
    team.barrier(10);
    if (team.rank() == 0) while_sampling();
    trial.enqueue(20);
    trial.sampling_ends();
    const Verification one = trial.check();
    if ((team.rank() == 0) == fetched) at_target = one;
  });
  return at_target;
}

TEST(StreamTrial, FindsWhatArrivedRight) {
  for (const Operation operation : {Operation::write, Operation::write_imm, Operation::send, Operation::read,
                                    Operation::fetch_add, Operation::compare_swap}) {
    const FakeVerbs verbs;
    const Verification found =
        verified(tests::settings({.operation = operation, .bytes = atomic(operation) ? 8 : 100}));
    EXPECT_EQ(found.result, Verification::Result::right) << to_string(operation) << ": " << found.why;
  }
}

TEST(StreamTrial, FindsAWrongByte) {
  for (const Operation operation : {Operation::write, Operation::send, Operation::read}) {
    FakeVerbs verbs;
    const Verification found = verified(tests::settings({.operation = operation, .bytes = 100, .slots = 4}),
                                        [&] { verbs.spoil_messages(17); });
    EXPECT_EQ(found.result, Verification::Result::wrong);
    EXPECT_THAT(found.why,
                HasSubstr(to_string(operation) + " from rank 0 to rank 1, queue pair 0: slot 0: byte 17"));
  }
}

TEST(StreamTrial, FindsAMessageThatIsMissing) {
  FakeVerbs verbs;
  const Verification found =
      verified(tests::settings({.operation = Operation::send}), [&] { verbs.lose_message(3); });
  EXPECT_EQ(found.result, Verification::Result::wrong);
  EXPECT_THAT(found.why, HasSubstr(" messages arrived of "));
}

TEST(StreamTrial, FindsAnAtomicThatIsMissing) {
  FakeVerbs verbs;
  const Verification found = verified(tests::settings({.operation = Operation::fetch_add, .bytes = 8}),
                                      [&] { verbs.lose_message(3); });
  EXPECT_EQ(found.result, Verification::Result::wrong);
  EXPECT_THAT(found.why, HasSubstr("the counter holds "));
}

TEST(StreamTrial, MayLoseDatagramsAndChecksThoseThatCame) {
  FakeVerbs verbs;
  const Settings settings = tests::settings({.operation = Operation::send, .transport = Transport::ud});
  EXPECT_EQ(verified(settings, [&] { verbs.lose_message(3); }).result, Verification::Result::right);
}

TEST(StreamTrial, ChecksWritesOverUcThatArrived) {
  const FakeVerbs verbs;
  EXPECT_EQ(verified(tests::settings({.transport = Transport::uc})).result, Verification::Result::right);
}

TEST(StreamTrial, OfSeveralRoundsThatFailsAtOneRankEndsAtAllAtOnce) {
  FakeVerbs verbs;
  const Settings settings = tests::settings();
  const auto start = std::chrono::steady_clock::now();
  const auto ended = on_ranks(4, [&](team::Team& team) {
    std::optional<StreamTrial> trial;
    trial.emplace(
        no_machine, team, settings,
        Schedule{.rounds = {{flow(0, 1, settings)}, {flow(2, 3, settings)}, {flow(1, 3, settings)}}});
    if (team.rank() == 2) verbs.fail("ibv_post_send", 1, EIO, 2);
    team.barrier(10);
    const std::string whole =
        team::agree(team, [&] { return std::to_string(trial->enqueue(4).seconds); }).front();
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  for (const auto& rank : ended) {
    EXPECT_EQ(
        rank.what,
        "rank 2 (thread2): post a work request: Input/output error (errno 5); counters of mlx5_0: unknown: "
        "no counter of trouble could be read");
    EXPECT_FALSE(rank.lost);
  }
  EXPECT_EQ(verbs.left_over(), "");
}

TEST(StreamTrial, OfSeveralRoundsTakesTheSlowestOfEach) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings({.bytes = 1 << 16});
  std::vector<double> seconds(4);
  tests::all_well_on_ranks(4, [&](team::Team& team) {
    StreamTrial trial(no_machine, team, settings,
                      {.rounds = {{flow(0, 1, settings), flow(2, 3, settings)}, {flow(1, 2, settings)}}});
    seconds[static_cast<std::size_t>(team.rank())] = trial.enqueue(16).seconds;
  });
  EXPECT_GT(seconds[0], 0);
  EXPECT_EQ(seconds, std::vector<double>(4, seconds[0]));
}

TEST(StreamTrial, KnowsWhatAGigabyteCostsTheCpus) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings({.bytes = 65536});
  std::vector<core::Metric> of_leader;
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    StreamTrial trial(no_machine, team, settings, one_flow(settings));
    trial.enqueue(2);
    trial.sampling_begins();
    trial.enqueue(20'000);  // 1.3 GB
    trial.sampling_ends();
    const std::vector<core::Metric> own = trial.metrics({});
    const bool has = std::ranges::find(own, "cpu_s_per_gb", &core::Metric::name) != own.end();
    EXPECT_EQ(has, team.rank() == 0);
    if (team.rank() == 0) of_leader = own;
  });
  const auto cpu = std::ranges::find(of_leader, "cpu_s_per_gb", &core::Metric::name);
  ASSERT_NE(cpu, of_leader.end());
  EXPECT_GT(cpu->value, 0.005);  // a copy of each byte, at less than 200 GB/s
}

TEST(LoadedTrial, OffersAShareOfTheRateItMeasuredFirst) {
  const FakeVerbs verbs;
  const Settings settings = tests::settings({.bytes = 65536, .posting = {.tx_depth = 8}});
  std::vector<core::Metric> metrics;
  std::size_t samples = 0;
  tests::all_well_on_ranks(2, [&](team::Team& team) {
    LoadedTrial trial(no_machine, team, settings, {0, 1}, 20);
    trial.enqueue(2);
    trial.sampling_begins();
    const core::Timing timing = trial.enqueue(50);
    trial.sampling_ends();
    const std::vector<core::Metric> own = trial.metrics(core::Measurement{});
    if (team.rank() == 0) metrics = own;
    if (team.rank() == 0) samples = timing.each_s.size();
  });
  EXPECT_EQ(samples, 50U);
  const auto value = [&](const std::string& name) {
    return std::ranges::find(metrics, name, &core::Metric::name)->value;
  };
  EXPECT_GT(value("closed_loop_message_rate_m_per_s"), 0);
  EXPECT_NEAR(value("offered_message_rate_m_per_s") / value("closed_loop_message_rate_m_per_s"), 0.2, 1e-9);
}

TEST(LoadedTrial, ThatFailsWhileItMeasuresTheRateLeavesTheRanksInStep) {
  FakeVerbs verbs;
  verbs.fail("ibv_post_send", 40, EIO, 0);
  const Settings settings = tests::settings();
  const auto ended = on_ranks(2, [&](team::Team& team) {
    std::string what;
    LoadedTrial trial(no_machine, team, settings, {0, 1}, 50);
    try {
      team::agree(team, [&] { return std::to_string(trial.enqueue(10).seconds); });
    } catch (const team::PeerLost&) {
      throw;
    } catch (const core::Error& error) {
      what = error.what();
    }
    EXPECT_THAT(what, HasSubstr("post a work request: Input/output error (errno 5)"));
    const auto all = team::agree(team, [&] { return "still here " + std::to_string(team.rank()); });
    EXPECT_EQ(all, (std::vector<std::string>{"still here 0", "still here 1"}));
  });
  for (const auto& rank : ended) EXPECT_EQ(rank.what, "");
}

TEST(LatencyTrial, VerifiesAndTellsWhatItsLatencyCounts) {
  const FakeVerbs verbs;
  for (const auto& [operation, counts] :
       {std::pair{"send", "half of the round trip"}, {"read", "the round trip"}}) {
    const Settings settings =
        latency_settings(tests::point_with({{"operation", operation}, {"bytes", std::int64_t{64}}}));
    tests::all_well_on_ranks(2, [&, words = counts](team::Team& team) {
      LatencyTrial trial(no_machine, team, settings);
      trial.enqueue(2);
      trial.sampling_begins();
      team.barrier(10);
      trial.enqueue(20);
      trial.sampling_ends();
      EXPECT_EQ(trial.check().result, Verification::Result::right);
      const auto facts = trial.facts();
      const auto told = std::ranges::find(facts, "latency_counts", &core::Fact::first);
      ASSERT_NE(told, facts.end());
      EXPECT_EQ(std::get<std::string>(told->second), words);
      const std::vector<core::Metric> metrics = trial.metrics({});
      ASSERT_EQ(metrics.size(), team.rank() == 0 ? 2U : 0U);
      for (const core::Metric& metric : metrics) EXPECT_GT(metric.value, 0) << metric.name;
    });
  }
}

std::vector<core::Case> declared(const machine::Machine& machine) { return declared_cases(machine, 2); }

const core::Case& named(const std::vector<core::Case>& cases, const std::string& name) {
  return *std::ranges::find(cases, "rdma.verbs." + name, &core::Case::name);
}

TEST(Cases, SayWhyAPointCannotBe) {
  machine::Machine machine;
  const auto cases = declared(machine);
  const auto reason = [&](const char* name, const std::vector<std::pair<std::string, core::Value>>& values) {
    return named(cases, name).unsupported(tests::point_with(values)).value_or("none");
  };
  EXPECT_EQ(reason("bandwidth", {}), "no RDMA device in /sys/class/infiniband");
  EXPECT_EQ(reason("bandwidth", {{"operation", "read"}, {"transport", "uc"}}),
            "UC has no read (InfiniBand specification 1.4, table 38)")
      << "what is wrong on every machine comes first";
  EXPECT_THROW(reason("ring_shift", {{"shift", std::int64_t{2}}}), core::Error);
  EXPECT_THROW(reason("incast", {{"senders", std::int64_t{2}}}), core::Error);
  machine.hcas.emplace_back();
  EXPECT_EQ(reason("bandwidth", {}), "none");
  EXPECT_EQ(reason("bandwidth", {{"operation", "read"}, {"transport", "uc"}}),
            "UC has no read (InfiniBand specification 1.4, table 38)");
  EXPECT_EQ(reason("bandwidth", {{"connect", "rdma_cm"}}),
            cm_not_built() ? "built without librdmacm" : "none");
  EXPECT_EQ(reason("bandwidth", {{"memory", "cuda"}}),
            cuda_memory_not_built() ? "built without CUDA" : "none");
  EXPECT_EQ(reason("bandwidth", {{"connect", "rdma_cm"}, {"transport", "uc"}}),
            "rdma_cm connects rc only: connect=exchange takes the others");
  EXPECT_EQ(reason("connection_rate", {{"connect", "rdma_cm"}}),
            "it counts connections by exchanged attributes alone");
  EXPECT_EQ(reason("fault_drill", {{"connect", "rdma_cm"}, {"fault", "none"}}),
            "faults are planted into exchanged attributes, not into those of rdma_cm");
  EXPECT_EQ(reason("latency", {{"completion", "events"}}),
            "a write completes nothing at its target: there is no event to wait for (write_imm has one)");
  EXPECT_EQ(reason("latency_under_load", {{"load_percent", std::int64_t{50}}, {"completion", "events"}}),
            "an open loop posts by the clock: it cannot sleep until a completion's event");
}

TEST(Cases, RefuseAxesOfTheirOwnThatMakeNoSense) {
  const FakeVerbs verbs;
  const machine::Machine machine;
  const auto cases = declared_cases(machine, 4);
  const auto refusal = [&](const char* name, const char* axis, core::Value value) {
    try {
      named(cases, name).work(tests::point_with({{axis, std::move(value)}}));
    } catch (const core::Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(refusal("incast", "senders", std::int64_t{4}), "senders=4: 4 hosts have 3 besides the receiver");
  EXPECT_EQ(refusal("incast", "senders", std::int64_t{-1}), "senders=-1: expected 0 or more");
  EXPECT_EQ(refusal("ring_shift", "shift", std::int64_t{8}),
            "shift=8: with 4 hosts each would send to itself");
  EXPECT_EQ(refusal("bandwidth", "qps", std::int64_t{65}), "qps=65: mlx5_0 has 64 queue pairs");
}

}  // namespace
}  // namespace assay::rdma
