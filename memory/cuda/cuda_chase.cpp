// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_chase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda/cuda_operands.hpp"

namespace assay::memory {
namespace {

// The global timer ticks as slowly as every microsecond on some GPUs: a launch clocks at least this many
// loads.
constexpr std::uint64_t fewest_steps = 4096;

// The L1 is empty when a kernel starts. Footprints it could hold are walked once before the clock starts.
constexpr std::uint64_t largest_l1_bytes = 256 * core::kib;

}  // namespace

CudaChase::CudaChase(ChaseMemory memory, std::uint64_t nodes, cuda::DeviceSite& site)
    : stream_(site.stream.get()),
      count_(nodes),
      warm_(nodes * sizeof(ChaseNode) <= largest_l1_bytes ? nodes : 0),
      memory_(std::move(memory)),
      at_(sizeof(ChaseNode*)),
      result_(sizeof(ChaseResult)) {
  cuda::check(launch_link(memory_.nodes, count_, 8 * site.device.sm_count, stream_), "link the cycle");
  ChaseNode* const start = memory_.nodes + permuted(0, count_, chase_seed);
  cuda::check(cudaMemcpyAsync(at_.data(), &start, at_.size(), cudaMemcpyHostToDevice, stream_),
              "set the start");
  wait_for_check(stream_, "link the cycle");
}

void CudaChase::enqueue(std::int64_t loads) {
  asked_ = loads;
  steps_ = std::max(static_cast<std::uint64_t>(loads), fewest_steps);
  followed_ += warm_ + steps_;
  cuda::check(launch_chase(at_.as<ChaseNode*>(), warm_, steps_, result_.on_device<ChaseResult>(), stream_),
              "launch the chase");
}

core::Timing CudaChase::timing(const core::Timing&) const {
  const ChaseResult& result = *result_.as<ChaseResult>();
  const double share = static_cast<double>(asked_) / static_cast<double>(steps_);
  return {.seconds = 1e-9 * share * static_cast<double>(result.nanoseconds),
          .sm_cycles = share * static_cast<double>(result.cycles)};
}

core::Verification CudaChase::check() {
  wait_for_check(stream_, "finish the chase");
  const std::uint64_t steps = followed_ % count_;
  const ChaseNode* const expected = memory_.nodes + permuted(steps, count_, chase_seed);
  const ChaseNode* const reached = result_.as<ChaseResult>()->end;
  if (followed_ == 0) return {.result = core::Verification::Result::not_checked, .why = "nothing was timed"};
  if (reached == expected)
    return {.result = core::Verification::Result::right,
            .why = fmt::format("after {} loads the chase stands where the cycle says", followed_)};
  return {.result = core::Verification::Result::wrong,
          .why = fmt::format("after {} loads the chase is at {}, not at {}", followed_,
                             static_cast<const void*>(reached), static_cast<const void*>(expected))};
}

std::vector<core::Metric> CudaChase::metrics(const core::Measurement& measurement) const {
  if (measurement.sm_cycles.empty()) return {};
  return {{.name = "latency_sm_cycles",
           .unit = "cycles",
           .value = core::quantile_of(measurement.sm_cycles, measurement.interval.quantile)}};
}

std::vector<core::Fact> CudaChase::facts() const {
  return {{"lines", static_cast<std::int64_t>(count_)},
          {"clocked_by", "the kernel's own clocks"},
          {"fewest_loads_clocked_at_once", static_cast<std::int64_t>(fewest_steps)},
          {"untimed_loads_before", static_cast<std::int64_t>(warm_)}};
}

}  // namespace assay::memory
