// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The waits between the parts of a pass on a GPU, on the simulated one.
#include "collectives/overlap/device_pass.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "harness/core/tests/eventually.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::collectives {
namespace {

constexpr double layer_s = 4e-3;

std::string mark_of(char what, std::size_t which) { return what + std::to_string(which); }

/// Records what a pass did, in order: "c0" and "C0" are a layer's beginning and end, "x0" and "X0" an
/// exchange's.
class SeenPass {
 public:
  SeenPass(PassPlan plan, double exchange_s)
      : exchange_s_(exchange_s), compute_(cuda::make_stream()), exchange_(cuda::make_stream()) {
    pass_.emplace(std::move(plan), DevicePassWork{.compute_stream = compute_.get(),
                                                  .exchange_stream = exchange_.get(),
                                                  .compute = [this](int layer) { compute(layer); },
                                                  .exchange = [this](std::size_t which) { exchange(which); },
                                                  .wait_for_exchanges = [this] { wait(); },
                                                  .barrier = [this] { ++barriers; }});
  }

  PassTimes run() {
    marks.clear();
    return pass_->run();
  }
  /// In the part that ran together.
  std::ptrdiff_t place(const std::string& mark) const {
    const auto last = std::ranges::find(marks.rbegin(), marks.rend(), mark);
    EXPECT_NE(last, marks.rend()) << mark;
    return marks.rend() - last;
  }
  void expect_before(const std::string& one, const std::string& other) const {
    EXPECT_LT(place(one), place(other)) << one << " before " << other;
  }

  int barriers = 0;
  std::vector<std::string> marks;
  /// Indexed by layer: a mark without which it does not end, where both run together.
  std::map<int, std::string> does_not_end_before;

 private:
  void queue(cudaStream_t stream, char begin, char end, std::size_t which, double seconds,
             const std::string& awaited = {}) {
    cuda::simulated::queue_work(stream, [=, this] {
      mark(begin, which);
      core::tests::work_for(seconds);
      core::tests::eventually([&] { return awaited.empty() || has(awaited); }, 10);
      mark(end, which);
    });
  }
  void compute(int layer) {
    const auto awaited = does_not_end_before.find(layer);
    const bool waits = barriers == 3 && awaited != does_not_end_before.end();
    queue(compute_.get(), 'c', 'C', static_cast<std::size_t>(layer), layer_s,
          waits ? awaited->second : std::string());
  }
  void exchange(std::size_t which) { queue(exchange_.get(), 'x', 'X', which, exchange_s_); }
  void wait() { ASSERT_EQ(cudaStreamSynchronize(exchange_.get()), cudaSuccess); }
  /// Seen so far where both run together, after each was seen alone.
  bool has(const std::string& mark) {
    const std::lock_guard lock(mutex_);
    return std::ranges::count(marks, mark) == 2;
  }
  void mark(char what, std::size_t which) {
    const std::lock_guard lock(mutex_);
    marks.push_back(mark_of(what, which));
  }

  double exchange_s_;
  std::mutex mutex_;
  cuda::Stream compute_, exchange_;
  std::optional<DevicePass> pass_;
};

TEST(DevicePass, ExchangesABucketOnceItsLayersAreComputed) {
  for (const std::vector<int>& buckets : {std::vector{2, 2, 1}, {1, 1, 1, 1, 1}, {5}}) {
    SeenPass seen({.layers = 5, .bucket_layers = buckets}, layer_s / 4);
    std::vector<std::size_t> next_layers;  // of each bucket, which its exchange must not wait for
    std::size_t next = 0;
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
      next_layers.push_back(next += static_cast<std::size_t>(buckets[bucket]));
      seen.does_not_end_before[static_cast<int>(next)] = mark_of('X', bucket);
    }
    seen.run();
    for (std::size_t bucket = 0; bucket < buckets.size(); ++bucket) {
      seen.expect_before(mark_of('C', next_layers[bucket] - 1), mark_of('x', bucket));
      if (next_layers[bucket] < 5)
        seen.expect_before(mark_of('X', bucket), mark_of('C', next_layers[bucket]));
    }
  }
}

TEST(DevicePass, ComputesALayerOnceItsWeightsAreThere) {
  for (const int depth : {0, 1, 3}) {
    SeenPass seen({.layers = 5, .depth = depth}, layer_s / 4);
    for (int layer = 0; depth > 0 && layer < 4; ++layer)
      seen.does_not_end_before[layer] = mark_of('x', static_cast<std::size_t>(layer) + 1);
    seen.run();
    for (std::size_t layer = 0; layer < 5; ++layer) {
      seen.expect_before(mark_of('X', layer), mark_of('c', layer));
      const std::size_t ahead = layer + static_cast<std::size_t>(depth) + 1;
      if (ahead < 5) seen.expect_before(mark_of('C', layer), mark_of('x', ahead));
      if (depth > 0 && layer < 4) seen.expect_before(mark_of('x', layer + 1), mark_of('C', layer));
    }
  }
}

TEST(DevicePass, TimesEachAloneAndBothTogether) {
  SeenPass seen({.layers = 4, .bucket_layers = {1, 1, 2}}, 2 * layer_s);
  const PassTimes times = seen.run();
  EXPECT_EQ(seen.barriers, 3);
  EXPECT_EQ(seen.marks.size(), 2 * 2 * (4U + 3U));
  EXPECT_GE(times.compute_only, 4 * layer_s);
  EXPECT_GE(times.communication_only, 3 * 2 * layer_s);
  EXPECT_GE(times.ideal, (1 + 3 * 2) * layer_s);
  EXPECT_LT(times.ideal, times.compute_only + times.communication_only);
  EXPECT_GE(times.together, (1 + 3 * 2) * layer_s);
  EXPECT_GE(times.compute_beside, 4 * layer_s);
  EXPECT_GE(times.communication_beside, 3 * 2 * layer_s);
  EXPECT_LE(times.communication_beside, times.together) << "without what it waited for";
}

}  // namespace
}  // namespace assay::collectives
