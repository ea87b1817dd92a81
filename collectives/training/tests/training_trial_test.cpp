// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Training on ranks that are threads: it learns and repeats itself, and planted faults are named.
#include "collectives/training/training_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <map>
#include <thread>

#include "collectives/training/tests/plain_products.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using enum core::Verification::Result;
using testing::Contains;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

constexpr ModelShape tiny{
    .layers = 1, .hidden = 16, .sequence = 8, .sequences = 2, .head = 8, .vocabulary = 16};

/// What is wrong at one rank.
struct Planted {
  int rank = -1;
  PlainProducts::Damage damage = {};
  std::int64_t leaks_a_step = 0;
  std::function<std::int64_t()> read_memory = {};  // none: of what leaks_a_step says
  double pass_s = 1;
  int spoilt_receive = -1;  // of its exchanges, from 0
};

/// Flips a bit of one of the larger messages that a rank receives.
class FlippingTransport final : public Transport {
 public:
  FlippingTransport(std::unique_ptr<Transport> beneath, int which)
      : beneath_(std::move(beneath)), which_(which) {}
  int rank() const override { return beneath_->rank(); }
  int size() const override { return beneath_->size(); }
  void send(int to, std::span<const std::byte> bytes) override { beneath_->send(to, bytes); }
  void receive(int from, std::span<std::byte> bytes) override {
    received_ = bytes;
    beneath_->receive(from, bytes);
  }
  void wait() override {
    beneath_->wait();
    if (received_.size() > 64 && which_-- == 0) received_[2] ^= std::byte{0x40};
    received_ = {};
  }

 private:
  std::unique_ptr<Transport> beneath_;
  int which_;
  std::span<std::byte> received_ = {};
};

struct Seen {
  core::Verification verification;
  std::map<std::string, double> metrics;
  std::map<std::string, core::Scalar> facts;
};

TrainingTrial::Setup setup_of(int rank, std::unique_ptr<Transport> transport, const Planted& planted) {
  const bool is_planted = rank == planted.rank;
  if (is_planted && planted.spoilt_receive >= 0)
    transport = std::make_unique<FlippingTransport>(std::move(transport), planted.spoilt_receive);
  const auto seconds = std::make_shared<double>(0);
  const auto memory = std::make_shared<std::int64_t>(100 << 20);
  auto damage = is_planted ? planted.damage : PlainProducts::Damage{};
  const double pass_s = is_planted ? planted.pass_s : 1;
  return {.connected = {.post = std::make_shared<WatchPost>(rank, "127.0.0.1"),
                        .transport = std::move(transport),
                        .transport_name = "threads"},
          .shape = tiny,
          .algorithm = &algorithm(Operation::all_reduce, "ring"),
          .products = std::make_unique<PlainProducts>(
              tiny,
              [damage, seconds, pass_s](std::int64_t step, bool is_last, std::span<float> result) {
                if (is_last) *seconds += pass_s;
                if (damage) damage(step, is_last, result);
              }),
          .read_memory = is_planted && planted.read_memory
                             ? planted.read_memory
                             : [memory, by = is_planted ? planted.leaks_a_step : 0] { return *memory += by; },
          .seconds = [seconds] { return *seconds; }};
}

/// Trains, repeats `repeats` steps, and returns what each rank sees.
std::vector<Seen> trained(int ranks, const Planted& planted = {}, std::int64_t repeats = 20) {
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<Seen> seen(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      TrainingTrial trial(*teams[rank],
                          setup_of(static_cast<int>(rank), std::move(transports[rank]), planted));
      trial.sampling_begins();
      EXPECT_EQ(trial.enqueue(repeats).each_s.size(), static_cast<std::size_t>(repeats));
      seen[rank].verification = trial.check();
      const core::Measurement measured{.interval = {.estimate = 2, .lower = 1, .upper = 4}};
      for (const core::Metric& one : trial.metrics(measured)) seen[rank].metrics[one.name] = one.value;
      for (const auto& [name, value] : trial.facts()) seen[rank].facts[name] = value;
    });
  for (std::thread& thread : threads) thread.join();
  return seen;
}

/// Only the rank at fault says what is wrong.
void expect_fault(const std::vector<Seen>& seen, std::size_t at, const std::string& why) {
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    EXPECT_EQ(seen[rank].verification.result, rank == at ? wrong : not_checked)
        << rank << ": " << seen[rank].verification.why;
  }
  EXPECT_THAT(seen[at].verification.why, HasSubstr(why));
}

TEST(TrainingTrial, LearnsAndRepeatsItselfOnOneAndOnFourRanks) {
  std::string digest_of_one;
  for (const int ranks : {1, 4}) {
    const std::vector<Seen> seen = trained(ranks);
    for (const Seen& one : seen) EXPECT_EQ(one.verification.result, right) << one.verification.why;
    EXPECT_LT(seen[0].metrics.at("last_loss"), 0.9 * seen[0].metrics.at("first_loss"));
    EXPECT_EQ(seen[0].metrics.at("tokens_per_s"), ranks * 16 / 2.0);
    EXPECT_EQ(seen[0].verification.digest, trained(ranks)[0].verification.digest);
    EXPECT_NE(seen[0].verification.digest, digest_of_one);
    digest_of_one = seen[0].verification.digest;
    EXPECT_EQ(seen[0].facts.at("steps_repeated"), core::Scalar(std::int64_t{20}));
    EXPECT_THAT(seen[0].facts, Not(Contains(Key("straggler_rank"))));
  }
}

TEST(TrainingTrial, NamesTheRankOfAFlippedGradientBitBeforeTheExchange) {
  const auto seen =
      trained(4, {.rank = 2, .damage = [](std::int64_t step, bool is_last, std::span<float> result) {
                    if (step == training_steps + 7 && is_last)
                      result[5] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(result[5]) ^ 1U);
                  }});
  expect_fault(seen, 2,
               "step 8 of run 2: the gradients before the exchange are not the first run's, bit by bit");
}

TEST(TrainingTrial, NamesTheRankOfABitThatFlippedInTheExchange) {
  // A ring of four receives six times a step; no other rank gets the last of them from this one.
  const auto seen = trained(4, {.rank = 2, .spoilt_receive = 6 * 16 + 5});
  expect_fault(seen, 2, "step 17 of run 1: the weights are not those of 3 of 4 ranks, rank 0 among them");
}

TEST(TrainingTrial, NamesStepAndRankOfANaN) {
  const auto seen =
      trained(4, {.rank = 3, .damage = [](std::int64_t step, bool is_last, std::span<float> result) {
                    if (step == 16 && is_last) result[9] = std::numeric_limits<float>::quiet_NaN();
                  }});
  expect_fault(seen, 3,
               "step 17 of run 1: 1 elements of the gradients before the exchange are NaN or infinite");
}

TEST(TrainingTrial, NamesTheRankThatLeaks) {
  const auto seen = trained(4, {.rank = 1, .leaks_a_step = 128 << 10});
  expect_fault(seen, 1, "resident memory grew by ");
}

TEST(TrainingTrial, FindsMemoryThatIsNotGivenBack) {
  std::vector<std::vector<char>> kept;
  const auto keep = [&](std::int64_t, bool is_last, std::span<float>) {
    if (is_last) kept.emplace_back(256 << 10, 'x');
  };
  expect_fault(trained(1, {.rank = 0, .damage = keep, .read_memory = resident_bytes}), 0,
               "resident memory grew by ");
  EXPECT_EQ(trained(1, {.rank = 0, .read_memory = resident_bytes})[0].verification.result, right);
}

TEST(TrainingTrial, NamesTheRankThatIsSlow) {
  const std::vector<Seen> seen = trained(4, {.rank = 1, .pass_s = 1.25});
  for (const Seen& one : seen) EXPECT_EQ(one.verification.result, right) << one.verification.why;
  EXPECT_EQ(seen[0].facts.at("straggler_rank"), core::Scalar(std::int64_t{1}));
  EXPECT_EQ(seen[0].facts.at("straggler_late_us"), core::Scalar(250'000.0));
  EXPECT_EQ(seen[0].facts.at("straggler_host"), core::Scalar(std::string("thread1")));
}

TEST(TrainingTrial, ThatLearnsNothingIsWrong) {
  const auto seen = trained(1, {.rank = 0, .damage = [](std::int64_t, bool, std::span<float> result) {
                                  for (float& one : result) one = 0;
                                }});
  expect_fault(seen, 0, "the loss does not fall");
}

}  // namespace
}  // namespace assay::collectives
