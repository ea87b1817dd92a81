// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/device_pass.hpp"

#include <utility>

#include "harness/cuda/check.hpp"

namespace assay::collectives {
namespace {

constexpr const char* timing = "time a pass";

void record(const cuda::Event& event, cudaStream_t stream) {
  cuda::check(cudaEventRecord(event.get(), stream), "record an event of a pass");
}

void let_wait(cudaStream_t stream, const cuda::Event& event) {
  cuda::check(cudaStreamWaitEvent(stream, event.get(), 0), "let a stream wait for another");
}

void wait_for_stream(cudaStream_t stream) {
  cuda::check(cudaStreamSynchronize(stream), "compute the layers of a pass");
}

/// Durations of what was queued between each span's events, without what it waited for before.
template <class Spans>
std::vector<double> seconds_of(const Spans& spans) {
  std::vector<double> seconds;
  for (const auto& span : spans) seconds.push_back(cuda::seconds_between(span.begin, span.end, timing));
  return seconds;
}

}  // namespace

DevicePass::DevicePass(PassPlan plan, DevicePassWork work) : plan_(std::move(plan)), work_(std::move(work)) {
  const auto make_span = [] {
    return Span{cuda::make_event(cuda::EventUse::timing), cuda::make_event(cuda::EventUse::timing)};
  };
  whole_ = make_span();
  for (int layer = 0; layer < plan_.layers; ++layer) layers_.push_back(make_span());
  for (std::size_t which = 0; which < plan_.exchanges(); ++which) exchanges_.push_back(make_span());
}

PassTimes DevicePass::run() {
  return time_parts(plan_, work_.barrier,
                    {.compute = [this] { return run_compute(); },
                     .exchange = [this] { return run_exchanges(); },
                     .together = [this](PassTimes& times) { run_together(times); }});
}

void DevicePass::queue_layer(int layer) {
  const Span& span = layers_[static_cast<std::size_t>(layer)];
  record(span.begin, work_.compute_stream);
  work_.compute(layer);
  record(span.end, work_.compute_stream);
}

void DevicePass::queue_exchange(std::size_t which) {
  record(exchanges_[which].begin, work_.exchange_stream);
  work_.exchange(which);
  record(exchanges_[which].end, work_.exchange_stream);
}

double DevicePass::run_compute() {
  for (int layer = 0; layer < plan_.layers; ++layer) queue_layer(layer);
  wait_for_stream(work_.compute_stream);
  return total_s(seconds_of(layers_));
}

std::vector<double> DevicePass::run_exchanges() {
  for (std::size_t which = 0; which < plan_.exchanges(); ++which) queue_exchange(which);
  work_.wait_for_exchanges();
  return seconds_of(exchanges_);
}

void DevicePass::queue_exchanges(std::size_t count, int computed) {
  if (queued_ < count && computed > 0)
    let_wait(work_.exchange_stream, layers_[static_cast<std::size_t>(computed) - 1].end);
  for (; queued_ < count; ++queued_) queue_exchange(queued_);
}

void DevicePass::run_together(PassTimes& times) {
  queued_ = 0;
  record(whole_.begin, work_.compute_stream);
  let_wait(work_.exchange_stream, whole_.begin);
  for (int layer = 0; layer < plan_.layers; ++layer) {
    queue_exchanges(plan_.allowed(layer), layer);
    if (!plan_.is_backward()) let_wait(work_.compute_stream, exchanges_[static_cast<std::size_t>(layer)].end);
    queue_layer(layer);
  }
  queue_exchanges(plan_.exchanges(), plan_.layers);
  let_wait(work_.compute_stream, exchanges_.back().end);
  record(whole_.end, work_.compute_stream);
  work_.wait_for_exchanges();
  wait_for_stream(work_.compute_stream);
  times.together = cuda::seconds_between(whole_.begin, whole_.end, timing);
  times.compute_beside = total_s(seconds_of(layers_));
  times.communication_beside = total_s(seconds_of(exchanges_));
}

}  // namespace assay::collectives
