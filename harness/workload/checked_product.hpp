// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A host product as a load: what it computes while other work runs must be what it computed alone.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/workload/host_library.hpp"

namespace assay::workload {

class CheckedProduct {
 public:
  /// Bytes of both operands and the result.
  static std::size_t bytes(const Problem& problem);

  /// Multiplies once, alone, then spoils the result. `memory` holds bytes(problem), aligned to 64 bytes, and
  /// must outlive it. One thread of OpenMP should be all that the caller has.
  CheckedProduct(const Problem& problem, std::span<std::byte> memory);

  void multiply() { product_->multiply(operands_); }
  /// Nothing where the result is what it was alone.
  std::optional<std::string> wrong() const;

 private:
  HostOperands operands_;
  std::unique_ptr<HostProduct> product_;
  std::vector<std::byte> expected_;
};

}  // namespace assay::workload
