// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Owners of verbs objects. Members are declared in the order they are made, so that destructors run in the
// order libibverbs demands: QPs before CQs, everything before the PD, the PD before the device.
#pragma once

#include <infiniband/verbs.h>

#include "harness/core/files/handle.hpp"

namespace assay::rdma {

using ContextHandle = core::Handle<ibv_context*, ibv_close_device>;
using ProtectionDomainHandle = core::Handle<ibv_pd*, ibv_dealloc_pd>;
using CompletionChannelHandle = core::Handle<ibv_comp_channel*, ibv_destroy_comp_channel>;
using CompletionQueueHandle = core::Handle<ibv_cq*, ibv_destroy_cq>;
using QueuePairHandle = core::Handle<ibv_qp*, ibv_destroy_qp>;
using MemoryRegionHandle = core::Handle<ibv_mr*, ibv_dereg_mr>;
using AddressHandle = core::Handle<ibv_ah*, ibv_destroy_ah>;

}  // namespace assay::rdma
