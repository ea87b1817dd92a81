// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Device memory of a rank for NCCL, registered with it beforehand.
#pragma once

#include <cstddef>
#include <memory>

#include "collectives/nccl/communicator.hpp"
#include "collectives/nccl/device/accelerator.hpp"

namespace assay::collectives {

/// Device memory for NCCL: from the driver, or from NCCL, to be registered with a communicator, which then
/// needs no copy of its own.
class NcclMemory {
 public:
  /// `bytes` > 0. `calls` must outlive it. Throws core::Error (cuda, nccl).
  NcclMemory(const nccl::Calls& calls, std::shared_ptr<Accelerator> accelerator, std::size_t bytes,
             bool from_nccl);
  ~NcclMemory();
  NcclMemory(const NcclMemory&) = delete;
  NcclMemory& operator=(const NcclMemory&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

 private:
  const nccl::Calls& calls_;
  std::shared_ptr<Accelerator> accelerator_;
  std::size_t bytes_;
  bool from_nccl_;
  std::byte* data_ = nullptr;
};

/// Both must outlive it.
class Registration {
 public:
  Registration(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory);
  ~Registration();
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  const nccl::Calls& calls_;
  Communicator& communicator_;
  void* handle_ = nullptr;
};

/// A symmetric window over memory of NCCL's own, of the same size at every rank, which all make it at the
/// same time. Both must outlive it.
class Window {
 public:
  /// Throws core::Error (nccl); Unsupported where NCCL makes none on these ranks.
  Window(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

 private:
  const nccl::Calls& calls_;
  Communicator& communicator_;
  void* handle_ = nullptr;
};

}  // namespace assay::collectives
