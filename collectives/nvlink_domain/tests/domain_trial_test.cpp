// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies over an NVLink domain whose ranks are threads, each with a simulated GPU.
#include "collectives/nvlink_domain/domain_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/measure/cases.hpp"
#include "collectives/nccl/tests/measured_world.hpp"
#include "collectives/watch/ask_posts.hpp"
#include "harness/core/tests/eventually.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::collectives {
namespace {

using cuda::simulated::gpu;
using testing::AllOf;
using testing::HasSubstr;
using Result = core::Verification::Result;

/// Runs `iterations` and returns what each rank sees, or why it refuses.
std::vector<Seen> seen_in_domain(const DomainPlan& plan, std::int64_t iterations, bool share = false) {
  auto teams = team::make_thread_teams(plan.ranks);
  auto transports = make_thread_transports(plan.ranks);
  std::vector<Seen> seen(teams.size());
  on_threads(plan.ranks, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    OneHostTeam team(std::move(teams[index]));
    try {
      auto trial = make_domain_trial(team, plan,
                                     {.post = std::make_shared<WatchPost>(rank),
                                      .transport = std::move(transports[index]),
                                      .transport_name = {}},
                                     share);
      trial->sampling_begins();
      team.barrier(20);
      if (iterations > 0) seen[index].timing = trial->enqueue(iterations);
      seen[index].verification = trial->check();
      seen[index].facts = as_texts(trial->facts());
      team.barrier(20);
    } catch (const core::Error& error) {
      seen[index].failure = error.what();
      seen[index].unsupported = dynamic_cast<const core::Unsupported*>(&error) != nullptr;
    }
  });
  return seen;
}

class NvlinkDomain : public testing::Test {
 protected:
  void SetUp() override { gpu().devices = 4; }
  void TearDown() override {
    gpu().devices = 1;
    gpu().exports_fabric_handles = gpu().has_imex_channel = true;
  }
};

TEST_F(NvlinkDomain, CopiesArriveInEveryPattern) {
  for (std::size_t pattern = 0; pattern < domain_patterns.size(); ++pattern)
    for (const bool target_copies : {false, true})
      for (const bool by_kernel : {false, true}) {
        const DomainPlan plan{.pattern = static_cast<DomainPattern>(pattern),
                              .ranks = 4,
                              .from = 1,
                              .to = 2,
                              .target_copies = target_copies,
                              .by_kernel = by_kernel,
                              .bytes = by_kernel ? 4096 : 4099};
        const auto seen = seen_in_domain(plan, 3);
        for (int rank = 0; rank < plan.ranks; ++rank) {
          const Seen& one = seen[static_cast<std::size_t>(rank)];
          EXPECT_EQ(one.failure, "");
          const bool receives = arrivals_at(rank, copies_of(plan)) > 0;
          EXPECT_EQ(one.verification.result, receives ? Result::right : Result::not_checked)
              << domain_patterns[pattern] << " at rank " << rank << ": " << one.verification.why;
          EXPECT_GT(one.timing.seconds, 0);
        }
      }
}

TEST_F(NvlinkDomain, WhatWasNotCopiedIsWrong) {
  const auto seen =
      seen_in_domain({.pattern = DomainPattern::all_to_one, .ranks = 3, .to = 0, .bytes = 64}, 0);
  EXPECT_EQ(seen[0].verification.result, Result::wrong);
  EXPECT_THAT(seen[0].verification.why, HasSubstr("from rank 1, byte 0 of the last message"));
}

TEST_F(NvlinkDomain, RecordsSayWhoCopied) {
  const auto seen = seen_in_domain({.pattern = DomainPattern::ring, .ranks = 4, .bytes = 64}, 1);
  EXPECT_EQ(seen[0].facts.at("copies"), "4");
  EXPECT_EQ(seen[0].facts.at("ranks"), "4");
  EXPECT_EQ(seen[0].facts.at("nodes"), "1");
  EXPECT_EQ(seen[0].facts.at("nvlink_domain"), "not reported");
  EXPECT_NE(seen[0].facts.at("gpu_pci_address"), seen[1].facts.at("gpu_pci_address"));
  EXPECT_FALSE(seen[0].facts.contains("not_a_performance_measurement"));
}

TEST_F(NvlinkDomain, RanksOfOneGpuOnlyCheck) {
  gpu().devices = 1;
  const auto refused = seen_in_domain({.ranks = 2, .bytes = 64}, 1);
  EXPECT_TRUE(refused[0].unsupported);
  EXPECT_THAT(refused[0].failure, HasSubstr("ranks 0 and 1 share the GPU"));
  const auto seen = seen_in_domain({.ranks = 2, .bytes = 64}, 1, true);
  EXPECT_EQ(seen[1].verification.result, Result::right);
  EXPECT_THAT(seen[0].facts.at("not_a_performance_measurement"), HasSubstr("cross no NVLink"));
}

TEST_F(NvlinkDomain, RefusalsNameWhatIsMissing) {
  gpu().has_imex_channel = false;
  auto seen = seen_in_domain({.ranks = 2, .bytes = 64}, 1);
  EXPECT_TRUE(seen[0].unsupported && seen[1].unsupported);
  EXPECT_THAT(seen[1].failure, HasSubstr("operation not permitted (error 800): it needs"));
  gpu().has_imex_channel = true;
  gpu().exports_fabric_handles = false;
  seen = seen_in_domain({.ranks = 2, .bytes = 64}, 1);
  EXPECT_TRUE(seen[0].unsupported);
  EXPECT_THAT(seen[0].failure, HasSubstr("exports no fabric handle"));
  gpu().exports_fabric_handles = true;
  seen = seen_in_domain({.ranks = 2, .bytes = std::int64_t{3} << 30}, 1);
  EXPECT_TRUE(seen[1].unsupported);
  EXPECT_THAT(seen[1].failure, AllOf(HasSubstr("the copies need 6442450944 bytes"), HasSubstr("are free")));
}

/// By what its post reports.
bool is_copying(const PostPlace& place) {
  const RankReport report = rank_report_from(ask_posts({place}, "look", 5).at(0).text);
  return std::ranges::any_of(report.latest, [](const FlightEntry& entry) {
    return entry.operation == Operation::send_receive && entry.state != FlightState::done;
  });
}

/// Copies take many seconds. The rank that only receives waits in the barrier, until its transport gives up.
TEST_F(NvlinkDomain, CopiesWithoutAnEndAreGivenUp) {
  auto teams = team::make_thread_teams(2);
  auto transports = make_thread_transports(2, 2);
  std::vector<std::shared_ptr<WatchPost>> posts{std::make_shared<WatchPost>(0),
                                                std::make_shared<WatchPost>(1)};
  std::vector<PostPlace> places{posts[0]->begin_point(), posts[1]->begin_point()};
  std::vector<std::string> failures(2);
  std::thread watch([&] {
    EXPECT_TRUE(core::tests::eventually([&] { return is_copying(places[0]); }));
    ask_posts(places, "give_up", 5);
  });
  on_threads(2, [&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    OneHostTeam team(std::move(teams[index]));
    const DomainPlan plan{.ranks = 2, .by_kernel = true, .bytes = 1 << 20};
    auto trial = make_domain_trial(
        team, plan, {.post = posts[index], .transport = std::move(transports[index]), .transport_name = {}},
        false);
    failures[index] = core::tests::message_of([&] { trial->enqueue(2000); });
  });
  watch.join();
  EXPECT_EQ(failures[0], "copy over NVLink: given up");
}

core::Case domain_case() {
  const auto all = declared_cases({}, 4);
  return *std::ranges::find(all, "collectives.nvlink_domain.copy", &core::Case::name);
}

core::Point a_domain_copy(const std::string& pattern) {
  return {{"pattern", pattern},          {"bytes", std::int64_t{4096}}, {"on", std::string("source")},
          {"by", std::string("engine")}, {"from", std::int64_t{3}},     {"to", std::int64_t{2}},
          {"blocks", std::int64_t{7}}};
}

TEST(NvlinkDomainCase, CountsAllCopies) {
  EXPECT_EQ(domain_case().work(a_domain_copy("pair")).bytes, 4096);
  EXPECT_EQ(domain_case().work(a_domain_copy("halves")).bytes, 4 * 4096);
  EXPECT_EQ(domain_case().work(a_domain_copy("all_to_one")).bytes, 3 * 4096);
}

TEST(NvlinkDomainCase, IsMeasuredOnceWhereAnAxisMeansNothing) {
  const core::Point ring = domain_case().representative(a_domain_copy("ring"));
  EXPECT_EQ(ring.integer("from"), 0);
  EXPECT_EQ(ring.integer("to"), 1);
  EXPECT_EQ(ring.integer("blocks"), 128);
  const core::Point by_kernel =
      domain_case().representative(a_domain_copy("pair").set("by", std::string("sm")));
  EXPECT_EQ(by_kernel.integer("from"), 3);
  EXPECT_EQ(by_kernel.integer("to"), 2);
  EXPECT_EQ(by_kernel.integer("blocks"), 7);
}

TEST(NvlinkDomainCase, NamesAnAxisBeyondItsRange) {
  for (const auto& [axis, value, expected] :
       {std::tuple("bytes", std::int64_t{0}, "bytes=0: expected 1 to 68719476736"),
        {"from", std::int64_t{-1}, "from=-1: expected 0 to 1024"},
        {"blocks", std::int64_t{0}, "blocks=0: expected 1 to 4096"}})
    EXPECT_EQ(core::tests::message_of([&] { domain_case().work(a_domain_copy("pair").set(axis, value)); }),
              expected);
  EXPECT_EQ(domain_case().unsupported(a_domain_copy("pair").set("to", std::int64_t{4})).value_or(""),
            "to=4: there are ranks 0 to 3");
}

}  // namespace
}  // namespace assay::collectives
