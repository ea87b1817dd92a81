// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/check.hpp"

#include <fmt/format.h>

#include <atomic>

#include "harness/core/error.hpp"

namespace assay::cuda {
namespace {

std::atomic<bool> lost{false};

/// cudaErrorContained: headers of CUDA 12.0 have no name for it, and a newer driver may return it all the
/// same.
constexpr auto contained = static_cast<cudaError_t>(226);

}  // namespace

bool loses_context(cudaError_t status) {
  if (status == contained) return true;
  switch (status) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalAddress:
    case cudaErrorAssert:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorContextIsDestroyed:
    case cudaErrorMpsClientTerminated:
    case cudaErrorExternalDevice:
      return true;
    default:
      return false;
  }
}

bool context_is_lost() { return lost.load(std::memory_order_relaxed); }

void note_context_lost() { lost.store(true, std::memory_order_relaxed); }

void check(cudaError_t status, std::string_view doing, std::source_location where) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  core::Error error(core::ErrorKind::cuda,
                    fmt::format("{}: {} ({}, {})", doing, cudaGetErrorString(status),
                                cudaGetErrorName(status), static_cast<int>(status)),
                    static_cast<long>(status), where);
  if (loses_context(status)) {
    note_context_lost();
    error.poison();
  }
  throw error;
}

}  // namespace assay::cuda
