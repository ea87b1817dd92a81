// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_summary.hpp"

#include <chrono>

#include "gemm/device/device_kernels.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/event_timer.hpp"

namespace assay::gemm {
namespace {

// A device that needs longer is taken for lost.
constexpr std::chrono::seconds longest_summary(300);

}  // namespace

DeviceSummary::DeviceSummary(const Problem& problem, cudaStream_t stream)
    : problem_(problem),
      stream_(stream),
      totals_(sizeof(DeviceTotals)),
      rows_(static_cast<std::size_t>(problem.rows()) * sizeof(std::uint64_t)) {}

OutputSummary DeviceSummary::of(const void* output) {
  cuda::check(cudaMemsetAsync(totals_.data(), 0, totals_.size(), stream_), "zero the totals");
  cuda::check(launch_summary(output, problem_.output(), problem_.rows(), problem_.n,
                             totals_.as<DeviceTotals>(), rows_.as<std::uint64_t>(), stream_),
              "summarise the output");
  cuda::wait_for(stream_, "summarise the output", longest_summary);
  DeviceTotals totals;
  cuda::check(cudaMemcpy(&totals, totals_.data(), sizeof totals, cudaMemcpyDeviceToHost), "read the totals");
  return {.digest = {totals.digest_low, totals.digest_high},
          .row_checksums = read_checksums(rows_),
          .not_whole = static_cast<std::int64_t>(totals.not_whole),
          .not_finite = static_cast<std::int64_t>(totals.not_finite)};
}

std::vector<std::uint64_t> read_checksums(const cuda::DeviceBuffer& there) {
  std::vector<std::uint64_t> sums(there.size() / sizeof(std::uint64_t));
  cuda::check(cudaMemcpy(sums.data(), there.data(), there.size(), cudaMemcpyDeviceToHost), "read checksums");
  return sums;
}

}  // namespace assay::gemm
