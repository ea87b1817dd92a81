// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/fabric_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/cuda/check.hpp"

namespace assay::cuda {
namespace {

// Numbers rather than names, because these names came with CUDA 12.3.
constexpr auto fabric_type = static_cast<CUmemAllocationHandleType>(8);  // CU_MEM_HANDLE_TYPE_FABRIC
constexpr int fabric_attribute = 128;  // CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED
constexpr int hexadecimal = 16;

/// The requirements that a site may not meet where the driver permits no fabric handle (IMEX guide, "IMEX
/// channels").
constexpr const char* needs_imex =
    "needs GPUs of one NVLink domain, nvidia-imex running on every node and an IMEX channel for this process "
    "(/dev/nvidia-caps-imex-channels)";

std::string text_of(const FabricCalls& calls, CUresult status) {
  const char* text = nullptr;
  if (calls.error_text(status, &text) != CUDA_SUCCESS || text == nullptr) text = "unknown error";
  return fmt::format("{} (error {})", text, static_cast<int>(status));
}

void check_driver(const FabricCalls& calls, CUresult status, std::string_view doing) {
  if (status == CUDA_SUCCESS) return;
  const std::string what = fmt::format("{}: {}", doing, text_of(calls, status));
  if (status == CUDA_ERROR_NOT_PERMITTED || status == CUDA_ERROR_NOT_SUPPORTED)
    throw core::Unsupported(core::ErrorKind::cuda, fmt::format("{}: it {}", what, needs_imex), status);
  throw core::Error(core::ErrorKind::cuda, what, status);
}

CUmemAllocationProp shareable_on(const FabricCalls& calls, int device) {
  CUdevice known = 0;
  check_driver(calls, calls.device(&known, device), "find the GPU");
  CUmemAllocationProp wanted{};
  wanted.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  wanted.requestedHandleTypes = fabric_type;
  wanted.location = {CU_MEM_LOCATION_TYPE_DEVICE, known};
  return wanted;
}

}  // namespace

std::string to_text(const FabricHandle& handle) {
  std::string text = fmt::format("{} ", handle.bytes);
  for (const unsigned char one : handle.opaque) text += fmt::format("{:02x}", one);
  return text;
}

FabricHandle fabric_handle_from(const std::string& text) {
  FabricHandle handle;
  const char* const end = text.data() + text.size();
  auto [at, error] = std::from_chars(text.data(), end, handle.bytes);
  bool right = error == std::errc() && end - at == 1 + 2 * std::ssize(handle.opaque) && *at++ == ' ';
  for (unsigned char& one : handle.opaque) {
    if (!right) break;
    right = std::from_chars(at, at + 2, one, hexadecimal).ptr == at + 2;
    at += 2;
  }
  if (!right) throw core::Error(core::ErrorKind::team, fmt::format("'{}' is not a fabric handle", text));
  return handle;
}

std::optional<std::string> no_fabric_handles(int device) {
  const FabricCalls& calls = fabric_calls();
  int supported = 0;
  if (calls.attribute(&supported, fabric_attribute, shareable_on(calls, device).location.id) ==
          CUDA_SUCCESS &&
      supported != 0)
    return std::nullopt;
  return fmt::format("GPU {} exports no fabric handle: NVLink between nodes {}", device, needs_imex);
}

FabricMemory::FabricMemory() : calls_(fabric_calls()) {}

FabricMemory::FabricMemory(int device, std::size_t bytes) : FabricMemory() {
  const CUmemAllocationProp wanted = shareable_on(calls_, device);
  std::size_t step = 0;
  check_driver(calls_, calls_.granularity(&step, &wanted, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
               "ask how memory with a fabric handle is divided");
  handle_.bytes = core::rounded_up(bytes, step);
  CUmemGenericAllocationHandle made{};
  check_driver(calls_, calls_.create(&made, handle_.bytes, &wanted, 0),
               fmt::format("allocate {} bytes with a fabric handle", handle_.bytes));
  allocation_ = made;
  check_driver(calls_, calls_.export_handle(handle_.opaque.data(), made, fabric_type, 0),
               "export a fabric handle");
  map(device);
}

FabricMemory::FabricMemory(int device, const FabricHandle& handle) : FabricMemory() {
  handle_ = handle;
  CUmemGenericAllocationHandle made{};
  check_driver(calls_, calls_.import_handle(&made, handle_.opaque.data(), fabric_type),
               "import a fabric handle");
  allocation_ = made;
  map(device);
}

void FabricMemory::map(int device) {
  check_driver(calls_, calls_.reserve(&address_, handle_.bytes, 0, 0, 0), "reserve addresses");
  check_driver(calls_, calls_.map(address_, handle_.bytes, 0, *allocation_, 0),
               "map memory with a fabric handle");
  mapped_ = true;
  CUmemAccessDesc access{};
  access.location = shareable_on(calls_, device).location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  check_driver(calls_, calls_.set_access(address_, handle_.bytes, &access, 1),
               "let the GPU reach memory with a fabric handle");
}

FabricMemory::~FabricMemory() {
  if (context_is_lost()) return;
  if (mapped_) static_cast<void>(calls_.unmap(address_, handle_.bytes));
  if (address_ != 0) static_cast<void>(calls_.unreserve(address_, handle_.bytes));
  if (allocation_) static_cast<void>(calls_.release(*allocation_));
}

std::byte* FabricMemory::data() const { return reinterpret_cast<std::byte*>(address_); }

}  // namespace assay::cuda
