// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Owners of device memory and of pinned host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace assay::cuda {

/// Device memory on the device that was current when it was made. Aligned to 256 bytes, contents undefined.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  /// Throws core::Error(cuda) naming the bytes asked for and the bytes free.
  explicit DeviceBuffer(std::size_t bytes);

  std::size_t size() const { return bytes_; }
  int device() const { return device_; }
  std::byte* data() const { return memory_.get(); }
  /// The memory as an array of T, `offset` bytes in (a multiple of alignof(T)).
  template <class T>
  T* as(std::size_t offset = 0) const {
    return reinterpret_cast<T*>(memory_.get() + offset);
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
  int device_ = -1;
};

/// Page-locked host memory that every device can also address (mapped, portable). Contents are zero.
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  explicit PinnedBuffer(std::size_t bytes);

  std::size_t size() const { return bytes_; }
  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(memory_.get());
  }
  /// The address by which kernels of the current device reach this memory.
  template <class T>
  T* on_device() const {
    return reinterpret_cast<T*>(device_address_);
  }

 private:
  struct Free {
    void operator()(std::byte* memory) const noexcept;
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::byte* device_address_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace assay::cuda
