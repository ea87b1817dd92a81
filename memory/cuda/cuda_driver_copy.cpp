// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPU memory moved by the driver's own means: memset and device-to-device memcpy. The driver decides whether
// a copy engine or a kernel of its own does the work.
#include <algorithm>
#include <vector>

#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/cuda/cuda_operands.hpp"
#include "memory/cuda/cuda_stream_kernels.hpp"

namespace assay::memory {
namespace {

constexpr int spoiled = 0xA5;

std::size_t size_in_bytes(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

class CudaMemset : public DeclaredCudaMemset {
 public:
  using Site = cuda::GatedSite;

  CudaMemset(const Settings& settings, cuda::DeviceSite& site)
      : stream_(site.stream.get()),
        shape_(settings, 1, site.device),
        bytes_(static_cast<std::size_t>(shape_.sets.count()), 0),
        target_(size_in_bytes(shape_.all_bytes())) {
    cuda::check(cudaMemsetAsync(target_.data(), spoiled, target_.size(), stream_), "spoil the target");
    wait_for_check(stream_, "spoil the target");
  }

  void enqueue() {
    const std::int64_t set = shape_.sets.next();
    // 1 to 128 in turn: never the value that was there before the first iteration, never twice the same in a
    // row.
    const auto byte = static_cast<std::uint8_t>(iterations_++ % 128 + 1);
    bytes_[static_cast<std::size_t>(set)] = byte;
    cuda::check(
        cudaMemsetAsync(target_.data() + set * shape_.bytes, byte, size_in_bytes(shape_.bytes), stream_),
        "queue a memset");
  }

  core::Verification check() {
    DeviceMismatches mismatches(stream_);
    const std::int64_t used = std::min(iterations_, shape_.sets.count());
    for (std::int64_t set = 0; set < used; ++set) {
      const auto first = static_cast<std::uint64_t>(set) * shape_.quads();
      cuda::check(
          launch_check_byte(target_.as<Quad>() + first, first, shape_.quads(),
                            bytes_[static_cast<std::size_t>(set)], mismatches.log(), shape_.blocks, stream_),
          "check what was set");
    }
    return verification_of(mismatches.read(), used * shape_.bytes, "the byte of the last iteration there");
  }

  std::vector<core::Fact> facts() const { return shape_.facts(); }

 private:
  cudaStream_t stream_;
  StreamShape shape_;
  std::int64_t iterations_ = 0;
  std::vector<std::uint8_t> bytes_;  // last value each set was given
  cuda::DeviceBuffer target_;
};

class CudaCopyEngine : public DeclaredCudaCopyEngine {
 public:
  using Site = cuda::GatedSite;

  CudaCopyEngine(const Settings& settings, cuda::DeviceSite& site)
      : stream_(site.stream.get()),
        shape_(settings, 2, site.device),
        source_(size_in_bytes(shape_.all_bytes())),
        target_(size_in_bytes(shape_.all_bytes())) {
    cuda::check(launch_fill(source_.as<Quad>(), shape_.all_quads(), seed_a, shape_.blocks, stream_),
                "fill the source");
    cuda::check(cudaMemsetAsync(target_.data(), spoiled, target_.size(), stream_), "spoil the target");
    wait_for_check(stream_, "fill the arrays");
  }

  void enqueue() {
    const std::int64_t at = shape_.sets.next() * shape_.bytes;
    ++iterations_;
    cuda::check(cudaMemcpyAsync(target_.data() + at, source_.data() + at, size_in_bytes(shape_.bytes),
                                cudaMemcpyDeviceToDevice, stream_),
                "queue a copy");
  }

  core::Verification check() {
    DeviceMismatches mismatches(stream_);
    const std::int64_t used = std::min(iterations_, shape_.sets.count());
    cuda::check(launch_check_quads(target_.as<Quad>(), 0, static_cast<std::uint64_t>(used) * shape_.quads(),
                                   seed_a, mismatches.log(), shape_.blocks, stream_),
                "check the copy");
    return verification_of(mismatches.read(), used * shape_.bytes, "the source");
  }

  std::vector<core::Fact> facts() const { return shape_.facts(); }

 private:
  cudaStream_t stream_;
  StreamShape shape_;
  std::int64_t iterations_ = 0;
  cuda::DeviceBuffer source_, target_;
};

}  // namespace

std::vector<core::Case> cuda_driver_copy_cases(const machine::Machine&) {
  return {core::case_of<CudaMemset>(), core::case_of<CudaCopyEngine>()};
}

}  // namespace assay::memory
