// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/cublaslt.hpp"

#include <fmt/core.h>

#include <string>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw core::Error(core::ErrorKind::cublas, why); }

const core::FirstOpened<CublasLt>& found() {
  static const auto once = core::open_first<CublasLt>(
      core::cuda_library_names("ASSAY_CUBLASLT", fmt::format("libcublasLt.so.{}", CUBLAS_VER_MAJOR)));
  return once;
}

}  // namespace

CublasLt::CublasLt(const std::string& name)
    // Not unloaded at the end, when the driver may have gone before.
    : library_(name, core::ErrorKind::cublas, core::SharedLibrary::AtEnd::stay) {
  library_.find("cublasLtGetVersion", get_version);
  if (get_version() / 10000 != CUBLAS_VER_MAJOR)
    refuse(fmt::format("{} is {}: this program was built for version {}", name, version(), CUBLAS_VER_MAJOR));
  library_.find("cublasLtCreate", create);
  library_.find("cublasLtDestroy", destroy);
  library_.find("cublasLtGetStatusString", get_status_string);
  library_.find("cublasLtMatmul", matmul);
  library_.find("cublasLtMatmulDescCreate", desc_create);
  library_.find("cublasLtMatmulDescDestroy", desc_destroy);
  library_.find("cublasLtMatmulDescSetAttribute", desc_set);
  library_.find("cublasLtMatrixLayoutCreate", layout_create);
  library_.find("cublasLtMatrixLayoutDestroy", layout_destroy);
  library_.find("cublasLtMatrixLayoutSetAttribute", layout_set);
  library_.find("cublasLtMatmulPreferenceCreate", preference_create);
  library_.find("cublasLtMatmulPreferenceDestroy", preference_destroy);
  library_.find("cublasLtMatmulPreferenceSetAttribute", preference_set);
  library_.find("cublasLtMatmulAlgoGetHeuristic", heuristic);
  library_.find("cublasLtMatmulAlgoConfigGetAttribute", config_get);
}

const CublasLt& CublasLt::library() {
  if (!found().library) refuse(found().why_not);
  return *found().library;
}

std::optional<std::string> CublasLt::unavailable() {
  if (found().library) return std::nullopt;
  return found().why_not;
}

std::string CublasLt::version() const {
  const std::size_t version = get_version();
  return fmt::format("cuBLASLt {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

void CublasLt::check(cublasStatus_t status, std::string_view doing, std::source_location where) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw core::Error(core::ErrorKind::cublas, fmt::format("{}: {}", doing, get_status_string(status)), status,
                    where);
}

}  // namespace assay::workload
