// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The node's own NCCL, opened at run time: a site tests its version, and a node without one still starts.
#pragma once

#include <nccl.h>

#include <optional>
#include <source_location>
#include <string>
#include <string_view>

#include "harness/core/files/shared_library.hpp"

namespace assay::nccl {

/// The functions used, under their own names less the prefix. NCCL's, or a test's.
struct Calls {
  decltype(&::ncclGetVersion) get_version = nullptr;
  decltype(&::ncclGetErrorString) get_error_string = nullptr;
  decltype(&::ncclGetLastError) get_last_error = nullptr;
  decltype(&::ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&::ncclCommInitRankConfig) comm_init_rank_config = nullptr;
  decltype(&::ncclCommSplit) comm_split = nullptr;
  decltype(&::ncclCommDestroy) comm_destroy = nullptr;
  decltype(&::ncclCommAbort) comm_abort = nullptr;
  decltype(&::ncclCommGetAsyncError) comm_get_async_error = nullptr;
  decltype(&::ncclGroupStart) group_start = nullptr;
  decltype(&::ncclGroupEnd) group_end = nullptr;
  decltype(&::ncclAllReduce) all_reduce = nullptr;
  decltype(&::ncclAllGather) all_gather = nullptr;
  decltype(&::ncclReduceScatter) reduce_scatter = nullptr;
  decltype(&::ncclBroadcast) broadcast = nullptr;
  decltype(&::ncclReduce) reduce = nullptr;
  decltype(&::ncclSend) send = nullptr;
  decltype(&::ncclRecv) recv = nullptr;
  // Null where the library is older: of 2.19, 2.27 (windows) and 2.28.
  decltype(&::ncclMemAlloc) mem_alloc = nullptr;
  decltype(&::ncclMemFree) mem_free = nullptr;
  decltype(&::ncclCommRegister) comm_register = nullptr;
  decltype(&::ncclCommDeregister) comm_deregister = nullptr;
  using RegisterWindow = ncclResult_t(ncclComm_t, void*, std::size_t, void** window, int flags);
  using DeregisterWindow = ncclResult_t(ncclComm_t, void* window);
  RegisterWindow* register_window = nullptr;
  DeregisterWindow* deregister_window = nullptr;
  using AllToAll = ncclResult_t(const void*, void*, std::size_t, ncclDataType_t, ncclComm_t, cudaStream_t);
  using Rooted = ncclResult_t(const void*, void*, std::size_t, ncclDataType_t, int root, ncclComm_t,
                              cudaStream_t);
  AllToAll* allto_all = nullptr;
  Rooted* gather = nullptr;
  Rooted* scatter = nullptr;

  bool can_register() const {
    return mem_alloc != nullptr && mem_free != nullptr && comm_register != nullptr &&
           comm_deregister != nullptr;
  }
  bool has_windows() const {
    return mem_alloc != nullptr && mem_free != nullptr && register_window != nullptr &&
           deregister_window != nullptr;
  }
};

std::string version_text(const Calls& calls);  // "2.28.9"

/// Throws core::Error (nccl) in NCCL's words, the text of its last error included, unless `status` is
/// ncclSuccess, or ncclInProgress of a communicator that does not block. Unsupported where what is forced by
/// NCCL_ALGO and NCCL_PROTO is not possible on these ranks.
void check(const Calls& calls, ncclResult_t status, std::string_view doing,
           std::source_location where = std::source_location::current());

class Library {
 public:
  /// The library named by ASSAY_NCCL, else libnccl.so.2 where core::cuda_library_names() looks. Opened once
  /// per process. Throws core::Error (nccl) with unavailable().
  static const Library& library();
  /// Why there is none, in the loader's words, or which version it is where that is too old or too new.
  static std::optional<std::string> unavailable();

  /// Opens `name`; throws core::Error (nccl). For library() and tests.
  explicit Library(const std::string& name);

  const Calls& calls() const { return calls_; }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
  core::SharedLibrary library_;
  Calls calls_;
};

}  // namespace assay::nccl
