// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/host/stream.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <thread>
#include <tuple>

#include "harness/host/pinned_threads.hpp"

namespace assay::memory {
namespace {

using ::testing::HasSubstr;
using Result = core::Verification::Result;

StreamSettings point(std::int64_t bytes, std::int64_t threads, const char* store,
                     std::string_view isa = fastest_isa) {
  return Stream::settings({{"bytes", bytes},
                           {"threads", threads},
                           {"store", std::string(store)},
                           {"isa", std::string(isa)},
                           {"pages", std::string("base")}});
}

int two_if_there_are() { return std::min<int>(2, static_cast<int>(std::thread::hardware_concurrency())); }

TEST(StreamLayout, CountsTheBytesOfAllArraysOfAllThreads) {
  const Kernel& triad = kernels[static_cast<std::size_t>(Formula::triad)];
  const StreamLayout layout(triad, 3 * 2 * 8 * 64 * 10, 2);
  EXPECT_EQ(layout.slice, 640u);
  EXPECT_EQ(layout.elements(), 1280u);
  EXPECT_EQ(layout.footprint(), 30720u);
  EXPECT_EQ(layout.array_stride % 64, 0u);
  EXPECT_EQ(layout.region_stride % 4096, 0u) << "threads would share a page";
}

TEST(StreamLayout, RoundsDownToWholeBlocks) {
  const Kernel& copy = kernels[static_cast<std::size_t>(Formula::copy)];
  EXPECT_EQ(StreamLayout(copy, 16 * 1024 + 511, 1).footprint(), 16u * 1024);
  EXPECT_EQ(StreamLayout(copy, 1023, 1).slice, 0u);
  EXPECT_EQ(StreamLayout(copy, -5, 0).slice, 0u);
}

TEST(StreamWork, CountsReadsAndWritesAndNamesTheReadForOwnership) {
  const Kernel& triad = kernels[static_cast<std::size_t>(Formula::triad)];
  const core::Work temporal = Stream::work(triad, point(3 * 512 * 4, 1, "temporal"));
  EXPECT_EQ(temporal.bytes, 3 * 512 * 4);
  EXPECT_THAT(temporal.bytes_counted, HasSubstr("2 read + 1 written an element of 8 bytes"));
  EXPECT_THAT(temporal.bytes_counted, HasSubstr("up to 32 bytes an element (1.33 times)"));
  const core::Work past = Stream::work(triad, point(3 * 512 * 4, 1, "nontemporal"));
  EXPECT_THAT(past.bytes_counted, Not(HasSubstr("not counted")));
  const Kernel& write = kernels[static_cast<std::size_t>(Formula::write)];
  EXPECT_THAT(Stream::work(write, point(4096, 1, "temporal")).bytes_counted, HasSubstr("(2.00 times)"));
}

using Combination = std::tuple<Kernel, std::string, std::size_t>;

class EveryKernel : public ::testing::TestWithParam<Combination> {
 protected:
  const Kernel& kernel() const { return std::get<0>(GetParam()); }
  StreamSettings at(std::int64_t threads) const {
    return point(96 * 1024, threads, std::get<1>(GetParam()).c_str(), instructions()->name);
  }
  const InstructionSet* instructions() const {
    const auto here = instruction_sets();
    const std::size_t index = std::get<2>(GetParam());
    return index < here.size() ? here[index] : nullptr;
  }
};

TEST_P(EveryKernel, IsVerifiedRightAndAFlippedBitIsFound) {
  if (instructions() == nullptr) GTEST_SKIP() << "this processor has fewer instruction sets";
  const int threads = two_if_there_are();
  host::HostSite site({.threads = threads});
  Stream stream(kernel(), at(threads), site);
  EXPECT_EQ(stream.facts().front().second, core::Scalar(std::string(instructions()->name)));
  EXPECT_EQ(stream.check().result, Result::not_checked);
  for (int run = 1; run <= 3; ++run) EXPECT_GT(stream.enqueue(run), 0);
  const core::Verification sound = stream.check();
  ASSERT_EQ(sound.result, Result::right) << sound.why;

  const std::span<double> last = stream.result(threads - 1);
  for (const std::size_t i : {std::size_t{0}, last.size() / 2, last.size() - 1}) {
    const double kept = last[i];
    last[i] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(kept) ^ (std::uint64_t{1} << 33));
    const core::Verification flipped = stream.check();
    EXPECT_EQ(flipped.result, Result::wrong) << i;
    EXPECT_THAT(flipped.why, HasSubstr(fmt::format("1 of {} elements wrong",
                                                   last.size() * static_cast<std::size_t>(threads))));
    last[i] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(stream.check().result, Result::wrong) << "NaN at " << i;
    last[i] = kept;
  }
  EXPECT_EQ(stream.check().result, Result::right);
}

INSTANTIATE_TEST_SUITE_P(Stream, EveryKernel,
                         ::testing::Combine(::testing::ValuesIn(kernels),
                                            ::testing::Values("temporal", "nontemporal"),
                                            ::testing::Values(0u, 1u, 2u)),
                         [](const auto& tested) {
                           return fmt::format("{}_{}_{}", std::get<0>(tested.param).name,
                                              std::get<1>(tested.param), std::get<2>(tested.param));
                         });

TEST(Stream, AWordThatChangesWhileReadingIsFoundInTheSums) {
  host::HostSite site{host::HostPlace{}};
  Stream stream(kernels[0], point(8192, 1, "temporal"), site);
  stream.enqueue(1);
  const std::span<double> values = stream.result(0);
  const double kept = values[17];
  values[17] += 1;
  stream.enqueue(1);
  values[17] = kept;
  const core::Verification verification = stream.check();
  EXPECT_EQ(verification.result, Result::wrong);
  EXPECT_THAT(verification.why, HasSubstr("1 sums of 2 rounds wrong"));
}

TEST(Stream, AWriteThatIsLostInTheLastRoundIsFound) {
  host::HostSite site{host::HostPlace{}};
  Stream stream(kernels[1], point(8192, 1, "temporal"), site);
  stream.enqueue(1);
  const double first_round = stream.result(0)[5];
  stream.enqueue(1);
  EXPECT_EQ(stream.check().result, Result::right);
  stream.result(0)[5] = first_round;
  EXPECT_EQ(stream.check().result, Result::wrong);
}

TEST(Stream, RunsTheFastestInstructionSetAndNamesIt) {
  host::HostSite site{host::HostPlace{}};
  for (const Kernel& kernel : kernels) {
    Stream stream(kernel, point(96 * 1024, 1, "temporal"), site);
    EXPECT_EQ(stream.check().result, Result::not_checked) << "trials are not samples";
    if (kernel.writes > 0) {
      EXPECT_TRUE(std::ranges::all_of(stream.result(0), [](double value) { return std::isnan(value); }))
          << kernel.name;
    }
    const core::Fact first = stream.facts().front();
    EXPECT_EQ(first.first, "instruction_set");
    EXPECT_NE(instruction_set_named(std::get<std::string>(first.second)), nullptr);
    EXPECT_GT(stream.enqueue(2), 0);
    EXPECT_EQ(stream.check().result, Result::right) << kernel.name;
  }
}

TEST(Stream, OfAnInstructionSetThatTheProcessorLacksIsUnsupported) {
  StreamSettings settings = point(96 * 1024, 1, "temporal");
  settings.isa = "altivec";
  EXPECT_EQ(Stream::unsupported(kernels[0], settings, machine::Machine{}),
            "isa=altivec: this processor does not execute it");
}

TEST(InstructionSets, ANarrowerOneRunsOnlyWhereItIsClearlyFaster) {
  const auto fastest = [](const std::vector<double>& seconds) { return clearly_fastest(seconds); };
  EXPECT_EQ(fastest({1}), 0U);
  EXPECT_EQ(fastest({1, 0.985, 0.99}), 0U);
  EXPECT_EQ(fastest({1, 0.97, 0.96}), 1U);
  EXPECT_EQ(fastest({1, 0.97, 0.9}), 2U);
  EXPECT_EQ(fastest({0.9, 1, 0.95}), 0U);
}

TEST(InstructionSets, AreOrderedAndEndWithWhatEveryProcessorHas) {
  ASSERT_FALSE(instruction_sets().empty());
  EXPECT_EQ(instruction_sets().back()->name, "sse2");
}

}  // namespace
}  // namespace assay::memory
