// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/expected/believable.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::results::expected {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

peers::PeerPoint rate_of(const std::string& case_name, const Fields& axes, double gb_per_s) {
  peers::PeerPoint point;
  point.host = "h1";
  point.case_name = case_name;
  point.axes = axes;
  point.metric = "bandwidth_gb_per_s";
  point.unit = "GB/s";
  point.value = gb_per_s;
  return point;
}

peers::PeerFile file_of(const std::vector<peers::PeerPoint>& points) {
  peers::PeerFile file{.path = {.path = "a.txt"}, .blocks = {}, .refusals = {}};
  peers::Findings findings;
  findings.tool = "nvbandwidth";
  findings.gpu_names = {"NVIDIA H100 80GB HBM3"};
  findings.points = points;
  file.blocks.push_back({"nvbandwidth text", findings, "", 1});
  return file;
}

bool is_above_physics(const peers::PeerPoint& point) {
  peers::PeerFile file = file_of({point});
  Believability(published_values({}), {}, {}).doubt({&file, 1});
  return std::ranges::any_of(file.blocks[0].findings.points[0].doubts, [](const peers::Doubt& doubt) {
    return doubt.kind == peers::DoubtKind::above_physics;
  });
}

TEST(Believability, HoldsCopiesInBothDirectionsAgainstBothDirections) {
  const auto copy = [](const char* ways, double gb_per_s) {
    return rate_of("offload.cuda.peer_copy", {{"bytes", 512 * mib}, {"ways", std::string(ways)}}, gb_per_s);
  };
  EXPECT_FALSE(is_above_physics(copy("one", 400)));
  EXPECT_TRUE(is_above_physics(copy("one", 780)));
  EXPECT_FALSE(is_above_physics(copy("both", 780)));
  EXPECT_TRUE(is_above_physics(copy("both", 950)));
}

TEST(Believability, HoldsAgainstMemoryOnlyWhatACacheCannotHold) {
  const auto triad = [](std::int64_t bytes, double gb_per_s) {
    return rate_of("memory.cuda.triad", {{"bytes", bytes}}, gb_per_s);
  };
  EXPECT_FALSE(is_above_physics(triad(24 * mib, 5500)));
  EXPECT_FALSE(is_above_physics(triad(768 * mib, 3100)));
  EXPECT_TRUE(is_above_physics(triad(768 * mib, 5500)));
}

TEST(Believability, DoubtsTheLaterOfTwoHostsWithTheSameNumbers) {
  std::vector<peers::PeerPoint> points(6, rate_of("memory.cuda.copy", {{"bytes", 768 * mib}}, 3000));
  std::vector<peers::PeerFile> files{file_of(points), file_of(points)};
  for (peers::PeerPoint& point : files[1].blocks[0].findings.points) point.host = "h2";
  Believability believability(published_values({}), {}, {});
  believability.doubt(files);
  EXPECT_TRUE(files[0].blocks[0].findings.points[0].doubts.empty());
  const peers::Doubts expected{{peers::DoubtKind::same_log, "h1, a.txt"}};
  EXPECT_EQ(files[1].blocks[0].findings.points[5].doubts, expected);
}

}  // namespace
}  // namespace assay::results::expected
