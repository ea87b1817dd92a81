// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/standing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/core/error.hpp"

namespace assay::results::expected {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr double margin = 0.07;
constexpr std::int64_t gib = std::int64_t{1} << 30;

Question all_reduce(double busbw, std::int64_t bytes = gib) {
  return {
      .operation = "all_reduce", .system = "h100-sxm", .gpus = 8, .nodes = 1, .bytes = bytes, .value = busbw};
}

Standing standing(const Question& question, const Evidence& evidence = {}) {
  static const Published published = published_values({});
  return standing_of(question, published, evidence, margin);
}

TEST(Standing, IsBelowUsualWithThreeCausesThatAreToldApart) {
  const Standing found = standing(all_reduce(430));
  EXPECT_EQ(found.kind, StandingKind::below);
  EXPECT_DOUBLE_EQ(found.reference, 466.33);
  ASSERT_EQ(found.causes.size(), 3U);
  EXPECT_THAT(found.causes[0].what, HasSubstr("NVLinks of a GPU are down"));
  const std::string text = text_of(found, margin);
  EXPECT_THAT(text, HasSubstr("7.79 % below the lowest usual value (published); 7 % counts as equal"));
  EXPECT_THAT(text, HasSubstr("787.5 GB/s: NVLink of a GPU, 450 GB/s one way, where switches reduce (NVLS)"));
  EXPECT_THAT(text, HasSubstr("assay check (rows gpu.nvlink_state"));
}

TEST(Standing, NamesTheCauseWhoseUsualLossThisIs) {
  EXPECT_THAT(standing(all_reduce(466 * 0.77)).causes[0].what, HasSubstr("NVLS"));
  EXPECT_THAT(standing(all_reduce(20)).causes[0].what, HasSubstr("PCIe or host memory"));
  Question mi300x = all_reduce(312.9 * 0.77, 4 * gib);
  mi300x.system = "mi300x";
  ASSERT_FALSE(standing(mi300x).causes.empty());
  for (const FittingCause& cause : standing(mi300x).causes) EXPECT_THAT(cause.what, Not(HasSubstr("NVLS")));
}

TEST(Standing, IsUsualOrAboveWithoutACause) {
  EXPECT_EQ(standing(all_reduce(450)).kind, StandingKind::usual);
  EXPECT_TRUE(standing(all_reduce(450)).causes.empty());
  EXPECT_EQ(standing(all_reduce(520)).kind, StandingKind::above);
}

TEST(Standing, OfASizeThatNoOnePublishedIsUnknownAndNotInterpolated) {
  const Standing found = standing(all_reduce(430, gib / 2));
  EXPECT_EQ(found.kind, StandingKind::unknown);
  EXPECT_TRUE(found.causes.empty());
  const std::string text = text_of(found, margin);
  EXPECT_THAT(text, HasSubstr("unknown: no one published this setting"));
  EXPECT_THAT(text, HasSubstr("466.33 GB/s, typical, 8 GPUs, 1 GiB"));  // near, not usual
}

TEST(Standing, IsImpossibleAboveTheBoundOfTheLinks) {
  EXPECT_EQ(standing(all_reduce(800)).kind, StandingKind::impossible);
  Question gather = all_reduce(460);
  gather.operation = "all_gather";  // no switch can lessen what each GPU must receive
  EXPECT_EQ(standing(gather).kind, StandingKind::impossible);
}

TEST(Standing, TakesTheSitesOwnHistoryWhereNothingIsPublished) {
  const OwnHistory own{
      .store = "s.db", .values = 24, .hosts = 8, .lowest = 440, .median = 450, .highest = 455};
  const Standing found = standing(all_reduce(400, gib / 2), {.history = own});
  EXPECT_EQ(found.kind, StandingKind::below);
  EXPECT_EQ(found.reference_is, "own history");
  EXPECT_THAT(text_of(found, margin), HasSubstr("440 to 455, median 450: 24 values of 8 hosts (s.db)"));
}

TEST(Standing, StatesInJsonWhatEachPublishedValueIsOf) {
  const auto usual = json_of(standing(all_reduce(430)))["usual"][0];
  EXPECT_EQ(usual["kind"], "typical");
  EXPECT_EQ(usual["gpus"], 8);
  EXPECT_EQ(usual["nodes"], 1);
}

TEST(PhysicalBounds, CountWhatLeavesANode) {
  Question question = all_reduce(100);
  question.gpus = 16, question.nodes = 2, question.network = "8x400G RoCE";
  const Published published = published_values({});
  const auto bounds = physical_bounds(question, *published.system("h100-sxm"));
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_DOUBLE_EQ(bounds[0].value, 400 * (15.0 / 16) / (1.0 / 2));
  question.network = "8x400G InfiniBand NDR, SHARP";
  EXPECT_DOUBLE_EQ(physical_bounds(question, *published.system("h100-sxm"))[0].value, 400 * 2 * 15.0 / 16);
  question.network = "fast";
  EXPECT_TRUE(physical_bounds(question, *published.system("h100-sxm")).empty());
}

TEST(PhysicalBounds, ShareANodesAdaptersAmongTheGpusThatExchange) {
  Question question = all_reduce(100);
  question.operation = "all_to_all";
  question.gpus = 16, question.nodes = 2, question.network = "8x400G RoCE";
  const Published published = published_values({});
  EXPECT_DOUBLE_EQ(physical_bounds(question, *published.system("h100-sxm")).at(0).value, 50 * 15.0 / 8);
  question.gpus = 8;  // four of a node
  EXPECT_DOUBLE_EQ(physical_bounds(question, *published.system("h100-sxm")).at(0).value, 100 * 7.0 / 4);
}

TEST(PhysicalBounds, OfAMeshGrowWithTheNumberOfItsGpus) {
  Question question = all_reduce(40);
  question.gpus = 2;
  const Published published = published_values({});
  EXPECT_DOUBLE_EQ(physical_bounds(question, *published.system("mi300x"))[0].value, 64);
  question.gpus = 8;
  EXPECT_DOUBLE_EQ(physical_bounds(question, *published.system("mi300x"))[0].value, 448);
}

/// Each typical value that ships must be possible.
TEST(PublishedValues, AreBelowTheirBounds) {
  const Published published = published_values({});
  EXPECT_GT(published.values.size(), 80U);
  for (const PublishedValue& value : published.values) {
    Question question{.operation = value.operation,
                      .system = value.system,
                      .gpus = value.gpus,
                      .nodes = value.nodes,
                      .network = value.network,
                      .bytes = value.bytes,
                      .value = value.value};
    for (const PhysicalBound& bound : physical_bounds(question, *published.system(value.system)))
      EXPECT_LE(value.value, bound.value * 1.005)
          << value.system << " " << value.operation << " " << value.source;
  }
}

TEST(PublishedValues, AreExtendedByFilesOfASite) {
  const std::string path = testing::TempDir() + "site_values.toml";
  const std::string good =
      "[[value]]\nsystem = 'h100-sxm'\noperation = 'all_reduce'\ngpus = 8\nnodes = 1\n"
      "bytes = '512MiB'\nkind = 'typical'\nvalue = 455\nunit = 'GB/s'\nsource = 'our racks'\n";
  std::ofstream(path) << good;
  EXPECT_EQ(standing_of(all_reduce(430, gib / 2), published_values({path}), {}, margin).kind,
            StandingKind::usual);
  const auto refusal = [&](const std::string& text) {
    std::ofstream(path) << text;
    try {
      published_values({path});
    } catch (const core::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("[[value]]\nsystem = 'h100'\n"), HasSubstr("site_values.toml:1: value"));
  EXPECT_THAT(refusal(good + "colour = 'red'\n"), HasSubstr("colour"));
  std::string unknown = good;
  unknown.replace(unknown.find("h100-sxm"), 8, "h100-abc");
  EXPECT_THAT(refusal(unknown), HasSubstr("expected the name of a [[system]], got 'h100-abc'"));
}

TEST(PublishedValues, FindASystemByTheNameOfItsGpu) {
  const Published published = published_values({});
  ASSERT_NE(published.system_of_gpu("NVIDIA H100 80GB HBM3"), nullptr);
  EXPECT_EQ(published.system_of_gpu("NVIDIA H100 80GB HBM3")->name, "h100-sxm");
  EXPECT_EQ(published.system_of_gpu("NVIDIA A100-SXM4-80GB"), nullptr);
}

}  // namespace
}  // namespace assay::results::expected
