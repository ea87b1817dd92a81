// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda_pattern/cuda_corruption.hpp"

#include "harness/cuda/check.hpp"
#include "memory/copy_probe.hpp"
#include "memory/cuda/cuda_stream_kernels.hpp"
#include "memory/cuda_pattern/cuda_pattern_kernels.hpp"

namespace assay::memory {
namespace {

constexpr int blocks_per_sm = 4;
constexpr std::int64_t row_words = 4;  // a sector of 32 bytes: what a stuck row is here

std::uint32_t seed_of(std::int64_t round) {
  return static_cast<std::uint32_t>(mixed(static_cast<std::uint64_t>(round)));
}

}  // namespace

CudaCorruption::CudaCorruption(const Settings& settings, cuda::DeviceSite& site)
    : stream_(site.stream.get()),
      blocks_(blocks_per_sm * site.device.sm_count),
      quads_(settings.quads),
      source_(quads_ * sizeof(Quad)),
      copy_(quads_ * sizeof(Quad)),
      staging_(settings.by_host ? cuda::PinnedBuffer(quads_ * sizeof(Quad)) : cuda::PinnedBuffer()),
      mismatches_(stream_) {
  found_.bytes_per_round = static_cast<std::int64_t>(source_.size() + copy_.size());
}

void CudaCorruption::copy() {
  // Bytes that the copy does not write differ from the pattern.
  cuda::check(cudaMemsetAsync(copy_.data(), 0xa5, copy_.size(), stream_), "spoil the copy");
  if (staging_.size() == 0) {
    cuda::check(
        cudaMemcpyAsync(copy_.data(), source_.data(), source_.size(), cudaMemcpyDeviceToDevice, stream_),
        "copy within the device");
    return;
  }
  cuda::check(cudaMemcpyAsync(staging_.as<std::byte>(), source_.data(), source_.size(),
                              cudaMemcpyDeviceToHost, stream_),
              "copy to the host");
  cuda::check(cudaMemcpyAsync(copy_.data(), staging_.as<std::byte>(), source_.size(), cudaMemcpyHostToDevice,
                              stream_),
              "copy to the device");
}

void CudaCorruption::enqueue() {
  const std::uint32_t seed = seed_of(found_.rounds++);
  cuda::check(launch_fill(source_.as<Quad>(), quads_, seed, blocks_, stream_), "write the pattern");
  copy();
  if (flip_.bits != 0)
    cuda::check(launch_pattern_fault(copy_.as<std::uint64_t>() + flip_.word, flip_.bits, stream_),
                "plant a fault");
  flip_ = {};
  for (const cuda::DeviceBuffer* written : {&copy_, &source_})
    cuda::check(launch_check_quads(written->as<Quad>(), 0, quads_, seed, mismatches_.log(), blocks_, stream_),
                "compare with the pattern");
}

core::Verification CudaCorruption::check() {
  found_.wrong = mismatches_.read();
  return judge_copies(found_);
}

CudaSelfTest::CudaSelfTest(const Settings& settings, cuda::DeviceSite& site)
    : stream_(site.stream.get()),
      blocks_(blocks_per_sm * site.device.sm_count),
      quads_(settings.words / 2),
      plan_(settings.plan),
      words_(quads_ * sizeof(Quad)),
      mismatches_(stream_),
      table_({"words"}) {}

void CudaSelfTest::compare() {
  cuda::check(launch_check_quads(words_.as<Quad>(), 0, quads_, seed_a, mismatches_.log(), blocks_, stream_),
              "compare with the pattern");
}

void CudaSelfTest::enqueue() {
  cuda::check(launch_fill(words_.as<Quad>(), quads_, seed_a, blocks_, stream_), "write the pattern");
  compare();
}

void CudaSelfTest::flip(const integrity::Fault& fault) {
  for (const Mismatch& change : fault.changes)
    cuda::check(launch_pattern_fault(words_.as<std::uint64_t>() + change.address,
                                     change.expected ^ change.read, stream_),
                "plant a fault");
}

bool CudaSelfTest::finds(const integrity::Fault& fault) {
  flip(fault);
  compare();
  const MismatchLog log = in_words(mismatches_.read());
  mismatches_.clear();
  flip(fault);  // the same bits once more: the fault is gone
  return integrity::is_exactly(log, fault);
}

core::Verification CudaSelfTest::check() {
  const MismatchLog before = mismatches_.read();
  if (before.count > 0)
    return {
        core::Verification::Result::wrong, "wrong before any fault was planted: " + describe(before, 1), {}};
  std::vector<Quad> right(quads_);
  for (std::uint64_t i = 0; i < quads_; ++i) right[i] = quad_at(i, seed_a);
  const integrity::Elements elements{reinterpret_cast<std::byte*>(right.data()), 8,
                                     static_cast<std::int64_t>(2 * quads_) / row_words, row_words};
  integrity::study(
      plan_, elements, [this](const integrity::Fault& fault) { return std::vector<bool>{finds(fault)}; },
      table_);
  return table_.verification();
}

std::vector<core::Case> cuda_corruption_cases(const machine::Machine&) {
  return {core::case_of<CudaCorruption>(), core::case_of<CudaSelfTest>()};
}

}  // namespace assay::memory
