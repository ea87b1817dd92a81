// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_memory.hpp"

#include <utility>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"

namespace assay::collectives {

NcclMemory::NcclMemory(const nccl::Calls& calls, std::shared_ptr<Accelerator> accelerator, std::size_t bytes,
                       bool from_nccl)
    : calls_(calls), accelerator_(std::move(accelerator)), bytes_(bytes), from_nccl_(from_nccl) {
  if (!from_nccl_) {
    data_ = accelerator_->allocate(bytes);
    return;
  }
  void* memory = nullptr;
  nccl::check(calls_, calls_.mem_alloc(&memory, bytes), "ncclMemAlloc");
  data_ = static_cast<std::byte*>(memory);
}

NcclMemory::~NcclMemory() {
  if (!from_nccl_)
    accelerator_->free(data_);
  else if (!cuda::context_is_lost())
    static_cast<void>(calls_.mem_free(data_));
}

Registration::Registration(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory)
    : calls_(calls), communicator_(communicator) {
  communicator_.check(calls_.comm_register(communicator_.get(), memory.data(), memory.size(), &handle_),
                      "ncclCommRegister");
}

Registration::~Registration() {
  // An aborted communicator forgets what was registered with it.
  if (!communicator_.is_broken() && !cuda::context_is_lost())
    static_cast<void>(calls_.comm_deregister(communicator_.get(), handle_));
}

Window::Window(const nccl::Calls& calls, Communicator& communicator, const NcclMemory& memory)
    : calls_(calls), communicator_(communicator) {
  constexpr int symmetric = 1;  // NCCL_WIN_COLL_SYMMETRIC
  communicator_.check(
      calls_.register_window(communicator_.get(), memory.data(), memory.size(), &handle_, symmetric),
      "ncclCommWindowRegister");
  if (handle_ == nullptr)
    throw core::Unsupported(core::ErrorKind::nccl,
                            "window=symmetric: NCCL makes no symmetric window on these ranks");
}

Window::~Window() {
  if (!communicator_.is_broken() && !cuda::context_is_lost())
    static_cast<void>(calls_.deregister_window(communicator_.get(), handle_));
}

}  // namespace assay::collectives
