// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/workload/cublaslt.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::workload {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw core::Error(core::ErrorKind::cublas, why); }

std::string loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gave no reason" : words;
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) refuse(loader_words());
}

/// What the process found, or why it found nothing.
struct Found {
  std::unique_ptr<CublasLt> library;
  std::string why_not;
};

std::vector<std::string> names() {
  if (const char* chosen = std::getenv("ASSAY_CUBLASLT"); chosen != nullptr && *chosen != '\0')
    return {chosen};
  const std::string soname = fmt::format("libcublasLt.so.{}", CUBLAS_VER_MAJOR);
  return {soname, "/usr/local/cuda/lib64/" + soname};
}

const Found& found() {
  static const Found once = [] {
    Found result;
    for (const std::string& name : names()) {
      try {
        result.library = std::make_unique<CublasLt>(name);
        return result;
      } catch (const core::Error& error) {
        if (result.why_not.empty()) result.why_not = error.what();
      }
    }
    return result;
  }();
  return once;
}

}  // namespace

void CublasLt::Close::operator()(void* library) const noexcept { dlclose(library); }

CublasLt::CublasLt(const std::string& name) : library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  void* lib = library_.get();
  if (lib == nullptr) refuse(loader_words());
  find(lib, "cublasLtGetVersion", get_version);
  if (get_version() / 10000 != CUBLAS_VER_MAJOR)
    refuse(fmt::format("{} is {}: this program was built for version {}", name, version(), CUBLAS_VER_MAJOR));
  find(lib, "cublasLtCreate", create);
  find(lib, "cublasLtDestroy", destroy);
  find(lib, "cublasLtGetStatusString", get_status_string);
  find(lib, "cublasLtMatmul", matmul);
  find(lib, "cublasLtMatmulDescCreate", desc_create);
  find(lib, "cublasLtMatmulDescDestroy", desc_destroy);
  find(lib, "cublasLtMatmulDescSetAttribute", desc_set);
  find(lib, "cublasLtMatrixLayoutCreate", layout_create);
  find(lib, "cublasLtMatrixLayoutDestroy", layout_destroy);
  find(lib, "cublasLtMatmulPreferenceCreate", preference_create);
  find(lib, "cublasLtMatmulPreferenceDestroy", preference_destroy);
  find(lib, "cublasLtMatmulPreferenceSetAttribute", preference_set);
  find(lib, "cublasLtMatmulAlgoGetHeuristic", heuristic);
  find(lib, "cublasLtMatmulAlgoConfigGetAttribute", config_get);
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
