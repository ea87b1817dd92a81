// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Device side of the mismatch log.
#pragma once

#include "harness/integrity/mismatch.hpp"

namespace assay::integrity {

__device__ inline void log_mismatch(MismatchLog* log, std::uint64_t address, std::uint64_t expected,
                                    std::uint64_t read) {
  // unsigned long long is what atomicAdd takes; it has the size of std::uint64_t.
  const unsigned long long at = atomicAdd(reinterpret_cast<unsigned long long*>(&log->count), 1ULL);
  if (at < MismatchLog::capacity) log->listed[at] = {address, expected, read};
}

}  // namespace assay::integrity
