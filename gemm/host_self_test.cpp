// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host_self_test.hpp"

#include <chrono>

#include "gemm/exact_product.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::gemm {

HostSelfTest::HostSelfTest(const Settings& settings)
    : right_(exact_output(settings.request.problem, 1)),
      faulty_(right_),
      problem_(settings.request.problem),
      detectors_(problem_, elements_of(problem_, right_.data())),
      plan_(with_nan(problem_.output(), settings.plan)),
      table_(ResultDetectors::names()) {}

core::Timing HostSelfTest::enqueue(std::int64_t iterations) {
  const integrity::Elements faulty = elements_of(problem_, faulty_.data());
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < iterations; ++i) {
    integrity::study(
        plan_, faulty,
        [&](const integrity::Fault& fault) {
          const integrity::PlantedFault planted(faulty, fault);
          return detectors_.ask(faulty, fault);
        },
        table_);
    plan_.seed = integrity::mix(plan_.seed + 1);
  }
  return {.seconds = core::seconds_since(start)};
}

}  // namespace assay::gemm
