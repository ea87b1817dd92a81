// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlapped_pass.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <stdexcept>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/core/tests/eventually.hpp"

namespace assay::collectives {
namespace {

using std::chrono::milliseconds;

double seconds_of(milliseconds time) { return std::chrono::duration<double>(time).count(); }

class Lasting final : public LayerWork {
 public:
  explicit Lasting(milliseconds layer) : layer_(layer) {}
  void layer() override {
    core::tests::work_for(seconds_of(layer_));
    ++computed;
  }
  std::optional<std::string> wrong() const override { return std::nullopt; }
  std::vector<core::Fact> facts() const override { return {}; }

  std::atomic<int> computed{0};

 private:
  milliseconds layer_;
};

PassTimes times_of(const PassPlan& plan, milliseconds layer, milliseconds exchange) {
  Lasting work(layer);
  OverlappedPass pass(plan, work, [=](std::size_t) { core::tests::work_for(seconds_of(exchange)); });
  return pass.run([] {});
}

const PassPlan hiding{.layers = 4, .depth = 1};

std::map<std::string, double> pass_figures(const std::vector<PassTimes>& times,
                                           const PassPlan& plan = hiding) {
  std::map<std::string, double> values;
  for (const core::Metric& metric : metrics_of(plan, times)) values[metric.name] = metric.value;
  return values;
}

TEST(ExchangeLane, RunsInOrderWhatIsAllowed) {
  std::vector<std::size_t> ran;
  ExchangeLane lane(4, [&](std::size_t which) { ran.push_back(which); });
  lane.allow(2);
  lane.await(2);
  EXPECT_EQ(ran, (std::vector<std::size_t>{0, 1}));
  lane.allow(4);
  lane.await(4);
  lane.restart();
  lane.allow(1);
  lane.await(1);
  EXPECT_EQ(ran, (std::vector<std::size_t>{0, 1, 2, 3, 0}));
}

TEST(ExchangeLane, ThrowsWhatAnExchangeThrew) {
  ExchangeLane lane(2, [](std::size_t which) {
    if (which == 1) throw core::Error(core::ErrorKind::team, "rank 3 is late");
  });
  lane.allow(2);
  EXPECT_NO_THROW(lane.await(0));
  EXPECT_THROW(lane.await(2), core::Error);
  EXPECT_THROW(lane.await(2), core::Error) << "it is used no more";
}

TEST(OverlappedPass, TimesEachAloneAndBothTogether) {
  const PassTimes times =
      times_of({.layers = 4, .bucket_layers = {1, 1, 1, 1}}, milliseconds(10), milliseconds(8));
  EXPECT_GE(times.compute_only, 0.040);
  EXPECT_GE(times.communication_only, 0.032);
  EXPECT_GE(times.ideal, 0.048);
  EXPECT_LT(times.ideal, times.compute_only + times.communication_only);
  EXPECT_GE(times.together, 0.048);
}

TEST(OverlappedPass, ExchangesABucketWhileLaterLayersCompute) {
  /// Layers that, in the part that runs together, do not end before the bucket ahead of them is exchanged.
  class Waiting final : public LayerWork {
   public:
    explicit Waiting(const std::atomic<int>& exchanged) : exchanged_(exchanged) {}
    void layer() override {
      const int awaited = begun_++;
      in_vain =
          in_vain || !core::tests::eventually([&] { return awaited <= 4 || exchanged_ >= awaited; }, 10);
    }
    std::optional<std::string> wrong() const override { return std::nullopt; }
    std::vector<core::Fact> facts() const override { return {}; }
    bool in_vain = false;

   private:
    const std::atomic<int>& exchanged_;
    int begun_ = 0;
  };
  std::atomic<int> exchanged{0};
  Waiting work(exchanged);
  OverlappedPass pass({.layers = 4, .bucket_layers = {1, 1, 1, 1}}, work, [&](std::size_t) { ++exchanged; });
  pass.run([] {});
  EXPECT_FALSE(work.in_vain);
  EXPECT_EQ(exchanged, 8);
}

TEST(OverlappedPass, ExchangesABucketNotBeforeItsLayersAreComputed) {
  Lasting work(milliseconds(1));
  std::vector<int> computed;
  OverlappedPass pass({.layers = 4, .bucket_layers = {3, 1}}, work,
                      [&](std::size_t) { computed.push_back(work.computed); });
  pass.run([] {});
  ASSERT_EQ(computed.size(), 4U);
  EXPECT_GE(computed[2], 4 + 3);
  EXPECT_EQ(computed[3], 4 + 4);
}

TEST(OverlappedPass, GathersALayerBeforeItComputes) {
  std::atomic<int> gathered{0};
  class Asking final : public LayerWork {
   public:
    explicit Asking(const std::atomic<int>& gathered) : gathered_(gathered) {}
    void layer() override { seen.push_back(gathered_); }
    std::optional<std::string> wrong() const override { return std::nullopt; }
    std::vector<core::Fact> facts() const override { return {}; }
    std::vector<int> seen;

   private:
    const std::atomic<int>& gathered_;
  } work(gathered);
  OverlappedPass pass({.layers = 3, .depth = 0}, work, [&](std::size_t) { ++gathered; });
  pass.run([] {});
  EXPECT_EQ(work.seen, (std::vector<int>{0, 0, 0, 3 + 1, 3 + 2, 3 + 3}));
}

TEST(OverlappedPass, WithoutPrefetchExposesEveryGather) {
  const PassTimes times = times_of({.layers = 4, .depth = 0}, milliseconds(5), milliseconds(5));
  EXPECT_GE(times.together, 0.040);
}

PassTimes made_up(double together) {
  return {.compute_only = 10,
          .communication_only = 8,
          .together = together,
          .compute_beside = 11,
          .communication_beside = 12,
          .ideal = 12};
}

TEST(PassMetrics, AreSharesOfWhatCouldHide) {
  const auto values = pass_figures({made_up(15), made_up(15)});
  EXPECT_DOUBLE_EQ(values.at("exposed_us"), 5e6);
  EXPECT_DOUBLE_EQ(values.at("exposed_share"), 5. / 8);
  EXPECT_DOUBLE_EQ(values.at("compute_slowdown"), 1.1);
  EXPECT_DOUBLE_EQ(values.at("communication_slowdown"), 1.5);
  EXPECT_DOUBLE_EQ(values.at("overlap_efficiency"), 0.5);  // 3 of the 6 that the ideal hides
}

TEST(PassMetrics, HaveNoEfficiencyWhereThePlanHidesNothing) {
  for (const PassPlan& plan :
       {PassPlan{.layers = 4, .bucket_layers = {4}}, {.layers = 4, .depth = 0}, {.depth = 3}})
    EXPECT_FALSE(pass_figures({made_up(15)}, plan).contains("overlap_efficiency"));
  EXPECT_TRUE(
      pass_figures({made_up(15)}, {.layers = 4, .bucket_layers = {1, 3}}).contains("overlap_efficiency"));
}

TEST(PassMetrics, HaveAnEfficiencyWhereMostPassesCouldHide) {
  PassTimes serial = made_up(18);
  serial.ideal = 18;
  EXPECT_DOUBLE_EQ(pass_figures({made_up(15), serial, made_up(15)}).at("overlap_efficiency"), 0.5);
  EXPECT_FALSE(pass_figures({serial, serial, made_up(15)}).contains("overlap_efficiency"));
}

TEST(OverlappedPass, TakesAtLeastEachSideAloneInAnyIdeal) {
  for (const PassPlan& plan : {PassPlan{.layers = 3, .bucket_layers = {1, 1, 1}}, {.layers = 3, .depth = 2}})
    for (const int exchange_ms : {0, 3}) {
      const PassTimes times = times_of(plan, milliseconds(1), milliseconds(exchange_ms));
      EXPECT_GE(times.ideal, times.compute_only * (1 - 1e-12));
      EXPECT_GE(times.ideal, times.communication_only * (1 - 1e-12));
    }
}

TEST(PassMetrics, HaveNoEfficiencyWhereNothingCanHide) {
  PassTimes serial = made_up(18);
  serial.ideal = 18;
  EXPECT_FALSE(pass_figures({serial}).contains("overlap_efficiency"));
  EXPECT_TRUE(pass_figures(std::vector<PassTimes>{}).empty());
}

TEST(PassTimes, OfRanksAreTheSlowestOfEachPart) {
  PassTimes other = made_up(14);
  other.communication_only = 9;
  const PassTimes slowest = slowest_of(made_up(15), other);
  EXPECT_EQ(slowest.together, 15);
  EXPECT_EQ(slowest.communication_only, 9);
}

TEST(PassTimes, AreReadAsTheyWereWritten) {
  const auto read = pass_times_from(to_text({made_up(15), made_up(0.25)}));
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].together, 0.25);
  EXPECT_EQ(read[1].ideal, 12);
  EXPECT_THROW(pass_times_from("1 2 3\n"), core::Error);
}

}  // namespace
}  // namespace assay::collectives
