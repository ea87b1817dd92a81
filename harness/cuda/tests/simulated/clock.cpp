// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How long work takes on the GPUs of a pretended node, and what that does to their readings.
#include <chrono>
#include <mutex>
#include <set>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/core/tests/simulated/node.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

namespace assay::cuda::simulated {
namespace {

namespace h100 = core::simulated::h100;
using core::simulated::GpuActivity;
using core::simulated::Node;

class Together {
 public:
  void begins(int slot) {
    const std::lock_guard lock(mutex_);
    if (pending_ == 0) members_.clear();
    ++pending_;
    members_.insert(slot);
  }
  void ends() {
    const std::lock_guard lock(mutex_);
    --pending_;
  }
  bool all_work() {
    const std::lock_guard lock(mutex_);
    return members_.size() > 1 && static_cast<int>(members_.size()) == Node::shared().gpus();
  }

 private:
  std::mutex mutex_;
  std::set<int> members_;
  int pending_ = 0;
};

Together& together() {
  static auto& one = *new Together;  // streams end after main()
  return one;
}

bool throttles(int slot) { return slot == Node::shared().faults().throttling_gpu && together().all_work(); }

void show(GpuActivity& activity, bool throttled, double seconds) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  const double watts = throttled ? h100::throttled_power_w : h100::loaded_power_w;
  activity.power_mw = static_cast<std::uint32_t>(1000 * watts);
  activity.clock_mhz =
      static_cast<std::uint32_t>(throttled ? h100::throttled_clock_mhz : h100::loaded_clock_mhz);
  activity.celsius = static_cast<std::uint32_t>(throttled ? h100::throttled_c : h100::loaded_c);
  if (throttled) activity.throttled_ns += static_cast<std::uint64_t>(1e9 * seconds);
  activity.seen_working_ns = static_cast<std::uint64_t>(now);
}

}  // namespace

bool time_is_virtual() { return Node::shared().pretends(); }
void work_begins(int slot) { together().begins(slot); }
void work_ends() { together().ends(); }

double clock_mhz_of(int slot) { return throttles(slot) ? h100::throttled_clock_mhz : h100::loaded_clock_mhz; }

double spend_on(int slot, double seconds) {
  const bool throttled = throttles(slot);
  double took = seconds * Node::shared().slowness(slot) * Node::shared().disturbance(seconds);
  if (throttled) took *= h100::loaded_clock_mhz / h100::throttled_clock_mhz;
  show(Node::shared().activity(slot), throttled, took);
  return took;
}

}  // namespace assay::cuda::simulated
