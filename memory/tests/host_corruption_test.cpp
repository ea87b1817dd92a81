// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The probe of host memory: sound copies pass, damaged ones are found and named, the self-test sees every
// flip.
#include "memory/host/host_corruption.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "memory/copy_pattern.hpp"

namespace assay::memory {
namespace {

using enum core::Verification::Result;
using testing::HasSubstr;

HostSettings point(std::int64_t threads = 2) {
  return host_settings(
      {{"bytes", 65536}, {"threads", threads}, {"numa", -1}, {"cpu_node", -1}, {"pages", "base"}});
}

/// Both ranks may share a CPU: this is about bytes, not time.
host::HostSite site(int threads = 2) {
  return {std::vector<int>(static_cast<std::size_t>(threads), host::choose_cpus(1, -1).front()), -1};
}

TEST(HostCorruption, SoundCopiesPassWithTheSameDigestEachTime) {
  std::string digest;
  for (const std::int64_t rounds : {1, 5}) {
    auto here = site();
    HostCorruption probe(point(), here);
    EXPECT_GT(probe.enqueue(rounds), 0);
    const core::Verification verdict = probe.check();
    EXPECT_EQ(verdict.result, right) << verdict.why;
    EXPECT_EQ(verdict.digest.size(), 32u);
    EXPECT_TRUE(digest.empty() || digest == verdict.digest);
    digest = verdict.digest;
    EXPECT_EQ(probe.metrics({}).at(0).value, static_cast<double>((rounds + 1) * 65536));
  }
}

TEST(HostCorruption, OneFlippedBitInOneRoundOfOneThreadIsNamed) {
  auto here = site();
  HostCorruption probe(point(), here);
  probe.damage_with([](std::span<std::uint64_t> copy, int rank, std::uint64_t round) {
    if (rank == 1 && round == 2) copy[10] ^= std::uint64_t{1} << 33;
  });
  probe.enqueue(4);
  const core::Verification verdict = probe.check();
  EXPECT_EQ(verdict.result, wrong);
  // The second thread's source begins at 16 KiB of all sources.
  EXPECT_THAT(verdict.why,
              HasSubstr("1 of 40960 words in 5 rounds are wrong: first offset 0x4050: expected "));
  EXPECT_THAT(verdict.why, HasSubstr("xor 0x200000000"));
}

TEST(HostCorruption, ALineThatWentToANeighboursPlaceIsFound) {
  auto here = site(1);
  HostCorruption probe(point(1), here);
  probe.damage_with([](std::span<std::uint64_t> copy, int, std::uint64_t round) {
    if (round == 0)
      for (std::size_t i = 0; i < 8; ++i) copy[8 + i] = copy[i];
  });
  probe.enqueue(1);
  EXPECT_THAT(probe.check().why, HasSubstr("first offset 0x40: "));
}

TEST(HostCorruption, ThatNeverRanIsNotChecked) {
  auto here = site();
  HostCorruption probe(point(), here);
  EXPECT_EQ(probe.check().result, not_checked);
}

TEST(HostCorruption, CasesRunAndRefuseWhatCannotBe) {
  const std::vector<core::Case> cases = host_corruption_cases({});
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "memory.host.corruption");
  EXPECT_EQ(cases[1].name, "memory.host.corruption_self_test");
  core::Point small = core::sweep(cases[0].axes).front();
  small.set("bytes", std::int64_t{100});
  EXPECT_THAT(cases[0].unsupported(small).value(), HasSubstr("bytes=100: 1 threads need at least 128 bytes"));
  for (const core::Case& one : cases) {
    core::Point smaller = core::sweep(one.axes).front();
    smaller.set("bytes", std::int64_t{4096});
    ASSERT_EQ(one.unsupported(smaller), std::nullopt);
    const auto trial = one.prepare(smaller);
    trial->run(1);
    EXPECT_EQ(trial->verify().result, right) << one.name;
  }
}

TEST(HostSelfTest, CatchesEveryBitOfAWordAndAStuckLine) {
  auto here = site(1);
  HostSelfTest test({.words = 512, .plan = {.seed = 1, .each = 2}}, here);
  test.enqueue(1);
  const core::Verification verdict = test.check();
  EXPECT_EQ(verdict.result, right) << verdict.why;
  EXPECT_EQ(verdict.why, "all 132 planted faults were found by words; digest found 132");
}

TEST(HostSelfTest, RefusesDosesThatAreNone) {
  for (const std::int64_t faults : {0, 1001})
    EXPECT_THROW(HostSelfTest::settings({{"words", 512}, {"faults", faults}, {"seed", 1}}), core::Error);
  EXPECT_THROW(HostSelfTest::settings({{"words", 8}, {"faults", 1}, {"seed", 1}}), core::Error);
}

}  // namespace
}  // namespace assay::memory
