// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// On a GPU: operands equal the host's bit for bit, outputs are right in every type, planted faults are found.
#include "gemm/device/device_gemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gemm/check/check.hpp"
#include "gemm/device/device_kernels.hpp"
#include "gemm/recipe.hpp"
#include "gemm/tests/case_lists.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/event_timer.hpp"

namespace assay::gemm {
namespace {

using Result = core::Verification::Result;

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = cuda::device_unavailable()) GTEST_SKIP() << *reason;
  }
};

using DeviceKernels = OnAGpu;

class DeviceGemmTest : public OnAGpu {
 protected:
  void SetUp() override {
    OnAGpu::SetUp();
    if (IsSkipped()) return;
    if (const auto reason = CublasLt::unavailable()) GTEST_SKIP() << *reason;
  }
};

bool is_hopper(const cuda::Device& device) { return device.compute_major == 9; }

Request small(const std::string& dtype, const std::string& pass, const std::string& data) {
  return on_device(
      {.problem = {.m = 96, .n = 160, .k = 224, .dtype = dtype_from(dtype), .pass = pass_from(pass)},
       .data = data_from(data),
       .cache = CacheState::hot});
}

TEST_F(DeviceKernels, FillTheBitsTheHostFills) {
  constexpr std::int64_t count = 100'003;
  const auto table = normal_table();
  const cuda::DeviceBuffer table_there(table.size_bytes()), counter(sizeof(unsigned long long));
  cuda::check(cudaMemcpy(table_there.data(), table.data(), table.size_bytes(), cudaMemcpyHostToDevice),
              "copy");
  for (const std::string& dtype : all_dtypes())
    for (const std::string& data : all_data()) {
      const OperandRecipe recipe = recipes(small(dtype, "forward", data).problem, data_from(data), 3).b;
      const auto bytes = static_cast<std::size_t>(count * element_bytes(recipe.dtype));
      const cuda::DeviceBuffer there(bytes);
      cuda::check(cudaMemset(counter.data(), 0, counter.size()), "zero");
      cuda::check(launch_fill(recipe, table_there.as<float>(), there.data(), count,
                              counter.as<unsigned long long>(), nullptr),
                  "fill");
      std::vector<std::byte> here(bytes), back(bytes);
      unsigned long long saturated = 0;
      cuda::check(cudaMemcpy(back.data(), there.data(), bytes, cudaMemcpyDeviceToHost), "copy back");
      cuda::check(cudaMemcpy(&saturated, counter.data(), sizeof saturated, cudaMemcpyDeviceToHost),
                  "copy back");
      EXPECT_EQ(static_cast<std::int64_t>(saturated), fill(recipe, here.data(), count, 2))
          << dtype << ' ' << data;
      EXPECT_TRUE(here == back) << dtype << ' ' << data;
    }
}

TEST_F(DeviceKernels, SummariseAsTheHostDoes) {
  for (const std::string& dtype : all_dtypes()) {
    const Problem problem = small(dtype, "forward", "normal").problem;
    std::vector<std::byte> output(static_cast<std::size_t>(problem.output_bytes()));
    for (std::size_t i = 0; i < output.size(); ++i) output[i] = static_cast<std::byte>(mix(i));
    const cuda::DeviceBuffer there(output.size()), totals_there(sizeof(DeviceTotals)),
        sums(static_cast<std::size_t>(problem.m) * 8);
    cuda::check(cudaMemcpy(there.data(), output.data(), output.size(), cudaMemcpyHostToDevice), "copy");
    cuda::check(cudaMemset(totals_there.data(), 0, totals_there.size()), "zero");
    cuda::check(launch_summary(there.data(), problem.output(), problem.m, problem.n,
                               totals_there.as<DeviceTotals>(), sums.as<std::uint64_t>(), nullptr),
                "summarise");
    DeviceTotals totals;
    std::vector<std::uint64_t> checksums(static_cast<std::size_t>(problem.m));
    cuda::check(cudaMemcpy(&totals, totals_there.data(), sizeof totals, cudaMemcpyDeviceToHost), "copy back");
    cuda::check(cudaMemcpy(checksums.data(), sums.data(), sums.size(), cudaMemcpyDeviceToHost), "copy back");
    const OutputSummary here = summarize(problem, output.data(), 2);
    EXPECT_EQ(here.digest, (Digest{totals.digest_low, totals.digest_high})) << dtype;
    EXPECT_EQ(here.not_whole, static_cast<std::int64_t>(totals.not_whole)) << dtype;
    EXPECT_EQ(here.not_finite, static_cast<std::int64_t>(totals.not_finite)) << dtype;
    EXPECT_EQ(here.row_checksums, checksums) << dtype;
  }
}

struct NamedRequest {
  std::string name;
  Request request;
};

/// Requests of every type and pass, with each of these patterns.
std::vector<NamedRequest> small_requests(const std::vector<std::string>& patterns) {
  std::vector<NamedRequest> all;
  for (const std::string& dtype : all_dtypes())
    for (const std::string& pass : all_passes())
      for (const std::string& data : patterns)
        all.push_back({dtype + ' ' + pass + ' ' + data, small(dtype, pass, data)});
  return all;
}

TEST_F(DeviceGemmTest, IsRightInEveryTypeLayoutAndPattern) {
  cuda::DeviceSite site(0);
  int ran = 0;
  for (const auto& [name, request] : small_requests(all_data())) {
    if (const auto reason = device_unsupported(request, site.device)) {
      EXPECT_FALSE(is_hopper(site.device)) << name << ": " << *reason;
      continue;
    }
    SCOPED_TRACE(name);
    DeviceGemm product(request, site);
    product.enqueue();
    const auto verdict = product.check();
    EXPECT_EQ(verdict.result, Result::right) << name << ": " << verdict.why;
    ++ran;
  }
  EXPECT_GT(ran, 0);
}

TEST_F(DeviceGemmTest, BatchIsRightInEveryTypeAndLayout) {
  cuda::DeviceSite site(0);
  int ran = 0;
  for (auto [name, request] : small_requests({"integer", "normal"})) {
    request.problem.batch = 5;
    if (device_unsupported(request, site.device)) continue;
    SCOPED_TRACE(name);
    DeviceGemm product(request, site);
    product.enqueue();
    product.enqueue();
    const auto verdict = product.check();
    EXPECT_EQ(verdict.result, Result::right) << name << ": " << verdict.why;
    ++ran;
  }
  EXPECT_GT(ran, 0);
}

TEST_F(DeviceGemmTest, BatchBeyondTheLibrarysCountIsUnsupported) {
  cuda::DeviceSite site(0);
  Request request = small("bf16", "forward", "normal");
  request.problem = {.m = 1, .n = 1, .k = 1, .batch = std::int64_t{1} << 31};
  EXPECT_EQ(device_unsupported(request, site.device).value(),
            "cuBLASLt counts up to 2147483647 products of a batch, asked are 2147483648");
}

TEST_F(DeviceGemmTest, OutputThatWasNeverWrittenIsWrong) {
  cuda::DeviceSite site(0);
  for (const char* data : {"integer", "normal", "zeros"}) {
    const Request request = small("bf16", "forward", data);
    if (const auto reason = device_unsupported(request, site.device)) GTEST_SKIP() << *reason;
    EXPECT_EQ(DeviceGemm(request, site).check().result, Result::wrong) << data;
  }
}

TEST_F(DeviceGemmTest, DigestIsTheSameInEveryRun) {
  cuda::DeviceSite site(0);
  Request request = small("bf16", "forward", "normal");
  if (const auto reason = device_unsupported(request, site.device)) GTEST_SKIP() << *reason;
  request.cache = CacheState::cold;
  const auto digest = [&](int iterations) {
    DeviceGemm product(request, site);
    for (int i = 0; i < iterations; ++i) product.enqueue();
    return product.check().digest;
  };
  EXPECT_EQ(digest(1), digest(5));
}

TEST_F(DeviceGemmTest, BestAlgorithmIsNamedAndRight) {
  cuda::DeviceSite site(0);
  Request request = small("bf16", "wgrad", "integer");
  if (const auto reason = device_unsupported(request, site.device)) GTEST_SKIP() << *reason;
  request.algorithm = AlgorithmChoice::best;
  // Another algorithm is chosen where one is refused on trying, as on the simulated GPU.
  DeviceGemm product(request, site);
  product.enqueue();
  EXPECT_EQ(product.check().result, Result::right);
  for (const auto& [name, value] : product.facts())
    if (name == "algorithm") {
      EXPECT_EQ(std::get<std::string>(value).rfind("cublaslt: algo ", 0), 0u);
    }
}

TEST_F(DeviceGemmTest, SizesTheLibraryRefusesAreUnsupported) {
  cuda::DeviceSite site(0);
  Request request = small("int8", "forward", "normal");
  request.problem.k = 225;
  EXPECT_TRUE(device_unsupported(request, site.device).has_value());
  request = small("bf16", "forward", "normal");
  request.problem.m = request.problem.n = std::int64_t{1} << 20;
  EXPECT_NE(device_unsupported(request, site.device).value().find("the operands need"), std::string::npos);
}

TEST_F(DeviceGemmTest, EveryCaseMeasuresItsFirstPointOrSaysWhyNot) {
  core::SteadyClock clock;
  const std::atomic<bool> interrupted = false;
  for (const core::Case& one : measured_device_gemm_cases(machine::look())) {
    core::Point point = core::sweep(one.axes).front();
    if (point.has("tokens")) point.set("tokens", std::int64_t{512});
    point.set("dtype", "bf16");
    if (const auto reason = one.unsupported(point)) GTEST_SKIP() << *reason;
    const auto trial = one.prepare(point);
    const auto measurement =
        core::measure(*trial, {.max_seconds = 0.3, .max_warmup_seconds = 0.3}, clock, interrupted);
    EXPECT_EQ(measurement.verification.result, Result::right) << measurement.verification.why;
    EXPECT_GT(core::tflops(one.work(point).flops, measurement.interval.estimate), 1.0);
    trial->metrics(measurement);
    EXPECT_FALSE(trial->facts().empty());
  }
}

}  // namespace
}  // namespace assay::gemm
