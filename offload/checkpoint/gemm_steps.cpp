// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/gemm_steps.hpp"

#include <algorithm>
#include <memory>

#include "harness/host/arena.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::offload {
namespace {

workload::Problem square(std::int64_t n) { return {.m = n, .n = n, .k = n, .dtype = workload::Dtype::fp32}; }

const workload::HostLibrary& library() { return workload::host_library(workload::Dtype::fp32); }

/// Everything one thread needs for its products.
class GemmStep {
 public:
  GemmStep(std::int64_t n, int cpu)
      : site_({cpu}),
        matrices_(static_cast<std::size_t>(3 * square(n).a_bytes()), -1, host::Pages::transparent),
        product_(library().prepare(square(n), 1)) {
    std::ranges::fill(matrices_.as<float>(), 1.0F);
    const auto bytes = static_cast<std::size_t>(square(n).a_bytes());
    operands_ = {matrices_.data(), matrices_.data() + bytes, matrices_.data() + 2 * bytes};
  }
  void run() { product_->multiply(operands_); }

 private:
  host::OpenMpSite site_;
  host::Arena matrices_;
  std::unique_ptr<workload::HostProduct> product_;
  workload::HostOperands operands_;
};

}  // namespace

TimedSteps::MakeStep gemm_steps(std::int64_t n, int cpu) {
  return [n, cpu] { return [step = std::make_shared<GemmStep>(n, cpu)] { step->run(); }; };
}

std::optional<std::string> why_no_gemm_steps(std::int64_t n) { return library().unsupported(square(n)); }

std::string gemm_steps_library() { return library().version(); }

}  // namespace assay::offload
