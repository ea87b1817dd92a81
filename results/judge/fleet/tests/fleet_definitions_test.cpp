// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/series/fleet_doubts.hpp"
#include "results/tests/run_builder.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class HostsOfAFleet : public testing::Test {
 protected:
  using Change = void (*)(PointRecord&);
  /// A host whose context counts `gpus` GPUs, of which it measured these.
  void add_host(const std::string& host, std::size_t gpus, const std::vector<int>& measured,
                Change change = nullptr) {
    test::RunBuilder builder("run-" + host);
    builder.begin(0, "gemm");
    for (const int gpu : measured)
      builder.measured(
          builder.point("gemm.cuda.product", {{"gpu", std::int64_t{gpu}}, {"m", std::int64_t{64}}}),
          1e-4 * (1 + 1e-6 * ++points_), {"time_us", "us", [](double s) { return s * 1e6; }});
    builder.end();
    std::vector<Record> records = builder.take();
    for (Record& record : records) {
      if (auto* context = std::get_if<ContextRecord>(&record)) {
        context->host = host;
        context->machine["gpus"] = nlohmann::ordered_json::array();
        for (std::size_t gpu = 0; gpu < gpus; ++gpu)
          context->machine["gpus"].push_back(
              {{"index", gpu}, {"name", "H100"}, {"uuid", fmt::format("{}-{}", host, gpu)}});
      }
      if (auto* point = std::get_if<PointRecord>(&record); point != nullptr && change != nullptr)
        change(*point);
    }
    store_.add(records);
  }

  std::vector<std::string> doubts() {
    std::vector<std::string> lines;
    const std::vector<MeasuredFleet> fleets = read_fleet(store_, "", {});
    for (const FleetIssue& doubt : fleets.front().host_doubts) lines.push_back(doubt.reason);
    return lines;
  }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "s.sqlite"};
  int points_ = 0;  // no two measure the same
};

TEST_F(HostsOfAFleet, AreInNoDoubtWhereAllHostsMeanTheSame) {
  for (const char* host : {"h1", "h2", "h3"}) add_host(host, 2, {0, 1});
  EXPECT_THAT(doubts(), IsEmpty());
}

TEST_F(HostsOfAFleet, NameTheHostWhosePointMeansSomethingElse) {
  const Change changes[] = {[](PointRecord& point) { point.time->quantile = 0.99; },
                            [](PointRecord& point) { point.work_bytes = 128; },
                            [](PointRecord& point) { point.work_flops = 128; },
                            [](PointRecord& point) { point.bytes_counted = "read and written"; },
                            [](PointRecord& point) { point.conditions = {{"ranks", std::int64_t{4}}}; }};
  const char* const named[] = {"quantile of the time '0.99', on most hosts '0.5'",
                               "bytes of an iteration '128.0'", "FLOPs of an iteration '128.0'",
                               "how bytes are counted 'read and written'", "ranks '4'"};
  for (const char* host : {"h1", "h2", "h3"}) add_host(host, 1, {0});
  for (std::size_t at = 0; at < std::size(changes); ++at)
    add_host(fmt::format("x{}", at), 1, {0}, changes[at]);
  const auto told = doubts();
  ASSERT_EQ(told.size(), std::size(changes));
  for (std::size_t at = 0; at < std::size(changes); ++at)
    EXPECT_THAT(told,
                testing::Contains(testing::AllOf(
                    HasSubstr(fmt::format("host x{}: gemm.cuda.product/m=64 does not mean the same", at)),
                    HasSubstr(named[at]))));
  EXPECT_EQ(accept(read_fleet(store_, "", {}).front(), {}).verdict(), Verdict::inconclusive);
}

// As under CUDA_VISIBLE_DEVICES=0: every host measured its first GPU, and all were alike.
TEST_F(HostsOfAFleet, NameTheGpusThatNobodyMeasured) {
  add_host("h1", 4, {0, 1, 2, 3});
  add_host("h2", 4, {0, 2});
  EXPECT_THAT(doubts(), ElementsAre("host h2: it has 4 GPUs, and of 2 nothing was measured: 1 3"));
}

TEST(MeasuredGpus, AreAskedForOnlyWhereAnyWasMeasured) {
  MeasuredGpus gpus;
  gpus.count("h1", 4);
  EXPECT_THAT(gpus.unmeasured(), IsEmpty());
}

}  // namespace
}  // namespace assay::results
