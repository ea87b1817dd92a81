// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A host GEMM library behind one interface. Which libraries this build has is decided when it is linked: each
// has a file that calls it and a file that says it is absent.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "harness/workload/problem.hpp"

namespace assay::workload {

/// One operand set; row-major as the problem's pass says, each aligned to 64 bytes.
struct HostOperands {
  std::byte* a = nullptr;
  std::byte* b = nullptr;
  std::byte* c = nullptr;
};

/// A prepared product. multiply() computes C = A B with the calling thread's OpenMP team and returns when it
/// is done.
class HostProduct {
 public:
  virtual ~HostProduct() = default;
  virtual void multiply(const HostOperands& operands) = 0;
  virtual std::string algorithm() const = 0;  // the library's own name for what it runs
};

class HostLibrary {
 public:
  virtual ~HostLibrary() = default;
  virtual std::string version() const = 0;  // "oneDNN 2.6.3"
  /// Its name, where this build was made without it: what core::Case::not_built asks for.
  virtual std::optional<std::string> not_built() const { return std::nullopt; }
  /// Why this library cannot do this problem here; empty when it can.
  virtual std::optional<std::string> unsupported(const Problem& problem) const = 0;
  /// Throws core::Error when the library refuses.
  virtual std::unique_ptr<HostProduct> prepare(const Problem& problem, int threads) const = 0;
};

const HostLibrary& onednn();
const HostLibrary& blas();

/// fp64 is the BLAS's, every other type oneDNN's.
const HostLibrary& host_library(Dtype dtype);

}  // namespace assay::workload
