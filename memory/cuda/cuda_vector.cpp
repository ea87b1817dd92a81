// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "memory/cuda/cuda_vector.hpp"

#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"
#include "memory/cuda/cuda_operands.hpp"

namespace assay::memory {
namespace {

std::size_t as_size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

template <class T>
std::vector<T> fetched(const cuda::DeviceBuffer& from, const VectorPart& row) {
  std::vector<T> values(as_size(row.columns));
  cuda::check(
      cudaMemcpy(values.data(), from.as<T>() + row.first, values.size() * sizeof(T), cudaMemcpyDeviceToHost),
      "fetch a row");
  return values;
}

}  // namespace

CudaVector::CudaVector(const Settings& settings, cuda::DeviceSite& site)
    : problem_(settings.problem),
      stream_(site.stream.get()),
      l2_bytes_(site.device.l2_bytes),
      blocks_(site.device.sm_count * vector_blocks_per_sm),
      x_(as_size(problem_.tensor_bytes())) {
  if (problem_.is_adam()) {
    for (cuda::DeviceBuffer* state : {&p_, &m_, &v_})
      *state = cuda::DeviceBuffer(as_size(problem_.elements()) * sizeof(float));
  } else {
    y_ = cuda::DeviceBuffer(x_.size());
    constexpr int spoilt = 0xff;  // NaN: what is never written is found
    cuda::check(cudaMemsetAsync(y_.data(), spoilt, y_.size(), stream_), "spoil the output");
    if (problem_.formula().inputs > 1) r_ = cuda::DeviceBuffer(x_.size());
  }
  cuda::check(launch_vector_inputs(problem_.type, whole(), blocks_, stream_), "fill the inputs");
  wait_for_check(stream_, "fill the inputs");
}

void CudaVector::enqueue() {
  VectorPart part = whole();
  ++rounds_;
  if (problem_.is_adam()) {
    part.correction1 = adam_correction(adam_beta1, rounds_);
    part.correction2 = adam_correction(adam_beta2, rounds_);
  }
  cuda::check(launch_vector(problem_.kernel, problem_.type, part, blocks_, stream_),
              "launch a vector kernel");
}

core::Verification CudaVector::check() {
  wait_for_check(stream_, "finish the vector kernel");
  std::optional<std::string> wrong;
  const std::vector<std::int64_t> rows = rows_to_compare(problem_);
  for (const std::int64_t row : rows)
    if (!wrong) wrong = wrong_row(row);
  return vector_verdict(problem_, rounds_, rows.size(), wrong);
}

std::vector<core::Fact> CudaVector::facts() const {
  const bool cold = problem_.footprint() >= 3 * l2_bytes_;
  return {{core::names::cache_state, cold ? "cold" : "hot"},
          {"footprint_bytes", problem_.footprint()},
          {"l2_bytes", l2_bytes_},
          {"blocks", static_cast<std::int64_t>(blocks_)}};
}

VectorPart CudaVector::whole() const {
  return {.x = x_.data(),
          .r = r_.data(),
          .y = y_.data(),
          .p = p_.as<float>(),
          .m = m_.as<float>(),
          .v = v_.as<float>(),
          .rows = problem_.rows,
          .columns = problem_.columns};
}

std::optional<std::string> CudaVector::wrong_row(std::int64_t row) const {
  VectorPart part{.rows = 1, .columns = problem_.columns, .first = row * problem_.columns};
  if (problem_.is_adam()) {
    auto p = fetched<float>(p_, part), m = fetched<float>(m_, part), v = fetched<float>(v_, part);
    part.p = p.data();
    part.m = m.data();
    part.v = v.data();
    return wrong_in_row(problem_, part, rounds_);
  }
  return with_vector_type(problem_.type, [&](auto zero) {
    auto y = fetched<decltype(zero)>(y_, part);
    part.y = y.data();
    return wrong_in_row(problem_, part, rounds_);
  });
}

std::vector<core::Case> cuda_vector_cases(const machine::Machine&) { return {core::case_of<CudaVector>()}; }

}  // namespace assay::memory
