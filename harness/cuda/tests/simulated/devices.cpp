// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Devices and errors of the CUDA runtime.
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/core/tests/simulated/node.hpp"
#include "harness/cuda/tests/simulated/simulated_gpu.hpp"

using namespace assay::cuda::simulated;

namespace {

std::atomic<bool> lost{false};
thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

int offered_cuda() {
  using assay::core::simulated::Node;
  static const int cuda = assay::core::simulated::cuda_of_driver(Node::shared().libcuda());
  return cuda;
}

cudaError_t known(int device) {
  if (const cudaError_t status = gpu_status(); status != cudaSuccess) return status;
  return device < 0 || device >= gpu().devices ? remember(cudaErrorInvalidDevice) : cudaSuccess;
}

/// A test may make more devices than the environment says.
int slot_of(int device) {
  const assay::core::simulated::Node& node = assay::core::simulated::Node::shared();
  return device < node.gpus() ? node.slot_of(device) : device;
}

}  // namespace

namespace assay::cuda::simulated {

SimulatedGpu& gpu() {
  static SimulatedGpu one;
  return one;
}

/// A runtime starts on a driver of its own major version of CUDA, and of any later one.
cudaError_t gpu_status() {
  if (offered_cuda() / 1000 < CUDART_VERSION / 1000) return remember(cudaErrorInsufficientDriver);
  return lost ? remember(cudaErrorLaunchFailure) : cudaSuccess;
}
int current_slot() { return slot_of(current_device); }
void lose_gpu() { lost = true; }
cudaError_t remember(cudaError_t status) { return last_error = status; }

}  // namespace assay::cuda::simulated

extern "C" {

cudaError_t cudaGetLastError() {
  return lost ? cudaErrorLaunchFailure : std::exchange(last_error, cudaSuccess);
}
cudaError_t cudaPeekAtLastError() { return lost ? cudaErrorLaunchFailure : last_error; }
const char* cudaGetErrorName(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    default:
      return "simulated";
  }
}
const char* cudaGetErrorString(cudaError_t status) {
  switch (status) {
    case cudaSuccess:
      return "no error";
    case cudaErrorInsufficientDriver:
      return "CUDA driver version is insufficient for CUDA runtime version";
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNotReady:
      return "device not ready";
    case cudaErrorLaunchFailure:
      return "unspecified launch failure";
    default:
      return "invalid argument";
  }
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = gpu().devices;
  return gpu_status();
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return gpu_status();
}
cudaError_t cudaSetDevice(int device) {
  if (const cudaError_t status = known(device); status != cudaSuccess) return status;
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t status = known(device); status != cudaSuccess) return status;
  *properties = {};
  std::strcpy(properties->name, "simulated");
  properties->major = gpu().compute_major;
  properties->multiProcessorCount = static_cast<int>(multiprocessors);
  properties->l2CacheSize = static_cast<int>(l2_bytes);
  properties->totalGlobalMem = memory_bytes;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t status = known(device); status != cudaSuccess) return status;
  switch (attribute) {
    case cudaDevAttrL2CacheSize:
      *value = static_cast<int>(l2_bytes);
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = most_shared_bytes;
      return cudaSuccess;
    case cudaDevAttrClockRate:
      *value = 2'000'000;
      return cudaSuccess;
    default:
      return remember(cudaErrorInvalidValue);
  }
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device) {
  std::snprintf(text, static_cast<std::size_t>(size), "%s",
                assay::core::simulated::Node::address_of(slot_of(device)).c_str());
  return known(device);
}
cudaError_t cudaDeviceCanAccessPeer(int* possible, int, int) {
  *possible = gpu().devices_reach_each_other ? 1 : 0;
  return gpu_status();
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return gpu_status(); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return gpu_status(); }
cudaError_t cudaDriverGetVersion(int* version) { return *version = offered_cuda(), cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }

}  // extern "C"
