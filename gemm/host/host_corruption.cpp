// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/host/host_corruption.hpp"

#include <chrono>
#include <cstring>
#include <utility>

#include "gemm/check/check.hpp"
#include "gemm/check/exact_product.hpp"
#include "gemm/host/host_gemm.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::gemm {
namespace {

host::Arena arena(std::int64_t bytes) {
  return {static_cast<std::size_t>(bytes), -1, host::Pages::transparent};
}

/// All ones is NaN in every float type and -1 as int32: what is not written again is wrong.
void clear(const host::Arena& output) { std::memset(output.data(), 0xff, output.size()); }

}  // namespace

std::vector<core::Axis> HostCorruption::axes(const machine::Machine& machine) {
  std::vector<core::Axis> axes =
      corruption_axes({.sizes = {std::int64_t{512}}, .dtypes = {"fp64", "fp32", "bf16", "int8"}});
  axes.push_back(threads_axis(machine));
  return axes;
}

std::optional<std::string> HostCorruption::unsupported(const Settings& settings,
                                                       const machine::Machine& machine) {
  return host_unsupported(machine, settings.request);
}

HostCorruption::HostCorruption(const Settings& settings, Site&, std::unique_ptr<HostProduct> product)
    : problem_(settings.request.problem),
      truth_(exact_output(problem_, settings.threads)),
      threads_(host::choose_cpus(settings.threads, -1)),
      a_(arena(problem_.a_bytes())),
      b_(arena(problem_.b_bytes())),
      c_(arena(problem_.output_bytes())),
      product_(product ? std::move(product)
                       : workload::host_library(problem_.dtype).prepare(problem_, settings.threads)) {
  const Recipes pair = recipes(problem_, Data::integer, 0);
  fill(pair.a, a_.data(), problem_.m * problem_.k, settings.threads);
  fill(pair.b, b_.data(), problem_.k * problem_.n, settings.threads);
}

void HostCorruption::multiply_and_compare() {
  clear(c_);
  product_->multiply({a_.data(), b_.data(), c_.data()});
  integrity::compare(elements_of(problem_, truth_.data()), elements_of(problem_, c_.data()), found_.wrong);
  ++found_.products;
}

core::Timing HostCorruption::enqueue(std::int64_t iterations) {
  const auto start = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < iterations; ++i) multiply_and_compare();
  return {.seconds = core::seconds_since(start)};
}

core::Verification HostCorruption::check() {
  if (found_.products == 0) return judge_corruption(problem_, found_);
  found_.located = integrity::locate(exact_checksums(problem_, threads_.threads()),
                                     checksums_of(problem_, elements_of(problem_, c_.data())));
  found_.digest = summarize(problem_, c_.data(), threads_.threads()).digest;
  return judge_corruption(problem_, found_);
}

std::vector<core::Metric> HostCorruption::metrics(const core::Measurement&) const {
  return corruption_metrics(problem_, found_);
}

std::vector<core::Fact> HostCorruption::facts() const {
  std::vector<core::Fact> facts{{"library", workload::host_library(problem_.dtype).version()},
                                {"algorithm", product_->algorithm()}};
  for (core::Fact& fact : corruption_facts(problem_, found_)) facts.push_back(std::move(fact));
  return facts;
}

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

std::vector<core::Case> host_corruption_cases(const machine::Machine& machine) {
  return {core::case_of<HostCorruption>(machine), core::case_of<HostSelfTest>()};
}

}  // namespace assay::gemm
