// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Device memory that GPUs of other nodes reach over NVLink: its fabric handle is mapped by processes of the
// same NVLink domain (CUDA driver API, virtual memory management).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "harness/cuda/fabric_calls.hpp"

namespace assay::cuda {

/// The data that another process needs to map the memory.
struct FabricHandle {
  std::array<unsigned char, 64> opaque{};  // the driver's
  std::size_t bytes = 0;                   // of the whole allocation
};

std::string to_text(const FabricHandle& handle);
/// Throws core::Error (team) for text of another form.
FabricHandle fabric_handle_from(const std::string& text);

/// Why the device exports no fabric handle; empty where it does. What the site must allow, only a trial
/// shows.
std::optional<std::string> no_fabric_handles(int device);

/// A mapping, for the device that was current when it was made. Unmapped, and given back, at its end.
class FabricMemory {
 public:
  /// Memory of `device`, which is current: at least `bytes` (> 0). Throws core::Unsupported (cuda) where this
  /// process may export none, else core::Error (cuda).
  FabricMemory(int device, std::size_t bytes);
  /// Another process's memory, or this one's. Throws likewise.
  FabricMemory(int device, const FabricHandle& handle);
  ~FabricMemory();
  FabricMemory(const FabricMemory&) = delete;
  FabricMemory& operator=(const FabricMemory&) = delete;

  std::byte* data() const;
  const FabricHandle& handle() const { return handle_; }

 private:
  FabricMemory();  // of nothing: what a constructor then fails to finish, the destructor gives back
  void map(int device);

  const FabricCalls& calls_;
  FabricHandle handle_;
  std::optional<CUmemGenericAllocationHandle> allocation_;
  CUdeviceptr address_ = 0;  // reserved
  bool mapped_ = false;
};

}  // namespace assay::cuda
