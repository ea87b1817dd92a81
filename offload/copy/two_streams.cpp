// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/two_streams.hpp"

#include <chrono>

#include "harness/cuda/check.hpp"
#include "harness/cuda/event_timer.hpp"

namespace assay::offload {
namespace {

using cuda::check;

constexpr std::chrono::seconds longest_copies(120);

}  // namespace

double TwoStreams::Span::seconds() const {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "read the time of a copy");
  return static_cast<double>(ms) * 1e-3;
}

TwoStreams::TwoStreams(cudaStream_t main, int second_gpu)
    : main_(main),
      second_gpu_(second_gpu),
      begun_(cuda::make_event(cuda::EventUse::ordering)),
      second_([second_gpu] {
        const cuda::DeviceGuard there(second_gpu);
        return OnSecond{};
      }()) {}

void TwoStreams::queue_second(const Queue& second, const Span* span) {
  const cuda::DeviceGuard there(second_gpu_);
  cudaStream_t stream = second_.stream.get();
  check(cudaStreamWaitEvent(stream, begun_.get()), "begin two copies");
  if (span != nullptr) check(cudaEventRecord(span->begin.get(), stream), "time copies apart");
  second(stream);
  if (span != nullptr) check(cudaEventRecord(span->end.get(), stream), "time copies apart");
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
  check(cudaEventRecord(first_span_.begin.get(), main_), "time copies apart");
  first(main_);
  check(cudaEventRecord(first_span_.end.get(), main_), "time copies apart");
  queue_second(second, &second_.span);
  hold.open();
  for (cudaStream_t stream : {main_, second_.stream.get()})
    cuda::wait_for(stream, "time copies apart", longest_copies);
  gate_.throw_if_timed_out();
  return {first_span_.seconds(), second_.span.seconds()};
}

}  // namespace assay::offload
