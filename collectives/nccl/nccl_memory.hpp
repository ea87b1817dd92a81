// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Device memory for NCCL: from the driver, or from NCCL and registered with a communicator, which then needs
// no copy of its own.
#pragma once

#include <cstddef>
#include <memory>

#include "collectives/nccl/accelerator.hpp"
#include "collectives/nccl/communicator.hpp"

namespace assay::collectives {

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

}  // namespace assay::collectives
