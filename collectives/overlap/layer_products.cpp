// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/layer_products.hpp"

#include <vector>

#include "harness/host/arena.hpp"
#include "harness/host/openmp_threads.hpp"
#include "harness/workload/checked_product.hpp"

namespace assay::collectives {
namespace {

using workload::CheckedProduct;

constexpr workload::Dtype host_dtype = workload::Dtype::fp32;

class LayerProducts final : public LayerWork {
 public:
  explicit LayerProducts(const LayerShape& shape) {
    for (const workload::Problem& problem : products_of(shape, host_dtype)) {
      memory_.emplace_back(CheckedProduct::bytes(problem), -1, host::Pages::transparent);
      products_.emplace_back(problem, std::span(memory_.back().data(), memory_.back().size()));
    }
  }
  void layer() override {
    for (CheckedProduct& one : products_) one.multiply();
  }
  std::optional<std::string> wrong() const override {
    for (const CheckedProduct& one : products_)
      if (auto why = one.wrong()) return why;
    return std::nullopt;
  }
  std::vector<core::Fact> facts() const override {
    return {{"library", workload::host_library(host_dtype).version()}, {"threads_a_rank", 1}};
  }

 private:
  host::OpenMpThreads one_thread_{1};
  std::vector<host::Arena> memory_;
  std::vector<CheckedProduct> products_;
};

}  // namespace

std::optional<std::string> products_not_built() { return workload::host_library(host_dtype).not_built(); }

std::optional<std::string> why_no_products(const LayerShape& shape) {
  for (const workload::Problem& problem : products_of(shape, host_dtype))
    if (auto why = workload::host_library(problem.dtype).unsupported(problem)) return why;
  return std::nullopt;
}

std::unique_ptr<LayerWork> make_layer_products(const LayerShape& shape) {
  return std::make_unique<LayerProducts>(shape);
}

}  // namespace assay::collectives
