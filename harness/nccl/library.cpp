// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/nccl/library.hpp"

#include <fmt/core.h>

#include "harness/core/error.hpp"

namespace assay::nccl {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw core::Error(core::ErrorKind::nccl, why); }

void find_all(const core::SharedLibrary& library, Calls& calls) {
  library.find("ncclGetErrorString", calls.get_error_string);
  library.find("ncclGetLastError", calls.get_last_error);
  library.find("ncclGetUniqueId", calls.get_unique_id);
  library.find("ncclCommInitRankConfig", calls.comm_init_rank_config);
  library.find("ncclCommSplit", calls.comm_split);
  library.find("ncclCommDestroy", calls.comm_destroy);
  library.find("ncclCommAbort", calls.comm_abort);
  library.find("ncclCommGetAsyncError", calls.comm_get_async_error);
  library.find("ncclGroupStart", calls.group_start);
  library.find("ncclGroupEnd", calls.group_end);
  library.find("ncclAllReduce", calls.all_reduce);
  library.find("ncclAllGather", calls.all_gather);
  library.find("ncclReduceScatter", calls.reduce_scatter);
  library.find("ncclBroadcast", calls.broadcast);
  library.find("ncclReduce", calls.reduce);
  library.find("ncclSend", calls.send);
  library.find("ncclRecv", calls.recv);
  library.find_if_there("ncclMemAlloc", calls.mem_alloc);
  library.find_if_there("ncclMemFree", calls.mem_free);
  library.find_if_there("ncclCommRegister", calls.comm_register);
  library.find_if_there("ncclCommDeregister", calls.comm_deregister);
  library.find_if_there("ncclCommWindowRegister", calls.register_window);
  library.find_if_there("ncclCommWindowDeregister", calls.deregister_window);
  library.find_if_there("ncclAlltoAll", calls.allto_all);
  library.find_if_there("ncclGather", calls.gather);
  library.find_if_there("ncclScatter", calls.scatter);
}

const core::FirstOpened<Library>& found() {
  static const auto once = core::open_first<Library>(
      core::cuda_library_names("ASSAY_NCCL", fmt::format("libnccl.so.{}", NCCL_MAJOR)));
  return once;
}

}  // namespace

Library::Library(const std::string& name)
    : name_(name), library_(name, core::ErrorKind::nccl, core::SharedLibrary::AtEnd::stay) {
  library_.find("ncclGetVersion", calls_.get_version);
  int version = 0;
  if (calls_.get_version(&version) != ncclSuccess || version / 10000 != NCCL_MAJOR ||
      version < NCCL_VERSION(2, 18, 1))
    refuse(fmt::format("{} is NCCL {}: this program needs {}.18 or newer of major version {}", name,
                       version_text(calls_), NCCL_MAJOR, NCCL_MAJOR));
  find_all(library_, calls_);
}

const Library& Library::library() {
  if (!found().library) refuse(found().why_not);
  return *found().library;
}

std::optional<std::string> Library::unavailable() {
  if (found().library) return std::nullopt;
  return found().why_not;
}

std::string version_text(const Calls& calls) {
  int version = 0;
  if (calls.get_version(&version) != ncclSuccess) return "of no known version";
  const int major = version >= 10000 ? version / 10000 : version / 1000;
  return fmt::format("{}.{}.{}", major, (version - major * (version >= 10000 ? 10000 : 1000)) / 100,
                     version % 100);
}

void check(const Calls& calls, ncclResult_t status, std::string_view doing, std::source_location where) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  const char* last = calls.get_last_error(nullptr);
  const std::string detail = last != nullptr && *last != '\0' ? fmt::format(" ({})", last) : "";
  const std::string what = fmt::format("{}: {}{}", doing, calls.get_error_string(status), detail);
  if (status == ncclInvalidUsage && detail.find("no algorithm/protocol available") != std::string::npos)
    throw core::Unsupported(core::ErrorKind::nccl, what, status, where);
  throw core::Error(core::ErrorKind::nccl, what, status, where);
}

}  // namespace assay::nccl
