// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_operands.hpp"

#include <fmt/format.h>

#include <chrono>

#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "memory/cuda/cuda_geometry.hpp"

namespace assay::memory {

StreamShape::StreamShape(const CudaStreamSettings& settings, int arrays, const cuda::Device& device)
    : bytes(array_bytes(settings.bytes, arrays)),
      passes(passes_over(arrays * bytes, settings.hot)),
      sets(settings.hot ? cuda::RotatingSet::hot()
                        : cuda::RotatingSet::cold(arrays * bytes, device.l2_bytes)),
      hot(settings.hot),
      footprint(arrays * bytes),
      l2_bytes(device.l2_bytes),
      blocks(8 * device.sm_count) {}

std::vector<core::Fact> StreamShape::facts() const {
  const double of_l2 = static_cast<double>(footprint) / static_cast<double>(l2_bytes);
  return {{"operand_sets", sets.count()},
          {"allocated_bytes", footprint * sets.count()},
          {"footprint_over_l2", of_l2},
          {"data", "random bits, a function of position"}};
}

DeviceMismatches::DeviceMismatches(cudaStream_t stream) : stream_(stream), buffer_(sizeof(MismatchLog)) {
  clear();
}

void DeviceMismatches::clear() {
  cuda::check(cudaMemsetAsync(buffer_.data(), 0, buffer_.size(), stream_), "clear the mismatch log");
}

MismatchLog DeviceMismatches::read() {
  wait_for_check(stream_, "check the memory that was timed");
  MismatchLog copy{};
  cuda::check(cudaMemcpy(&copy, buffer_.data(), sizeof(copy), cudaMemcpyDeviceToHost),
              "fetch the mismatch log");
  return copy;
}

core::Verification verification_of(const MismatchLog& log, std::int64_t bytes_checked,
                                   const std::string& against) {
  if (log.count != 0) return {.result = core::Verification::Result::wrong, .why = describe(log, 4)};
  if (bytes_checked == 0)
    return {.result = core::Verification::Result::not_checked, .why = "nothing was timed"};
  return {.result = core::Verification::Result::right,
          .why = fmt::format("{} bytes equal {}, bit for bit", bytes_checked, against)};
}

void wait_for_check(cudaStream_t stream, const char* doing) {
  cuda::wait_for(stream, doing, std::chrono::seconds(120));
}

}  // namespace assay::memory
