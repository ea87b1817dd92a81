// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The self-test of the probe on a GPU: faults are flipped into a right product where it lies.
#include <array>
#include <utility>

#include "gemm/corruption_kernels.hpp"
#include "gemm/device_corruption.hpp"
#include "gemm/exact_product.hpp"
#include "gemm/result_detectors.hpp"
#include "harness/cuda/check.hpp"

namespace assay::gemm {

std::vector<core::Axis> DeviceSelfTest::axes() {
  std::vector<core::Axis> axes =
      self_test_axes({.sizes = {std::int64_t{128}}, .dtypes = {"tf32", "bf16", "fp16", "int8"}});
  axes.push_back(cuda::gpu_axis());
  return axes;
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
  facts.emplace_back("detection", table_.to_json());
  return facts;
}

}  // namespace assay::gemm
