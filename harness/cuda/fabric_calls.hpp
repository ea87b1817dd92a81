// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CUDA driver's functions for memory with a fabric handle, asked of the library that the runtime has
// loaded.
#pragma once

#include <cuda.h>

#include <cstddef>

namespace assay::cuda {

struct FabricCalls {
  CUresult (*device)(CUdevice*, int ordinal) = nullptr;
  CUresult (*attribute)(int* value, int attribute, CUdevice) = nullptr;  // by number: 12.0 has no name for it
  CUresult (*granularity)(std::size_t*, const CUmemAllocationProp*,
                          CUmemAllocationGranularity_flags) = nullptr;
  CUresult (*create)(CUmemGenericAllocationHandle*, std::size_t bytes, const CUmemAllocationProp*,
                     unsigned long long flags) = nullptr;
  CUresult (*release)(CUmemGenericAllocationHandle) = nullptr;
  CUresult (*export_handle)(void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType,
                            unsigned long long flags) = nullptr;
  CUresult (*import_handle)(CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType) = nullptr;
  CUresult (*reserve)(CUdeviceptr*, std::size_t bytes, std::size_t alignment, CUdeviceptr,
                      unsigned long long flags) = nullptr;
  CUresult (*unreserve)(CUdeviceptr, std::size_t bytes) = nullptr;
  CUresult (*map)(CUdeviceptr, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle,
                  unsigned long long flags) = nullptr;
  CUresult (*unmap)(CUdeviceptr, std::size_t bytes) = nullptr;
  CUresult (*set_access)(CUdeviceptr, std::size_t bytes, const CUmemAccessDesc*, std::size_t count) = nullptr;
  CUresult (*error_text)(CUresult, const char**) = nullptr;
};

/// Throws core::Error (cuda) where there is no driver, or it lacks one of them. The simulated GPU has its
/// own.
const FabricCalls& fabric_calls();

}  // namespace assay::cuda
