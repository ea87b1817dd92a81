// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/two_streams.hpp"

#include <chrono>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"

namespace assay::offload {
namespace {

using cuda::check;

constexpr std::chrono::seconds longest_copies(120);

}  // namespace

TwoStreams::TwoStreams(cudaStream_t main, int second_gpu)
    : main_(main),
      second_gpu_(second_gpu),
      begun_(cuda::make_event(cuda::EventUse::ordering)),
      second_([second_gpu] {
        const cuda::DeviceGuard there(second_gpu);
        return OnSecond{};
      }()) {}

void TwoStreams::queue_second(const Queue& second, cuda::EventTimer* timer) {
  const cuda::DeviceGuard there(second_gpu_);
  cudaStream_t stream = second_.stream.get();
  check(cudaStreamWaitEvent(stream, begun_.get()), "begin two copies");
  if (timer != nullptr) timer->start(stream);
  second(stream);
  if (timer != nullptr) timer->stop(stream);
}

void TwoStreams::enqueue(const Queue& first, const Queue& second) {
  check(cudaEventRecord(begun_.get(), main_), "begin two copies");
  first(main_);
  queue_second(second, nullptr);
  check(cudaEventRecord(second_.done.get(), second_.stream.get()), "join two copies");
  check(cudaStreamWaitEvent(main_, second_.done.get()), "join two copies");
}

TwoStreams::Seconds TwoStreams::time_each(const Queue& first, const Queue& second) {
  cuda::GateHold hold = gate_.close(main_);
  check(cudaEventRecord(begun_.get(), main_), "begin two copies");
  first_timer_.start(main_);
  first(main_);
  first_timer_.stop(main_);
  queue_second(second, &second_.timer);
  hold.open();
  for (cudaStream_t stream : {main_, second_.stream.get()})
    cuda::wait_for(stream, "time copies apart", longest_copies);
  gate_.throw_if_timed_out();
  return {first_timer_.seconds(), second_.timer.seconds()};
}

void add_rates_apart(std::vector<core::Metric>& metrics, const std::array<const char*, 2>& names,
                     std::int64_t bytes, const std::function<TwoStreams::Seconds()>& time_each) {
  constexpr int copies = 9;
  std::array<std::vector<double>, 2> seconds;
  for (int copy = 0; copy < copies; ++copy) {
    const TwoStreams::Seconds each = time_each();
    seconds[0].push_back(each.first_s);
    seconds[1].push_back(each.second_s);
  }
  for (std::size_t way = 0; way < names.size(); ++way)
    if (const double median_s = core::quantile_of(seconds[way], 0.5); median_s > 0)
      metrics.push_back({names[way], "GB/s", core::gb_per_s(static_cast<double>(bytes), median_s)});
}

}  // namespace assay::offload
