// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/gemm_steps.hpp"

#include <memory>

#include "harness/host/openmp_site.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/interference/loads.hpp"

namespace assay::offload {
namespace {

LoadSettings product_of(std::int64_t n) { return {.gemm_size = n, .dtype = workload::Dtype::fp32}; }

/// Everything one thread needs for its products.
struct GemmStep {
  GemmStep(std::int64_t n, int cpu) : site({cpu}), product(make_load(LoadKind::gemm, product_of(n))) {}

  host::OpenMpSite site;
  std::unique_ptr<Load> product;
};

}  // namespace

TimedSteps::MakeStep gemm_steps(std::int64_t n, int cpu) {
  return [n, cpu] { return [step = std::make_shared<GemmStep>(n, cpu)] { step->product->quantum(); }; };
}

std::optional<std::string> why_no_gemm_steps(std::int64_t n) {
  return unsupported(LoadKind::gemm, product_of(n));
}

std::int64_t gemm_steps_bytes(std::int64_t n) { return memory_bytes(LoadKind::gemm, product_of(n)); }

std::string gemm_steps_library() { return workload::host_library(workload::Dtype::fp32).version(); }

}  // namespace assay::offload
