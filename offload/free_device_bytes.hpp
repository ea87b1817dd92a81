// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Free bytes of a GPU's memory, for refusing a point before anything of it is allocated.
#pragma once

#include <cstdint>

namespace assay::offload {

/// 0 where it is not known: a device that is lost, or that does not report it.
std::int64_t free_device_bytes(int gpu);

}  // namespace assay::offload
