// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Closed forms of windows and buffers, and what the sharing rule makes of them.
#include "model/fabric/sharing/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "harness/core/error.hpp"
#include "model/fabric/sharing/dcqcn.hpp"
#include "model/fabric/sharing/occupancy.hpp"
#include "model/fabric/sharing/timeline.hpp"
#include "model/fabric/tests/packet_case.hpp"
#include "model/fabric/tests/vectors.hpp"

namespace assay::model::fabric {
namespace {

/// Rows 14 and 15 of the scenarios.
TEST(Window, ClosedFormsOfAdmission) {
  EXPECT_NEAR(window_for_full_rate(50000, {22, 0}), 1.1e6, 1e-6);
  const double window = 0.3e6;  // too small for either
  EXPECT_NEAR(rate_under_window(window, 50000, {22, 4}) / rate_under_window(window, 50000, {22, 43}), 2.5,
              1e-9);
  EXPECT_EQ(rate_under_window(10e6, 50000, {22, 43}), 50000);
}

TEST(Window, HeadroomAndResume) {
  const PausedLink link{
      .gbit_per_s = 400, .metres = 100, .far_packet_bytes = 4178, .near_packet_bytes = 4178};
  EXPECT_NEAR(headroom_bytes(link), 50000 + 57920 + 8420, 1e-6);
  EXPECT_NEAR(least_resume_bytes(link), 50000 + 57920, 1e-6);
  EXPECT_THROW(headroom_bytes({.gbit_per_s = 56}), core::Error);
}

TEST(Window, TheWatchdogTakesASlowDrainForADeadlock) {
  EXPECT_LT(pause_us(491520, 409600, 48200, 8), watchdog_us);
  EXPECT_GT(pause_us(491520, 409600, 0.2, 8), watchdog_us);
  EXPECT_TRUE(std::isinf(pause_us(491520, 409600, 0, 8)));
}

TEST(Window, TheQueueOfAnIncastIsWhatIsInFlightAboveTheRoundTrip) {
  // 16 windows of 64 KiB over links of 400 Gbit/s, a round trip of 8 us: packets had 736 kB in one queue.
  const std::vector<double> windows(16, 65536);
  const double queue = incast_queue_bytes(windows, packet_goodput, 8);
  EXPECT_NEAR(queue, 736e3, 0.15 * 736e3);
  EXPECT_TRUE(incast_without_pause(queue, 8, 480 * 1024));
  EXPECT_FALSE(incast_without_pause(queue, 1, 480 * 1024));
  EXPECT_EQ(incast_queue_bytes(windows, packet_goodput, 30), 0);
}

TEST(Window, ASharedBufferSettlesWhereEachPortHoldsAlphaTimesWhatIsFree) {
  const auto check = [](double alpha, double buffer, const std::vector<double>& potentials) {
    const double threshold = shared_threshold(alpha, buffer, potentials);
    double held = 0;
    for (const double potential : potentials) held += std::min(potential, threshold);
    EXPECT_NEAR(threshold, alpha * (buffer - held), 1e-9 * buffer);
    return threshold;
  };
  EXPECT_NEAR(check(1, 900, {1e9, 1e9}), 300, 1e-9) << "alpha B / (1 + n alpha)";
  EXPECT_NEAR(check(2, 1000, {100, 1e9}), 600, 1e-9);
  check(0.5, 64e6, {1e6, 2e6, 3e6, 40e6, 50e6, 5e5});
  EXPECT_NEAR(check(1, 900, {}), 900, 1e-9);
  EXPECT_THROW(shared_threshold(0, 900, {}), core::Error);
  EXPECT_THROW(shared_threshold(1, 0, {}), core::Error);
}

/// Whether pauses reach hosts while all flows of a case are active, and the sum of their rates.
struct Incast {
  bool pauses_hosts = false, pauses_any = false;
  double rate = 0;
};
Incast share(const PacketCase& one, double window_bytes, double receiver_factor = 1) {
  std::vector<QueueSettings> queues(one.links.size(), {packet_goodput, one.pause_above_bytes});
  queues[one.paths[0].back()].capacity *= receiver_factor;
  std::vector<SenderSettings> senders;
  for (const Message& message : one.messages)
    senders.push_back({std::min(window_bytes, message.bytes), std::min(packet_goodput, window_bytes / 8)});
  Occupancy rule(one.paths, queues, senders);
  std::vector<FlowId> flows(one.paths.size());
  std::iota(flows.begin(), flows.end(), FlowId{0});
  std::vector<double> rates(flows.size());
  rule.share(flows, rates);
  Incast incast{.rate = std::accumulate(rates.begin(), rates.end(), 0.0)};
  for (LinkId link = 0; link < one.links.size(); ++link) {
    incast.pauses_any |= rule.is_paused(link);
    incast.pauses_hosts |= rule.is_paused(link) && one.links[link].starts_with("host");
  }
  return incast;
}

constexpr double unlimited = 1e12;

/// Row 12: as in the packet simulations, where 201, 0, 0 and 0 pauses reached hosts, of 653, 211, 89 and 0.
TEST(Window, WindowsKeepPausesFromHosts) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const PacketCase one = packet_case("incast16");
  EXPECT_TRUE(share(one, unlimited).pauses_hosts);
  EXPECT_FALSE(share(one, 131072).pauses_hosts);
  EXPECT_TRUE(share(one, 131072).pauses_any);
  // Eight windows of 64 KiB are more than XOFF, and count as paused here; the packets just avoided it.
  EXPECT_FALSE(share(one, 32768).pauses_any);
  const double sender_driven_us = simulate(one).makespan_us();
  EXPECT_NEAR(simulate(packet_case("window_64k_incast16")).makespan_us(), sender_driven_us,
              0.01 * sender_driven_us);
}

/// Row 13: the receiver at a quarter of its rate.
TEST(Window, ASlowReceiverGetsItsRateWithoutPauses) {
  if (!has_vectors()) GTEST_SKIP() << no_vectors;
  const PacketCase one = packet_case("incast16");
  for (const double window_bytes : {unlimited, 32768.0})
    EXPECT_NEAR(share(one, window_bytes, 0.25).rate, 0.25 * packet_goodput, 0.01 * packet_goodput);
  EXPECT_FALSE(share(one, 32768, 0.25).pauses_any);
}

/// Row 21: thresholds of DCQCN against the time of an all-reduce (by utilisation) and the queue that pauses.
TEST(Window, TightDcqcnThresholdsCostTimeAndSavePauses) {
  const auto run = [](double scale) {
    DcqcnSettings settings{.flows = 2};
    settings.mark_from_bytes *= scale;
    settings.mark_all_from_bytes *= scale;
    return integrate_dcqcn(settings);
  };
  const DcqcnRun tight = run(0.02), usual = run(1), loose = run(4);
  EXPECT_LT(tight.utilisation, usual.utilisation);
  EXPECT_LE(usual.utilisation, loose.utilisation + 1e-9);
  const auto peak = [](const DcqcnRun& one) { return one.mean_queue_bytes + 2 * one.deviation_bytes; };
  EXPECT_LT(peak(tight), peak(usual));
  EXPECT_LT(peak(usual), peak(loose));
}

}  // namespace
}  // namespace assay::model::fabric
