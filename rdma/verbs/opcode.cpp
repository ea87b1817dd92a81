// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs/opcode.hpp"

#include <array>

namespace assay::rdma {

ibv_wr_opcode opcode_of(Operation operation) {
  constexpr std::array codes{IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM,  IBV_WR_SEND,
                             IBV_WR_RDMA_READ,  IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP};
  static_assert(codes.size() == operation_count);
  return codes[static_cast<std::size_t>(operation)];
}

ibv_qp_type type_of(Transport transport) {
  constexpr std::array types{IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD};
  return types[static_cast<std::size_t>(transport)];
}

}  // namespace assay::rdma
