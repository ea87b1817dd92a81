// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Asks, without waiting, whether queued work has run. "Not ready" becomes the thread's last error in the
// runtime, where the next launch would find it; these functions clear it, and only they query.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace assay::cuda {

/// Whether everything queued on `stream` has run. Throws core::Error(cuda) naming what was `doing`.
bool is_finished(cudaStream_t stream, std::string_view doing);

/// Whether `event` was reached as often as it was recorded. Throws likewise.
bool is_finished(cudaEvent_t event, std::string_view doing);

}  // namespace assay::cuda
