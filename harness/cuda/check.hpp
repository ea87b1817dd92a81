// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every status of the CUDA runtime goes through check(): it throws with what was being done, the name, the
// text and the code, clears the thread's last error, and marks errors after which the context is lost.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string_view>

namespace assay::cuda {

/// Throws core::Error(cuda) unless `status` is cudaSuccess. `doing` names the action: "allocate device
/// buffer".
void check(cudaError_t status, std::string_view doing,
           std::source_location where = std::source_location::current());

/// True for errors that leave the context unusable: every later call in this process fails the same way.
bool loses_context(cudaError_t status);

/// Set once such an error, or a device that no longer answers, was seen. Owners of device memory then leak
/// instead of calling into a driver that may never return.
bool context_is_lost();
void note_context_lost();

}  // namespace assay::cuda
