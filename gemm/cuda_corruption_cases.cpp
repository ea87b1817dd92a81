// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The GPU's probe of silent corruption and its self-test: each point listed on every machine, and unsupported
// in the driver's words where there is no GPU.
#include <memory>
#include <string>

#include "gemm/cases.hpp"
#include "gemm/device_corruption.hpp"

namespace assay::gemm {
namespace {

template <class Benchmark>
core::Case probe_case() {
  core::Case made;
  made.name = std::string(Benchmark::name);
  made.measures = std::string(Benchmark::measures);
  made.headline = core::Headline::time_us;
  made.axes = Benchmark::axes();
  made.work = Benchmark::work;
  made.derived = [](const core::Point& point) { return derived(Benchmark::request_of(point)); };
  const auto refusals = std::make_shared<DeviceRefusals>();
  made.unsupported = [refusals](const core::Point& point) -> std::optional<std::string> {
    const Request request = Benchmark::request_of(point);  // bad words are errors with and without a GPU
    if (auto reason = cuda::device_unavailable(point)) return reason;
    return refusals->of(point, request);
  };
  made.prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<cuda::DeviceTrial<Benchmark>>(point, cuda::gpu_of(point));
  };
  return made;
}

}  // namespace

std::vector<core::Case> cuda_corruption_cases() {
  return {probe_case<DeviceCorruption>(), probe_case<DeviceSelfTest>()};
}

}  // namespace assay::gemm
