// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/device.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "harness/core/version.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/kernels.hpp"
#include "harness/machine/cuda_driver.hpp"

namespace assay::cuda {
namespace {

struct Devices {
  int count = 0;
  std::optional<std::string> unavailable;
};

/// The runtime says no more than that the driver is too old, also where there is none at all.
std::string words_of(cudaError_t status) {
  if (status == cudaErrorInsufficientDriver)
    if (const auto old = machine::driver_too_old(machine::read_cuda_driver(), core::cuda_toolkit()))
      return old->sentence();
  return cudaGetErrorString(status);
}

Devices find_devices() {
  Devices found;
  cudaError_t status = cudaGetDeviceCount(&found.count);
  if (status == cudaSuccess && found.count == 0) status = cudaErrorNoDevice;
  // A build for another architecture fails here, before any point is tried.
  if (status == cudaSuccess) status = kernels_can_run();
  if (status != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    found.unavailable = words_of(status);
  }
  return found;
}

const Devices& devices() {
  static const Devices found = find_devices();
  return found;
}

int attribute(cudaDeviceAttr which, int device, const char* name) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), fmt::format("read {} of device {}", name, device));
  return value;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

std::optional<std::string> device_unavailable() { return devices().unavailable; }

std::optional<std::string> device_unavailable(int gpu) {
  if (devices().unavailable) return devices().unavailable;
  if (gpu >= 0 && gpu < devices().count) return std::nullopt;
  return fmt::format("gpu={} but this process sees {} device(s)", gpu, devices().count);
}

std::optional<std::string> device_unavailable(const core::Point& point) {
  return device_unavailable(gpu_of(point));
}

Device describe_device(int index) {
  Device device;
  device.index = index;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), fmt::format("read the properties of device {}", index));
  device.name = properties.name;
  device.compute_major = properties.major;
  device.compute_minor = properties.minor;
  device.sm_count = properties.multiProcessorCount;
  device.l2_bytes = properties.l2CacheSize;
  device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  device.max_shared_bytes_per_block =
      attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, index, "shared memory per block");
  std::array<char, 32> address{};
  check(cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), index),
        fmt::format("read the PCI address of device {}", index));
  device.pci_address = address.data();
  // The runtime writes capital digits, sysfs and the machine's description small ones: they are compared.
  std::transform(device.pci_address.begin(), device.pci_address.end(), device.pci_address.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return device;
}

std::vector<core::Fact> version_facts() {
  int driver = 0, runtime = 0;
  check(cudaDriverGetVersion(&driver), "read the driver's CUDA version");
  check(cudaRuntimeGetVersion(&runtime), "read the runtime's version");
  return {{"cuda_driver", version_text(driver)}, {"cuda_runtime", version_text(runtime)}};
}

}  // namespace assay::cuda
