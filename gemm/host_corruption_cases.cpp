// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host's probe of silent corruption and its self-test.
#include <memory>

#include "gemm/cases.hpp"
#include "gemm/host_corruption.hpp"
#include "gemm/host_gemm.hpp"
#include "gemm/host_self_test.hpp"
#include "harness/integrity/detection.hpp"

namespace assay::gemm {
namespace {

core::Case probe_case(const machine::Machine& machine) {
  core::Case made;
  made.name = "gemm.host.corruption";
  made.measures =
      "silent corruption: each product of the host's GEMM library compared bit by bit with the exact one";
  made.headline = core::Headline::time_us;
  made.axes = corruption_axes({.sizes = {std::int64_t{512}}, .dtypes = {"fp64", "fp32", "bf16", "int8"}});
  made.axes.push_back(threads_axis(machine));
  made.work = [](const core::Point& point) { return work(corruption_request(point).problem); };
  made.derived = [](const core::Point& point) { return derived(corruption_request(point)); };
  made.unsupported = [machine](const core::Point& point) {
    return host_unsupported(machine, corruption_request(point));
  };
  made.prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<HostCorruption>(corruption_request(point),
                                            static_cast<int>(point.integer("threads")));
  };
  return made;
}

core::Case self_test_case() {
  core::Case made;
  made.name = "gemm.host.corruption_self_test";
  made.measures =
      "silent corruption: what the probe and simpler checks catch of bits flipped in an exact product";
  made.headline = core::Headline::time_us;
  made.axes = self_test_axes({.sizes = {std::int64_t{64}}, .dtypes = {"fp32", "bf16", "fp16", "int8"}});
  made.work = [](const core::Point&) {
    return core::Work{.bytes_counted = "nothing: faults are counted, not bytes"};
  };
  made.derived = [](const core::Point& point) { return derived(self_test_request(point)); };
  made.unsupported = [](const core::Point& point) -> std::optional<std::string> {
    static_cast<void>(self_test_request(point));  // bad words are errors
    static_cast<void>(integrity::study_plan(point));
    return std::nullopt;
  };
  made.prepare = [](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<HostSelfTest>(self_test_request(point), integrity::study_plan(point));
  };
  return made;
}

}  // namespace

std::vector<core::Case> host_corruption_cases(const machine::Machine& machine) {
  return {probe_case(machine), self_test_case()};
}

}  // namespace assay::gemm
