// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_copy.hpp"

#include <cstring>
#include <limits>
#include <vector>

#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "offload/copy/copied_words.hpp"

namespace assay::offload {
namespace {

using cuda::check;

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

double between_s(const cuda::Event& begin, const cuda::Event& end) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, begin.get(), end.get()), "read the time of a copy");
  return static_cast<double>(ms) * 1e-3;
}

}  // namespace

HostCopy::HostCopy(const CopyWay& way, cudaStream_t main)
    : way_(way),
      main_(main),
      second_(cuda::make_stream()),
      begun_(cuda::make_event(cuda::EventUse::ordering)),
      second_done_(cuda::make_event(cuda::EventUse::ordering)) {
  const std::vector<std::uint64_t> words = words_to_copy(way.bytes);
  if (way.to_device()) {
    host_source_.emplace(way.memory, way.bytes, way.node);
    device_target_.emplace(size_of(way.bytes));
    std::memcpy(host_source_->bytes().data(), words.data(), size_of(way.bytes));
    check(cudaMemset(device_target_->data(), spoiled_byte, device_target_->size()), "spoil the target");
  }
  if (way.to_host()) {
    host_target_.emplace(way.memory, way.bytes, way.node);
    device_source_.emplace(size_of(way.bytes));
    std::memset(host_target_->bytes().data(), spoiled_byte, size_of(way.bytes));
    check(cudaMemcpy(device_source_->data(), words.data(), size_of(way.bytes), cudaMemcpyHostToDevice),
          "fill the source");
  }
  check(cudaDeviceSynchronize(), "prepare the copies");
}

void HostCopy::copy_to_device(cudaStream_t stream) {
  if (way_.by == CopyBy::sm)
    check(cuda::launch_stream_load(host_source_->on_device(), device_target_->data(), size_of(way_.bytes), 1,
                                   way_.blocks, stream),
          "start a copy to the device");
  else
    check(cudaMemcpyAsync(device_target_->data(), host_source_->bytes().data(), size_of(way_.bytes),
                          cudaMemcpyHostToDevice, stream),
          "queue a copy to the device");
}

void HostCopy::copy_to_host(cudaStream_t stream) {
  if (way_.by == CopyBy::sm)
    check(cuda::launch_stream_load(device_source_->data(), host_target_->on_device(), size_of(way_.bytes), 1,
                                   way_.blocks, stream),
          "start a copy to the host");
  else
    check(cudaMemcpyAsync(host_target_->bytes().data(), device_source_->data(), size_of(way_.bytes),
                          cudaMemcpyDeviceToHost, stream),
          "queue a copy to the host");
}

void HostCopy::enqueue() {
  if (way_.direction == CopyDirection::both) return enqueue_both();
  if (way_.to_device())
    copy_to_device(main_);
  else
    copy_to_host(main_);
}

void HostCopy::enqueue_both() {
  check(cudaEventRecord(begun_.get(), main_), "fork");
  check(cudaStreamWaitEvent(second_.get(), begun_.get()), "fork");
  copy_to_device(main_);
  copy_to_host(second_.get());
  check(cudaEventRecord(second_done_.get(), second_.get()), "join");
  check(cudaStreamWaitEvent(main_, second_done_.get()), "join");
}

HostCopy::Apart HostCopy::time_each() {
  constexpr double not_copied = std::numeric_limits<double>::quiet_NaN();
  const cuda::Event begin = cuda::make_event(cuda::EventUse::timing);
  const cuda::Event first = cuda::make_event(cuda::EventUse::timing);
  const cuda::Event second = cuda::make_event(cuda::EventUse::timing);
  check(cudaEventRecord(begin.get(), main_), "time copies apart");
  check(cudaStreamWaitEvent(second_.get(), begin.get()), "time copies apart");
  if (way_.to_device()) copy_to_device(main_);
  if (way_.to_host()) copy_to_host(second_.get());
  check(cudaEventRecord(first.get(), main_), "time copies apart");
  check(cudaEventRecord(second.get(), second_.get()), "time copies apart");
  check(cudaStreamSynchronize(main_), "wait for copies");
  check(cudaStreamSynchronize(second_.get()), "wait for copies");
  return {way_.to_device() ? between_s(begin, first) : not_copied,
          way_.to_host() ? between_s(begin, second) : not_copied};
}

core::Verification HostCopy::verify() {
  using Result = core::Verification::Result;
  check(cudaDeviceSynchronize(), "wait for copies");
  core::Verification seen{Result::not_checked, "nothing was copied"};
  if (way_.to_device()) {
    std::vector<std::uint64_t> back(size_of(way_.bytes) / sizeof(std::uint64_t));
    check(cudaMemcpy(back.data(), device_target_->data(), size_of(way_.bytes), cudaMemcpyDeviceToHost),
          "read the target");
    seen = compare_copied(back.data(), way_.bytes, "device");
  }
  if (way_.to_host() && seen.result != Result::wrong)
    seen = compare_copied(host_target_->bytes().data(), way_.bytes, "host");
  return seen;
}

}  // namespace assay::offload
