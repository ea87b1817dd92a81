// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// OpenBLAS's dgemm: fp64. A batch is a loop over its products.
#include <cblas.h>
#include <fmt/core.h>

#include <limits>

#include "harness/core/error.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::workload {
namespace {

class BlasProduct final : public HostProduct {
 public:
  BlasProduct(const Problem& problem, int threads) : problem_(problem) { openblas_set_num_threads(threads); }

  void multiply(const HostOperands& operands) override {
    const std::int64_t a = problem_.a_bytes() / problem_.batch, b = problem_.b_bytes() / problem_.batch,
                       c = problem_.output_bytes() / problem_.batch;
    for (std::int64_t i = 0; i < problem_.batch; ++i)
      multiply_one({operands.a + i * a, operands.b + i * b, operands.c + i * c});
  }

  std::string algorithm() const override {
    return fmt::format("cblas_dgemm for {}", openblas_get_corename());
  }

 private:
  void multiply_one(const HostOperands& operands) {
    const auto size = [](std::int64_t value) { return static_cast<blasint>(value); };
    const Problem& p = problem_;
    cblas_dgemm(CblasRowMajor, p.a_is_transposed() ? CblasTrans : CblasNoTrans,
                p.b_is_transposed() ? CblasTrans : CblasNoTrans, size(p.m), size(p.n), size(p.k), 1.0,
                reinterpret_cast<const double*>(operands.a), size(p.a_is_transposed() ? p.m : p.k),
                reinterpret_cast<const double*>(operands.b), size(p.b_is_transposed() ? p.k : p.n), 0.0,
                reinterpret_cast<double*>(operands.c), size(p.n));
  }

  Problem problem_;
};

class Blas final : public HostLibrary {
 public:
  std::string version() const override { return openblas_get_config(); }

  std::optional<std::string> unsupported(const Problem& problem) const override {
    if (problem.dtype != Dtype::fp64)
      return fmt::format("{} is not measured through a BLAS", to_string(problem.dtype));
    // Only the OpenMP build runs on the threads that were bound; the pthread build makes its own at load
    // time.
    if (openblas_get_parallel() != OPENBLAS_OPENMP)
      return fmt::format("this OpenBLAS is not an OpenMP build, so its threads cannot be bound ({})",
                         version());
    constexpr std::int64_t limit = std::numeric_limits<blasint>::max();
    if (problem.m > limit || problem.n > limit || problem.k > limit)
      return fmt::format("a size exceeds what this BLAS can count ({})", limit);
    return std::nullopt;
  }

  std::unique_ptr<HostProduct> prepare(const Problem& problem, int threads) const override {
    if (const auto reason = unsupported(problem)) throw core::Error(core::ErrorKind::blas, *reason);
    return std::make_unique<BlasProduct>(problem, threads);
  }
};

}  // namespace

const HostLibrary& blas() {
  static const Blas library;
  return library;
}

}  // namespace assay::workload
