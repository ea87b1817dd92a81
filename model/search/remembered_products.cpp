// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/remembered_products.hpp"

#include <array>
#include <map>
#include <memory>

namespace assay::model {

Question with_remembered_products(Question question) {
  if (!question.system.matmul_s) return question;
  using Sizes = std::array<double, 3>;
  question.system.matmul_s = [seconds = std::move(question.system.matmul_s),
                              known = std::make_shared<std::map<Sizes, double>>()](const MatmulShape& shape) {
    const auto [found, fresh] = known->try_emplace(Sizes{shape.m, shape.n, shape.k});
    if (fresh) found->second = seconds(shape);
    return found->second;
  };
  return question;
}

}  // namespace assay::model
