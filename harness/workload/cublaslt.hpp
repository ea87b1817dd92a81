// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node's own cuBLASLt, opened at run time: a site tests its version, and a node without one still starts.
#pragma once

#include <cublasLt.h>

#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include "harness/core/files/shared_library.hpp"
#include "harness/cuda/check.hpp"

namespace assay::workload {

class CublasLt {
 public:
  /// The library named by ASSAY_CUBLASLT, else libcublasLt.so.<major this program was built for> where
  /// core::cuda_library_names() looks. Opened once per process. Throws core::Error(cublas) with
  /// unavailable().
  static const CublasLt& library();
  /// Why there is none, in the loader's words, or which version it is where the major differs.
  static std::optional<std::string> unavailable();

  /// Opens `name`; throws core::Error(cublas). For library() and tests.
  explicit CublasLt(const std::string& name);

  std::string version() const;  // "cuBLASLt 13.1.0"
  void check(cublasStatus_t status, std::string_view doing,
             std::source_location where = std::source_location::current()) const;

  // The functions used, under their own names less the prefix.
  decltype(&::cublasLtCreate) create = nullptr;
  decltype(&::cublasLtDestroy) destroy = nullptr;
  decltype(&::cublasLtGetVersion) get_version = nullptr;
  decltype(&::cublasLtGetStatusString) get_status_string = nullptr;
  decltype(&::cublasLtMatmul) matmul = nullptr;
  decltype(&::cublasLtMatmulDescCreate) desc_create = nullptr;
  decltype(&::cublasLtMatmulDescDestroy) desc_destroy = nullptr;
  decltype(&::cublasLtMatmulDescSetAttribute) desc_set = nullptr;
  decltype(&::cublasLtMatrixLayoutCreate) layout_create = nullptr;
  decltype(&::cublasLtMatrixLayoutDestroy) layout_destroy = nullptr;
  decltype(&::cublasLtMatrixLayoutSetAttribute) layout_set = nullptr;
  decltype(&::cublasLtMatmulPreferenceCreate) preference_create = nullptr;
  decltype(&::cublasLtMatmulPreferenceDestroy) preference_destroy = nullptr;
  decltype(&::cublasLtMatmulPreferenceSetAttribute) preference_set = nullptr;
  decltype(&::cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&::cublasLtMatmulAlgoConfigGetAttribute) config_get = nullptr;

 private:
  core::SharedLibrary library_;
};

/// Owns what the library made and gives it back to the library it came from.
template <class Pointer>
class LtHandle {
 public:
  using Destroy = cublasStatus_t (*)(Pointer);
  LtHandle(Pointer made, Destroy destroy) : made_(made, Deleter{destroy}) {}
  Pointer get() const { return made_.get(); }

 private:
  struct Deleter {
    Destroy destroy;
    void operator()(Pointer made) const noexcept {
      // Giving a handle back waits for the device, which a lost one never answers.
      if (!cuda::context_is_lost()) static_cast<void>(destroy(made));
    }
  };
  std::unique_ptr<std::remove_pointer_t<Pointer>, Deleter> made_;
};

}  // namespace assay::workload
