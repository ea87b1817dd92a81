// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_copy.hpp"

#include <cstring>
#include <vector>

#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "offload/copy/copied_words.hpp"

namespace assay::offload {
namespace {

using cuda::check;

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

int current_gpu() {
  int gpu = 0;
  check(cudaGetDevice(&gpu), "read the current device");
  return gpu;
}

}  // namespace

HostCopy::HostCopy(const CopyWay& way, cudaStream_t main)
    : way_(way),
      main_(main),
      to_device_([this](cudaStream_t stream) { copy_to_device(stream); }),
      to_host_([this](cudaStream_t stream) { copy_to_host(stream); }) {
  if (way.direction == CopyDirection::both) streams_.emplace(main, current_gpu());
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
  if (streams_)
    streams_->enqueue(to_device_, to_host_);
  else if (way_.to_device())
    copy_to_device(main_);
  else
    copy_to_host(main_);
}

TwoStreams::Seconds HostCopy::time_each() { return streams_->time_each(to_device_, to_host_); }

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
