// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host cases: a square sweep of every type, and the shapes of transformer blocks.
#include <algorithm>
#include <memory>
#include <utility>

#include "gemm/cases.hpp"
#include "gemm/host_gemm.hpp"
#include "gemm/points.hpp"

namespace assay::gemm {

namespace {

using RequestOf = Request (*)(const core::Point&);

core::Case host_case(const machine::Machine& machine, std::vector<core::Axis> axes, RequestOf request_of) {
  axes.push_back(threads_axis(machine));
  core::Case made;
  made.headline = core::Headline::tflops;
  made.axes = std::move(axes);
  made.work = [request_of](const core::Point& point) {
    return impossible_shape(point) ? core::Work{} : work(request_of(point).problem);
  };
  made.derived = [request_of](const core::Point& point) {
    return impossible_shape(point) ? std::vector<core::Fact>{} : derived(request_of(point));
  };
  made.unsupported = [request_of, machine](const core::Point& point) -> std::optional<std::string> {
    if (auto reason = impossible_shape(point)) return reason;
    return host_unsupported(machine, request_of(point));
  };
  made.prepare = [request_of, machine](const core::Point& point) -> std::unique_ptr<core::Trial> {
    return std::make_unique<HostGemm>(machine, request_of(point), static_cast<int>(point.integer("threads")));
  };
  return made;
}

}  // namespace

std::vector<core::Case> host_cases(const machine::Machine& machine) {
  core::Case matmul =
      host_case(machine,
                matmul_axes({.sizes = {std::int64_t{512}, std::int64_t{1024}, std::int64_t{2048}},
                             .dtypes = {"fp64", "fp32", "bf16", "int8"}}),
                matmul_request);
  matmul.name = "gemm.host.matmul";
  matmul.measures = "FLOP rate of the host's GEMM library (oneDNN; a BLAS for fp64)";
  core::Case transformer =
      host_case(machine,
                transformer_axes({.models = {"llama3-8b"},
                                  .tokens = {std::int64_t{256}},
                                  .tps = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8},
                                          std::int64_t{16}, std::int64_t{32}, std::int64_t{64}},
                                  .dtypes = {"bf16"}}),
                transformer_request);
  transformer.name = "gemm.host.transformer";
  transformer.measures =
      "FLOP rate of the GEMMs of one rank's transformer block, against tensor parallelism, on the host";
  return {std::move(matmul), std::move(transformer)};
}

}  // namespace assay::gemm
