// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/finished.hpp"

#include "harness/cuda/check.hpp"

namespace assay::cuda {
namespace {

bool is_success(cudaError_t status, std::string_view doing) {
  if (status == cudaErrorNotReady) {
    static_cast<void>(cudaGetLastError());
    return false;
  }
  check(status, doing);
  return true;
}

}  // namespace

bool is_finished(cudaStream_t stream, std::string_view doing) {
  return is_success(cudaStreamQuery(stream), doing);
}

bool is_finished(cudaEvent_t event, std::string_view doing) {
  return is_success(cudaEventQuery(event), doing);
}

}  // namespace assay::cuda
