// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_declarations.hpp"

#include <algorithm>
#include <initializer_list>

#include "gemm/check/corruption.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"

namespace assay::gemm {
namespace {

std::vector<core::Axis> with_gpu(std::vector<core::Axis> axes) {
  axes.push_back(cuda::gpu_axis());
  return axes;
}

std::vector<core::Value> integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

DeclaredDeviceProduct::Settings on_gpu(const Request& request, const core::Point& point) {
  return {on_device(request), {cuda::gpu_of(point)}};
}

}  // namespace

Request on_device(Request request) {
  Problem& problem = request.problem;
  problem.k_contiguous = element_bytes(problem.dtype) == 1;
  problem.accumulate = problem.pass == Pass::wgrad && problem.output() == OutputType::fp32;
  return request;
}

std::vector<core::Axis> DeclaredDeviceMatmul::axes() {
  return with_gpu(matmul_axes({.sizes = integers({1024, 2048, 4096, 8192}),
                               .dtypes = {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8_e4m3", "int8"}}));
}

DeclaredDeviceProduct::Settings DeclaredDeviceMatmul::settings(const core::Point& point) {
  return on_gpu(matmul_request(point), point);
}

std::vector<core::Axis> DeclaredDeviceTransformer::axes() {
  return with_gpu(transformer_axes({.models = {"llama3-70b"},
                                    .tokens = integers({4096}),
                                    .tps = integers({1, 2, 4, 8, 16, 32, 64}),
                                    .dtypes = {"bf16"}}));
}

DeclaredDeviceProduct::Settings DeclaredDeviceTransformer::settings(const core::Point& point) {
  return on_gpu(transformer_request(point), point);
}

std::vector<core::Axis> DeclaredDeviceAttention::axes() {
  return with_gpu(attention_axes({.batches = integers({8, 64}),
                                  .seqs = integers({1024, 4096}),
                                  .heads = integers({128}),
                                  .dtypes = {"bf16"}}));
}

DeclaredDeviceProduct::Settings DeclaredDeviceAttention::settings(const core::Point& point) {
  return on_gpu(attention_request(point), point);
}

std::vector<core::Axis> DeclaredDeviceCorruption::axes() {
  return with_gpu(corruption_axes(
      {.sizes = integers({4096}), .dtypes = {"fp64", "tf32", "bf16", "fp16", "fp8_e4m3", "int8"}}));
}

DeclaredDeviceProduct::Settings DeclaredDeviceCorruption::settings(const core::Point& point) {
  return on_gpu(corruption_request(point), point);
}

std::vector<core::Axis> DeclaredDeviceSelfTest::axes() {
  return with_gpu(self_test_axes({.sizes = integers({128}), .dtypes = {"tf32", "bf16", "fp16", "int8"}}));
}

DeclaredDeviceSelfTest::Settings DeclaredDeviceSelfTest::settings(const core::Point& point) {
  return {on_gpu(self_test_request(point), point), integrity::study_plan(point)};
}

std::vector<core::Axis> DeclaredNodeMatmul::axes() {
  std::vector<core::Axis> axes = matmul_axes({.sizes = integers({8192}), .dtypes = {"bf16"}});
  const std::int64_t all = std::max(1, cuda::device_count());
  axes.push_back(
      {"gpus", "how many GPUs, from device 0 on", core::Domain::integers, {all}, {}, {{"all", all}}});
  return axes;
}

DeclaredNodeMatmul::Settings DeclaredNodeMatmul::settings(const core::Point& point) {
  const std::int64_t gpus = point.integer("gpus");
  if (gpus < 1) core::usage_error("gpus: expected at least 1");
  return {on_device(matmul_request(point)), gpus};
}

core::Work DeclaredNodeMatmul::work(const Settings& settings) {
  core::Work all = gemm::work(settings.request);
  all.flops *= static_cast<double>(settings.gpus);
  all.bytes *= static_cast<double>(settings.gpus);
  return all;
}

std::vector<core::Axis> DeclaredPowerRamp::axes() {
  std::vector<core::Axis> axes = DeclaredNodeMatmul::axes();
  axes.push_back({core::names::duty_percent,
                  "share of the time in which they multiply",
                  core::Domain::integers,
                  integers({25, 50, 75, 100}),
                  {},
                  {}});
  return axes;
}

DeclaredPowerRamp::Settings DeclaredPowerRamp::settings(const core::Point& point) {
  const std::int64_t load = point.integer(core::names::duty_percent);
  if (load < 1 || load > 100)
    core::usage_error(std::string(core::names::duty_percent) + ": expected 1 to 100");
  return {DeclaredNodeMatmul::settings(point), load};
}

std::vector<core::Case> device_declarations_cases(const Surroundings&) {
  using core::declared_case;
  return {declared_case<DeclaredDeviceMatmul>(),    declared_case<DeclaredDeviceTransformer>(),
          declared_case<DeclaredDeviceAttention>(), declared_case<DeclaredDeviceCorruption>(),
          declared_case<DeclaredDeviceSelfTest>(),  declared_case<DeclaredNodeMatmul>(),
          declared_case<DeclaredPowerRamp>()};
}

}  // namespace assay::gemm
