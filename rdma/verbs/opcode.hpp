// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Operations and transports by libibverbs' names.
#pragma once

#include <infiniband/verbs.h>

#include "rdma/verbs/operation.hpp"

namespace assay::rdma {

ibv_wr_opcode opcode_of(Operation operation);
ibv_qp_type type_of(Transport transport);

}  // namespace assay::rdma
