// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth of a transformer's vector kernels on a GPU.
#include <string_view>
#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda_operands.hpp"
#include "memory/cuda_vector_kernels.hpp"

namespace assay::memory {
namespace {

constexpr int vector_blocks_per_sm = 8;  // of 256 threads: all that an SM holds

class CudaVector {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    VectorProblem problem = {};
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.vector";
  static constexpr std::string_view measures =
      "GPU: bandwidth of a transformer's vector kernels (layer norm, softmax, GELU, residual, dropout, Adam)";
  static constexpr core::Headline headline = core::Headline::bandwidth_gb_per_s;

  static std::vector<core::Axis> axes() {
    std::vector<core::Axis> axes = vector_axes({"fp32", "bf16", "fp16"});
    axes.insert(axes.begin(), cuda::gpu_axis());
    return axes;
  }
  static Settings settings(const core::Point& point) {
    return {vector_problem(point), {cuda::gpu_of(point)}};
  }
  static core::Work work(const Settings& settings) { return vector_work(settings.problem); }
  static std::vector<core::Fact> derived(const Settings& settings) {
    return {{core::names::tensor_bytes, settings.problem.tensor_bytes()}};
  }

  CudaVector(const Settings& settings, cuda::DeviceSite& site)
      : problem_(settings.problem),
        stream_(site.stream.get()),
        l2_bytes_(site.device.l2_bytes),
        blocks_(site.device.sm_count * vector_blocks_per_sm),
        x_(typed_bytes()) {
    if (problem_.is_adam()) {
      for (cuda::DeviceBuffer* state : {&p_, &m_, &v_}) *state = cuda::DeviceBuffer(state_bytes());
    } else {
      y_ = cuda::DeviceBuffer(typed_bytes());
      constexpr int spoilt = 0xff;  // NaN: what is never written is found
      cuda::check(cudaMemsetAsync(y_.data(), spoilt, y_.size(), stream_), "spoil the output");
      if (problem_.formula().inputs > 1) r_ = cuda::DeviceBuffer(typed_bytes());
    }
    cuda::check(launch_vector_inputs(problem_.type, whole(), blocks_, stream_), "fill the inputs");
    wait_for_check(stream_, "fill the inputs");
  }

  void enqueue() {
    VectorPart part = whole();
    ++rounds_;
    if (problem_.is_adam()) {
      part.correction1 = adam_correction(adam_beta1, rounds_);
      part.correction2 = adam_correction(adam_beta2, rounds_);
    }
    cuda::check(launch_vector(problem_.kernel, problem_.type, part, blocks_, stream_),
                "launch a vector kernel");
  }

  core::Verification check() {
    wait_for_check(stream_, "finish the vector kernel");
    std::optional<std::string> wrong;
    const std::vector<std::int64_t> rows = rows_to_compare(problem_);
    for (const std::int64_t row : rows)
      if (!wrong) wrong = wrong_row(row);
    return vector_verdict(problem_, rounds_, rows.size(), wrong);
  }

  /// One set of arrays: what the L2 holds of it stays there from one iteration to the next.
  std::vector<core::Fact> facts() const {
    const bool cold = problem_.footprint() >= 3 * l2_bytes_;
    return {{core::names::cache_state, cold ? "cold" : "hot"},
            {"footprint_bytes", problem_.footprint()},
            {"l2_bytes", l2_bytes_},
            {"blocks", static_cast<std::int64_t>(blocks_)}};
  }

 private:
  std::size_t typed_bytes() const {
    return static_cast<std::size_t>(problem_.elements() * problem_.element_bytes());
  }
  std::size_t state_bytes() const { return static_cast<std::size_t>(problem_.elements()) * sizeof(float); }

  VectorPart whole() const {
    VectorPart part{.x = x_.data(), .rows = problem_.rows, .columns = problem_.columns};
    if (r_.data() != nullptr) part.r = r_.data();
    if (y_.data() != nullptr) part.y = y_.data();
    if (!problem_.is_adam()) return part;
    part.p = p_.as<float>();
    part.m = m_.as<float>();
    part.v = v_.as<float>();
    return part;
  }

  template <class T>
  std::vector<T> fetched(const cuda::DeviceBuffer& from, std::int64_t row) const {
    std::vector<T> values(static_cast<std::size_t>(problem_.columns));
    cuda::check(cudaMemcpy(values.data(), from.as<T>() + row * problem_.columns, values.size() * sizeof(T),
                           cudaMemcpyDeviceToHost),
                "fetch a row");
    return values;
  }

  std::optional<std::string> wrong_row(std::int64_t row) const {
    VectorPart part{.rows = 1, .columns = problem_.columns, .first = row * problem_.columns};
    if (problem_.is_adam()) {
      std::vector<float> p = fetched<float>(p_, row), m = fetched<float>(m_, row),
                         v = fetched<float>(v_, row);
      part.p = p.data();
      part.m = m.data();
      part.v = v.data();
      return wrong_in_row(problem_, part, rounds_);
    }
    return with_vector_type(problem_.type, [&](auto zero) {
      std::vector<decltype(zero)> y = fetched<decltype(zero)>(y_, row);
      part.y = y.data();
      return wrong_in_row(problem_, part, rounds_);
    });
  }

  VectorProblem problem_;
  cudaStream_t stream_;
  std::int64_t l2_bytes_;
  int blocks_;
  cuda::DeviceBuffer x_, r_, y_, p_, m_, v_;
  std::int64_t rounds_ = 0;
};

}  // namespace

std::vector<core::Case> cuda_vector_cases(const machine::Machine&) { return {core::case_of<CudaVector>()}; }

}  // namespace assay::memory
