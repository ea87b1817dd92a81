// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "gemm/device/device_corruption.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "gemm/check/exact_product.hpp"
#include "gemm/check/result_detectors.hpp"
#include "gemm/device/corruption_kernels.hpp"
#include "gemm/recipe.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"

namespace assay::gemm {
namespace {

// A device that needs longer is taken for lost.
constexpr std::chrono::seconds longest_comparison(300);

int all_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

ExactProduct exact_product(const Problem& problem) {
  const Recipes of = recipes(problem, Data::integer, 0);
  return {.a = of.a,
          .b = of.b,
          .c = of.c,
          .m = problem.m,
          .n = problem.n,
          .k = problem.k,
          .a_is_transposed = problem.a_is_transposed(),
          .b_is_transposed = problem.b_is_transposed(),
          .accumulate = problem.accumulate,
          .type = problem.output()};
}

}  // namespace

DeviceTruth::DeviceTruth(const Problem& problem, cudaStream_t stream)
    : problem_(problem),
      stream_(stream),
      truth_(static_cast<std::size_t>(problem.output_bytes())),
      log_(sizeof(integrity::MismatchLog)),
      summary_(problem, stream),
      columns_(static_cast<std::size_t>(problem.n) * sizeof(std::uint64_t)) {
  cuda::check(launch_exact_product(exact_product(problem), truth_.data(), stream_),
              "compute the product by whole numbers");
  cuda::check(cudaMemsetAsync(log_.data(), 0, log_.size(), stream_), "empty the log");
  cuda::wait_for(stream_, "compute the product by whole numbers", longest_comparison);
}

void DeviceTruth::compare(const void* output) {
  cuda::check(launch_compare(truth_.data(), output, problem_.output(), problem_.m * problem_.n,
                             log_.as<integrity::MismatchLog>(), stream_),
              "compare a product");
}

integrity::MismatchLog DeviceTruth::take_log() {
  cuda::wait_for(stream_, "compare a product", longest_comparison);
  integrity::MismatchLog log{};
  cuda::check(cudaMemcpy(&log, log_.data(), sizeof log, cudaMemcpyDeviceToHost), "read the log");
  cuda::check(cudaMemsetAsync(log_.data(), 0, log_.size(), stream_), "empty the log");
  return log;
}

DeviceTruth::Summary DeviceTruth::summarize(const void* output) {
  OutputSummary rows = summary_.of(output);
  cuda::check(cudaMemsetAsync(columns_.data(), 0, columns_.size(), stream_), "zero the column checksums");
  cuda::check(launch_column_checksums(output, problem_.output(), problem_.m, problem_.n,
                                      columns_.as<std::uint64_t>(), stream_),
              "sum the columns");
  cuda::wait_for(stream_, "sum the columns", longest_comparison);
  return {.checksums = {std::move(rows.row_checksums), read_checksums(columns_), rows.not_whole},
          .digest = rows.digest};
}

DeviceCorruption::DeviceCorruption(const Settings& settings, cuda::DeviceSite& site)
    : problem_(settings.request.problem),
      site_(site),
      gemm_(settings.request, site),
      truth_(problem_, site.stream.get()) {}

void DeviceCorruption::multiply_and_compare() {
  // All ones is NaN in every float type and -1 as int32: what is not written again is wrong.
  cuda::check(cudaMemsetAsync(gemm_.output(), 0xff, static_cast<std::size_t>(problem_.output_bytes()),
                              site_.stream.get()),
              "clear the output");
  gemm_.enqueue();
  if (flip_.bits != 0)
    cuda::check(
        launch_flip(gemm_.output(), problem_.output(), flip_.position, flip_.bits, site_.stream.get()),
        "plant a fault");
  flip_ = {};
  truth_.compare(gemm_.output());
}

void DeviceCorruption::enqueue() {
  multiply_and_compare();
  ++found_.products;
}

core::Verification DeviceCorruption::check() {
  found_.wrong = truth_.take_log();
  if (found_.products == 0) return judge_corruption(problem_, found_);
  const DeviceTruth::Summary last = truth_.summarize(gemm_.output());
  found_.located = integrity::locate(exact_checksums(problem_, all_threads()), last.checksums);
  found_.digest = last.digest;
  return judge_corruption(problem_, found_);
}

std::vector<core::Metric> DeviceCorruption::metrics(const core::Measurement&) const {
  return corruption_metrics(problem_, found_);
}

std::vector<core::Fact> DeviceCorruption::facts() const {
  std::vector<core::Fact> facts = gemm_.facts();
  for (core::Fact& fact : corruption_facts(problem_, found_)) facts.push_back(std::move(fact));
  return facts;
}

DeviceSelfTest::DeviceSelfTest(const Settings& settings, cuda::DeviceSite& site)
    : problem_(settings.request.problem),
      plan_(with_nan(problem_.output(), settings.plan)),
      site_(site),
      gemm_(settings.request, site),
      truth_(problem_, site.stream.get()),
      expected_(exact_checksums(problem_, 1)),
      table_({"bits", "digest", "checksums"}) {}

void DeviceSelfTest::enqueue() {
  gemm_.enqueue();
  truth_.compare(gemm_.output());
}

void DeviceSelfTest::flip(const integrity::Fault& fault) {
  for (const integrity::Mismatch& change : fault.changes)
    cuda::check(launch_flip(gemm_.output(), problem_.output(), static_cast<std::int64_t>(change.address),
                            change.expected ^ change.read, site_.stream.get()),
                "plant a fault");
}

std::vector<bool> DeviceSelfTest::ask(const integrity::Fault& fault) {
  flip(fault);
  truth_.compare(gemm_.output());
  const integrity::MismatchLog log = truth_.take_log();
  const DeviceTruth::Summary summary = truth_.summarize(gemm_.output());
  flip(fault);  // the same bits once more: the fault is gone
  return {integrity::is_exactly(log, fault), summary.digest != digest_,
          !integrity::locate(expected_, summary.checksums).clean()};
}

core::Verification DeviceSelfTest::check() {
  using enum core::Verification::Result;
  const integrity::MismatchLog before = truth_.take_log();
  if (before.count > 0)
    return {wrong,
            "the product was wrong before any fault was planted: " + describe(problem_, before.listed[0]),
            {}};
  std::vector<std::byte> truth = exact_output(problem_, 1);
  const integrity::Elements elements = elements_of(problem_, truth.data());
  digest_ = summarize(problem_, truth.data(), 1).digest;
  integrity::study(plan_, elements, [this](const integrity::Fault& fault) { return ask(fault); }, table_);
  return table_.verification();
}

std::vector<core::Fact> DeviceSelfTest::facts() const {
  std::vector<core::Fact> facts = gemm_.facts();
  facts.emplace_back(core::names::detection, table_.to_json());
  return facts;
}

std::vector<core::Case> device_corruption_cases(const machine::Machine&) {
  return {core::case_of<DeviceCorruption>(), core::case_of<DeviceSelfTest>()};
}

}  // namespace assay::gemm
