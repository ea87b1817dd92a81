// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/matrix_products.hpp"

#include <fmt/format.h>
#include <gnu/libc-version.h>

#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "collectives/training/aligned_floats.hpp"
#include "harness/core/number_formats.hpp"
#include "harness/host/openmp_threads.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::collectives {
namespace {

/// Operands of a narrow product, which grow to the largest.
class NarrowOperand {
 public:
  std::byte* of(std::size_t count) {
    if (2 * memory_.all().size() < count) memory_ = AlignedFloats(static_cast<std::int64_t>(count + 1) / 2);
    return reinterpret_cast<std::byte*>(memory_.all().data());
  }
  std::byte* rounded(std::span<const float> wide) {
    auto* const narrow = reinterpret_cast<std::uint16_t*>(of(wide.size()));
    for (std::size_t i = 0; i < wide.size(); ++i) narrow[i] = core::to_bf16(wide[i]);
    return reinterpret_cast<std::byte*>(narrow);
  }
  void widen_into(std::span<float> wide) const {
    const auto* const narrow = reinterpret_cast<const std::uint16_t*>(memory_.all().data());
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = core::from_bf16(narrow[i]);
  }

 private:
  AlignedFloats memory_{AlignedFloats::floats_a_line};
};

/// The library only reads operands; its interface has one type for them and results.
std::byte* memory_of(std::span<const float> floats) {
  return reinterpret_cast<std::byte*>(const_cast<float*>(floats.data()));
}

class LibraryProducts final : public MatrixProducts {
 public:
  LibraryProducts(const ModelShape& shape, int threads)
      : library_(workload::host_library(shape.dtype)), threads_(threads), team_(threads) {
    for (const workload::Problem& problem : products_of(shape))
      if (!products_.contains(key(problem)))
        products_.emplace(key(problem), library_.prepare(problem, threads));
  }

  void multiply(const workload::Problem& problem, std::span<const float> a, std::span<const float> b,
                std::span<float> c) override {
    workload::HostProduct& product = *products_.at(key(problem));
    if (problem.dtype == workload::Dtype::fp32)
      return product.multiply({.a = memory_of(a), .b = memory_of(b), .c = memory_of(c)});
    const bool is_wide = problem.output() == workload::OutputType::fp32;
    product.multiply({.a = a_.rounded(a), .b = b_.rounded(b), .c = is_wide ? memory_of(c) : c_.of(c.size())});
    if (!is_wide) c_.widen_into(c);
  }

  std::vector<core::Fact> facts() const override {
    return {{"library", fmt::format("{}, glibc {}", library_.version(), gnu_get_libc_version())},
            {"threads_a_rank", std::int64_t{threads_}}};
  }

 private:
  using Key = std::tuple<workload::Pass, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  static Key key(const workload::Problem& problem) {
    return {problem.pass, problem.m, problem.n, problem.k, problem.batch};
  }

  const workload::HostLibrary& library_;
  int threads_;
  host::OpenMpThreads team_;
  std::map<Key, std::unique_ptr<workload::HostProduct>> products_;
  NarrowOperand a_, b_, c_;
};

}  // namespace

std::unique_ptr<MatrixProducts> make_library_products(const ModelShape& shape, int threads) {
  return std::make_unique<LibraryProducts>(shape, threads);
}

std::optional<std::string> products_not_built(const ModelShape& shape) {
  return workload::host_library(shape.dtype).not_built();
}

std::optional<std::string> why_no_products(const ModelShape& shape) {
  for (const workload::Problem& problem : products_of(shape))
    if (auto why = workload::host_library(shape.dtype).unsupported(problem)) return why;
  return std::nullopt;
}

}  // namespace assay::collectives
