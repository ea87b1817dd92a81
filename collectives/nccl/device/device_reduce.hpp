// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// reduce_into() and average() on the device.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "collectives/data_type.hpp"

namespace assay::collectives {

/// Enqueues into[i] = into[i] (operator) from[i], for `count` elements of device memory, which must not
/// overlap. Integers wrap around. Returns how the launch went.
cudaError_t reduce_on_device(DataType type, Operator reduction, std::byte* into, const std::byte* from,
                             std::int64_t count, cudaStream_t stream);

/// Enqueues into[i] = mean_of(into[i], ranks).
cudaError_t average_on_device(DataType type, int ranks, std::byte* into, std::int64_t count,
                              cudaStream_t stream);

}  // namespace assay::collectives
