// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/nccl_pair.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"

namespace assay::offload {

NcclPair::NcclPair(const nccl::Calls& calls, const std::array<int, 2>& gpus) : calls_(calls) {
  try {
    make(gpus);
  } catch (...) {
    for (ncclComm_t comm : comms_)  // no destructor follows
      if (comm != nullptr) static_cast<void>(calls_.comm_abort(comm));
    throw;
  }
}

NcclPair::~NcclPair() {
  // A lost device never answers, and NCCL would wait for it.
  if (cuda::context_is_lost()) return;
  for (ncclComm_t comm : comms_)
    static_cast<void>(broken_ ? calls_.comm_abort(comm) : calls_.comm_destroy(comm));
}

void NcclPair::make(const std::array<int, 2>& gpus) {
  constexpr const char* doing = "make NCCL's communicators of two GPUs";
  ncclUniqueId id{};
  check(calls_.get_unique_id(&id), doing);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 1;
  in_group(doing, [&](std::size_t rank) {
    const cuda::DeviceGuard guard(gpus[rank]);
    return calls_.comm_init_rank_config(&comms_[rank], 2, id, static_cast<int>(rank), &config);
  });
}

void NcclPair::in_group(const char* doing, const std::function<ncclResult_t(std::size_t rank)>& call) {
  check(calls_.group_start(), doing);
  ncclResult_t begun = ncclSuccess;
  for (std::size_t rank = 0; rank < comms_.size() && begun == ncclSuccess; ++rank) begun = call(rank);
  const ncclResult_t ended = calls_.group_end();
  check(begun, doing);
  check(ended, doing);
}

void NcclPair::all_reduce(const std::array<Part, 2>& parts, std::size_t count) {
  in_group("queue an all-reduce", [&](std::size_t rank) {
    return calls_.all_reduce(parts[rank].from, parts[rank].to, count, ncclFloat32, ncclSum, comms_[rank],
                             parts[rank].stream);
  });
}

void NcclPair::check(ncclResult_t status, const char* doing) {
  if (status != ncclSuccess) broken_ = true;
  if (status == ncclInProgress)
    throw core::Error(
        core::ErrorKind::nccl,
        fmt::format("{}: NCCL does not block (NCCL_COMM_BLOCKING=0?), expected that it does", doing));
  nccl::check(calls_, status, doing);
}

}  // namespace assay::offload
