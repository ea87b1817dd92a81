// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/nccl_library.hpp"

#include <dlfcn.h>
#include <fmt/core.h>

#include <cstdlib>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::collectives {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw core::Error(core::ErrorKind::nccl, why); }

std::string loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "the loader gave no reason" : words;
}

template <class Function>
void find_if_there(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  find_if_there(library, name, function);
  if (function == nullptr) refuse(loader_words());
}

void find_all(void* lib, NcclCalls& calls) {
  find(lib, "ncclGetErrorString", calls.get_error_string);
  find(lib, "ncclGetLastError", calls.get_last_error);
  find(lib, "ncclGetUniqueId", calls.get_unique_id);
  find(lib, "ncclCommInitRankConfig", calls.comm_init_rank_config);
  find(lib, "ncclCommSplit", calls.comm_split);
  find(lib, "ncclCommDestroy", calls.comm_destroy);
  find(lib, "ncclCommAbort", calls.comm_abort);
  find(lib, "ncclCommGetAsyncError", calls.comm_get_async_error);
  find(lib, "ncclGroupStart", calls.group_start);
  find(lib, "ncclGroupEnd", calls.group_end);
  find(lib, "ncclAllReduce", calls.all_reduce);
  find(lib, "ncclAllGather", calls.all_gather);
  find(lib, "ncclReduceScatter", calls.reduce_scatter);
  find(lib, "ncclBroadcast", calls.broadcast);
  find(lib, "ncclReduce", calls.reduce);
  find(lib, "ncclSend", calls.send);
  find(lib, "ncclRecv", calls.recv);
  find_if_there(lib, "ncclMemAlloc", calls.mem_alloc);
  find_if_there(lib, "ncclMemFree", calls.mem_free);
  find_if_there(lib, "ncclCommRegister", calls.comm_register);
  find_if_there(lib, "ncclCommDeregister", calls.comm_deregister);
  find_if_there(lib, "ncclAlltoAll", calls.allto_all);
  find_if_there(lib, "ncclGather", calls.gather);
  find_if_there(lib, "ncclScatter", calls.scatter);
}

/// What the process found, or why it found nothing.
struct Found {
  std::unique_ptr<NcclLibrary> library;
  std::string why_not;
};

std::vector<std::string> names() {
  if (const char* chosen = std::getenv("ASSAY_NCCL"); chosen != nullptr && *chosen != '\0') return {chosen};
  const std::string soname = fmt::format("libnccl.so.{}", NCCL_MAJOR);
  return {soname, "/usr/local/cuda/lib64/" + soname};
}

const Found& found() {
  static const Found once = [] {
    Found result;
    for (const std::string& name : names()) {
      try {
        result.library = std::make_unique<NcclLibrary>(name);
        return result;
      } catch (const core::Error& error) {
        if (result.why_not.empty()) result.why_not = error.what();
      }
    }
    return result;
  }();
  return once;
}

}  // namespace

void NcclLibrary::Close::operator()(void* library) const noexcept { dlclose(library); }

NcclLibrary::NcclLibrary(const std::string& name)
    // NCCL's own threads may still run when the process ends: its code must then still be there.
    : name_(name), library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
  void* lib = library_.get();
  if (lib == nullptr) refuse(loader_words());
  find(lib, "ncclGetVersion", calls_.get_version);
  int version = 0;
  if (calls_.get_version(&version) != ncclSuccess || version / 10000 != NCCL_MAJOR ||
      version < NCCL_VERSION(2, 18, 1))
    refuse(fmt::format("{} is NCCL {}: this program needs {}.18 or newer of major version {}", name,
                       nccl_version_text(calls_), NCCL_MAJOR, NCCL_MAJOR));
  find_all(lib, calls_);
}

const NcclLibrary& NcclLibrary::library() {
  if (!found().library) refuse(found().why_not);
  return *found().library;
}

std::optional<std::string> NcclLibrary::unavailable() {
  if (found().library) return std::nullopt;
  return found().why_not;
}

std::string nccl_version_text(const NcclCalls& calls) {
  int version = 0;
  if (calls.get_version(&version) != ncclSuccess) return "of no known version";
  const int major = version >= 10000 ? version / 10000 : version / 1000;
  return fmt::format("{}.{}.{}", major, (version - major * (version >= 10000 ? 10000 : 1000)) / 100,
                     version % 100);
}

void check_nccl(const NcclCalls& calls, ncclResult_t status, std::string_view doing,
                std::source_location where) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  const char* last = calls.get_last_error(nullptr);
  const std::string detail = last != nullptr && *last != '\0' ? fmt::format(" ({})", last) : "";
  const std::string what = fmt::format("{}: {}{}", doing, calls.get_error_string(status), detail);
  if (status == ncclInvalidUsage && detail.find("no algorithm/protocol available") != std::string::npos)
    throw core::Unsupported(core::ErrorKind::nccl, what, status, where);
  throw core::Error(core::ErrorKind::nccl, what, status, where);
}

}  // namespace assay::collectives
